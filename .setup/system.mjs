import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { alone } from './alone.mjs';
import { capture } from './capture.mjs';
import { SetupError, say } from './say.mjs';

const INSTALL_LIMIT_MS = 10 * 60_000;
const APT = ['apt-get', '-o', 'DPkg::Lock::Timeout=300'];

/** The commands by which each system's package manager installs a package, in order, and the command for a person. */
const MANAGERS = [
  {
    name: 'apt-get',
    steps: (name) => [
      [...APT, 'update'],
      [...APT, 'install', '-y', '--no-install-recommends', name],
    ],
    advice: (name) => `run "apt-get install ${name}" as root`,
  },
  {
    name: 'apk',
    steps: (name) => [['apk', 'add', '--no-cache', name]],
    advice: (name) => `run "apk add ${name}" as root`,
  },
  {
    name: 'dnf',
    steps: (name) => [['dnf', 'install', '-y', name]],
    advice: (name) => `run "dnf install ${name}" as root`,
  },
  {
    name: 'brew',
    steps: (name) => [['brew', 'install', name]],
    advice: (name) => `run "brew install ${name}"`,
    asAnyone: true,
  },
];

/**
 * Installs a package of the system unless `present` says that it is there. `names` are its names by package manager.
 * @throws SetupError in one line, when it is missing and may not or cannot be installed.
 */
export async function ensureSystemPackage({ what, names, present }, path = process.env.PATH ?? '') {
  if (present()) return;
  await alone(async () => {
    if (!present()) await install({ what, names, present }, path);
  });
}

async function install({ what, names, present }, path) {
  const missing = (mend) => new SetupError(`${what} is not installed: ${mend}`);
  const holds = (name) => path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  const manager = MANAGERS.find(({ name }) => names[name] !== undefined && holds(name));
  if (manager === undefined) throw missing('install it with the package manager of this system');
  const advice = manager.advice(names[manager.name]);
  const prefix = await privilege(manager);
  if (prefix === null) throw missing(advice);
  say(`installing ${what} with ${manager.name} (once) ...`);
  // RUNLEVEL keeps Debian's packages from starting servers of their own: only the program itself is needed.
  const env = { ...process.env, PATH: `${path}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  let output = '';
  for (const step of manager.steps(names[manager.name])) {
    const [program, ...args] = [...prefix, ...step];
    const result = await capture(program, args, { env, limitMs: INSTALL_LIMIT_MS });
    output = result.output;
    if (!result.ok) break;
  }
  if (present()) return;
  process.stderr.write(output);
  throw missing(`${manager.name} could not install it (its output is above); ${advice}`);
}

/** The words before a command that needs root: none, or sudo; null when the command may not be run. */
async function privilege(manager) {
  if (manager.asAnyone || process.getuid?.() === 0) return [];
  const sudo = await capture('sudo', ['-n', 'true'], { limitMs: 10_000 });
  return sudo.ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'] : null;
}
