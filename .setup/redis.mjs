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

/** How each system's package manager brings redis-server: the commands in order, and whether they need root. */
const MANAGERS = [
  {
    name: 'apt-get',
    root: true,
    steps: [
      ['apt-get', '-o', 'DPkg::Lock::Timeout=300', 'update'],
      ['apt-get', '-o', 'DPkg::Lock::Timeout=300', 'install', '-y', '--no-install-recommends', 'redis-server'],
    ],
  },
  { name: 'apk', root: true, steps: [['apk', 'add', '--no-cache', 'redis']] },
  { name: 'dnf', root: true, steps: [['dnf', 'install', '-y', 'redis']] },
  { name: 'brew', root: false, steps: [['brew', 'install', 'redis']] },
];

/**
 * Makes sure that there is a redis-server to start, and answers the PATH on which it is found.
 * @throws SetupError when there is none and it cannot be installed.
 */
export async function ensureRedis(path = process.env.PATH ?? '') {
  const found = pathWithRedis(path);
  if (found !== null) return found;
  return alone(async () => pathWithRedis(path) ?? (await install(path)));
}

function pathWithRedis(path) {
  if (path.split(delimiter).some(holdsRedis)) return path;
  const folder = USUAL_FOLDERS.find(holdsRedis);
  return folder === undefined ? null : `${path}${delimiter}${folder}`;
}

function holdsRedis(folder) {
  return existsSync(join(folder, 'redis-server'));
}

async function install(path) {
  const manager = MANAGERS.find(({ name }) => path.split(delimiter).some((folder) => existsSync(join(folder, name))));
  const command = manager === undefined ? null : manager.steps.map((step) => step.join(' ')).join(' && ');
  const prefix = manager === undefined ? null : await privilege(manager);
  if (manager === undefined) throw missing('install Redis 6.2 or later with the package manager of this system');
  if (prefix === null) throw missing(`run as root: ${command}`);
  say(`installing redis-server with ${manager.name} (once) ...`);
  // RUNLEVEL keeps Debian's package from starting a server of its own: only the program is wanted.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  let output = '';
  for (const step of manager.steps) {
    const [program, ...args] = [...prefix, ...step];
    const result = await capture(program, args, { env, limitMs: INSTALL_LIMIT_MS });
    output = result.output;
    if (!result.ok) break;
  }
  const found = pathWithRedis(path);
  if (found !== null) return found;
  process.stderr.write(output);
  throw missing(`it could not be installed (output above); run as root: ${command}`);
}

/** What to put before a command that needs root: nothing, sudo, or null when it may not be run. */
async function privilege(manager) {
  if (!manager.root || process.getuid?.() === 0) return [];
  const sudo = await capture('sudo', ['-n', 'true'], { limitMs: 10_000 });
  return sudo.ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'] : null;
}

function missing(mend) {
  return new SetupError(`redis-server is not installed: ${mend}`);
}
