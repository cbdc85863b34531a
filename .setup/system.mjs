import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { alone } from './alone.mjs';
import { capture } from './capture.mjs';
import { SetupError, say } from './say.mjs';

const INSTALL_LIMIT_MS = 10 * 60_000;
const APT = ['apt-get', '-o', 'DPkg::Lock::Timeout=300'];

/** The commands by which each system's package manager installs packages, in order, and the command for a person. */
const MANAGERS = [
  {
    name: 'apt-get',
    steps: (names) => [
      [...APT, 'update'],
      [...APT, 'install', '-y', '--no-install-recommends', ...names],
    ],
    advice: (names) => `run "apt-get install ${names}" as root`,
  },
  {
    name: 'apk',
    steps: (names) => [['apk', 'add', '--no-cache', ...names]],
    advice: (names) => `run "apk add ${names}" as root`,
  },
  {
    name: 'dnf',
    steps: (names) => [['dnf', 'install', '-y', ...names]],
    advice: (names) => `run "dnf install ${names}" as root`,
  },
  {
    name: 'brew',
    steps: (names) => [['brew', 'install', ...names]],
    advice: (names) => `run "brew install ${names}"`,
    asAnyone: true,
  },
];

/**
 * Installs packages of the system, all at once, unless `present` says that one is there. `names` are its names by package manager.
 * @throws SetupError in one line for all of them, when one is missing and may not or cannot be installed.
 */
export async function ensureSystemPackages(parts, path = process.env.PATH ?? '') {
  const lacking = () => parts.filter(({ present }) => !present());
  if (lacking().length === 0) return;
  await alone(async () => {
    const still = lacking();
    if (still.length > 0) await install(still, path);
  });
}

async function install(parts, path) {
  const what = parts.map((part) => part.what).join(' and ');
  const missing = (mend) => new SetupError(`${what} ${parts.length === 1 ? 'is' : 'are'} not installed: ${mend}`);
  const holds = (name) => path.split(delimiter).some((folder) => existsSync(join(folder, name)));
  const manager = MANAGERS.find(({ name }) => parts.every(({ names }) => names[name] !== undefined) && holds(name));
  if (manager === undefined) throw missing('install it with the package manager of this system');
  const names = parts.map((part) => part.names[manager.name]);
  const advice = manager.advice(names.join(' '));
  const prefix = await privilege(manager);
  if (prefix === null) throw missing(advice);
  say(`installing ${what} with ${manager.name} (once) ...`);
  // RUNLEVEL keeps Debian's packages from starting servers of their own: only the program itself is needed.
  const env = { ...process.env, PATH: `${path}:/usr/sbin:/sbin`, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  let output = '';
  for (const step of manager.steps(names)) {
    const [program, ...args] = [...prefix, ...step];
    const result = await capture(program, args, { env, limitMs: INSTALL_LIMIT_MS });
    output = result.output;
    if (!result.ok) break;
  }
  if (parts.every(({ present }) => present())) return;
  process.stderr.write(output);
  throw missing(
    `${manager.name} could not install ${parts.length === 1 ? 'it' : 'them'} (its output is above); ${advice}`,
  );
}

/** The words before a command that needs root: none, or sudo; null when the command may not be run. */
async function privilege(manager) {
  if (manager.asAnyone || process.getuid?.() === 0) return [];
  const sudo = await capture('sudo', ['-n', 'true'], { limitMs: 10_000 });
  return sudo.ok ? ['sudo', '-n', 'env', 'DEBIAN_FRONTEND=noninteractive', 'RUNLEVEL=1'] : null;
}
