import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureSystemPackages } from './system.mjs';

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
 * @param others packages of the system that are needed as well
 * @throws SetupError when one is missing and cannot be installed.
 */
export async function ensureRedis(others = [], path = process.env.PATH ?? '', usualFolders = USUAL_FOLDERS) {
  const find = () => pathWithRedis(path, usualFolders);
  const server = { what: 'redis-server', names: NAMES, present: () => find() !== null };
  await ensureSystemPackages([...others, server], path);
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
