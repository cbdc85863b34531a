import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureSystemPackage } from './system.mjs';

const USUAL_FOLDERS = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];
const NAMES = { 'apt-get': 'redis-server', apk: 'redis', dnf: 'redis', brew: 'redis' };

/**
 * Makes sure that there is a redis-server to start, and returns the PATH on which it is found.
 * @throws SetupError when there is none and it cannot be installed.
 */
export async function ensureRedis(path = process.env.PATH ?? '', usualFolders = USUAL_FOLDERS) {
  const find = () => pathWithRedis(path, usualFolders);
  await ensureSystemPackage({ what: 'redis-server', names: NAMES, present: () => find() !== null }, path);
  return find();
}

/** Looks on the PATH, and then where the package managers put it. */
function pathWithRedis(path, usualFolders) {
  if (path.split(delimiter).some(holdsRedis)) return path;
  const folder = usualFolders.find(holdsRedis);
  return folder === undefined ? null : `${path}${delimiter}${folder}`;
}

function holdsRedis(folder) {
  return existsSync(join(folder, 'redis-server'));
}
