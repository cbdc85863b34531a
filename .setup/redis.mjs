import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { alone } from './alone.mjs';
import { capture } from './capture.mjs';
import { SetupError, say } from './say.mjs';

const INSTALL_LIMIT_MS = 10 * 60_000;
const USUAL_FOLDERS = [
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/home/linuxbrew/.linuxbrew/bin',
];

const APT = ['apt-get', '-o', 'DPkg::Lock::Timeout=300'];

/** How each system's package manager brings redis-server: the commands in order, and how a person would say it. */
const MANAGERS = [
  {
    name: 'apt-get',
    steps: [
      [...APT, 'update'],
      [...APT, 'install', '-y', '--no-install-recommends', 'redis-server'],
    ],
    advice: 'run "apt-get install redis-server" as root',
  },
  { name: 'apk', steps: [['apk', 'add', '--no-cache', 'redis']], advice: 'run "apk add redis" as root' },
  { name: 'dnf', steps: [['dnf', 'install', '-y', 'redis']], advice: 'run "dnf install redis" as root' },
  { name: 'brew', steps: [['brew', 'install', 'redis']], advice: 'run "brew install redis"', asAnyone: true },
];

/**
 * Makes sure that there is a redis-server to start, and answers the PATH on which it is found.
 * @throws SetupError when there is none and it cannot be installed.
 */
export async function ensureRedis(path = process.env.PATH ?? '', usualFolders = USUAL_FOLDERS) {
  const find = () => pathWithRedis(path, usualFolders);
  return find() ?? (await alone(async () => find() ?? (await install(path, find))));
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

async function install(path, find) {
  const manager = MANAGERS.find(({ name }) => path.split(delimiter).some((folder) => existsSync(join(folder, name))));
  if (manager === undefined) throw missing('install Redis 6.2 or later');
  const prefix = await privilege(manager);
  if (prefix === null) throw missing(manager.advice);
  say(`installing redis-server with ${manager.name} (once) ...`);
  // RUNLEVEL keeps Debian's package from starting a server of its own: only the program is wanted.
  const env = { ...process.env, PATH: `${path}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  let output = '';
  for (const step of manager.steps) {
    const [program, ...args] = [...prefix, ...step];
    const result = await capture(program, args, { env, limitMs: INSTALL_LIMIT_MS });
    output = result.output;
    if (!result.ok) break;
  }
  const found = find();
  if (found !== null) return found;
  process.stderr.write(output);
  throw missing(`${manager.name} could not install it (its output is above); ${manager.advice}`);
}

/** What to put before a command that needs root: nothing, sudo, or null when it may not be run. */
async function privilege(manager) {
  if (manager.asAnyone || process.getuid?.() === 0) return [];
  const sudo = await capture('sudo', ['-n', 'true'], { limitMs: 10_000 });
  return sudo.ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'] : null;
}

function missing(mend) {
  return new SetupError(`redis-server is not installed: ${mend}`);
}
