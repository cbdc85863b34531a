import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';
import { capture } from './capture.mjs';
import { SetupError, say } from './say.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The runtime that package.json pins. Everything that loads SQLite runs on it, not on the system's Node. */
export const pinnedNode = join(root, 'node_modules', platformPackage(), 'bin', 'node');

/** The link where npm scripts and people look for the runtime. */
const link = join(root, 'node_modules', '.bin', 'node');

const INSTALL_LIMIT_MS = 15 * 60_000;

/** Installs the npm packages, with the pinned runtime, when they are missing or differ from the lockfile. */
export async function ensurePackages({ dev }) {
  if (installed(dev)) return;
  await alone(async () => {
    if (installed(dev)) return;
    say('installing the npm packages of package-lock.json (once, takes a minute) ...');
    await installAll();
    if (!existsSync(pinnedNode)) {
      throw new SetupError(`npm has no Node for ${process.platform} on ${process.arch}: use another machine`);
    }
    // Up to version 10, npm takes the link away with the packages for other platforms.
    if (!existsSync(link)) symlinkSync(relative(dirname(link), pinnedNode), link);
  });
}

/** The npm package that holds the runtime for this machine. */
function platformPackage() {
  const family = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  return `${family}-${process.platform}-${process.arch}`;
}

/** Does node_modules hold the packages of the lockfile? npm keeps a list of the installed packages, which is compared. */
function installed(dev) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null) throw new SetupError(`package-lock.json cannot be read in ${root}: is this a whole checkout?`);
  if (present === null || !existsSync(pinnedNode)) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const there = present[path];
    if (path === '') return true;
    if (there !== undefined) return there.version === entry.version && there.integrity === entry.integrity;
    return Boolean(entry.optional || entry.devOptional || (entry.dev && !dev));
  });
}

function packagesIn(lockfile) {
  try {
    return JSON.parse(readFileSync(lockfile, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}

async function installAll() {
  // npm has to run on the system's Node: the pinned Node, first on the PATH of npm scripts, is about to be replaced.
  const path = (process.env.PATH ?? '').split(':').filter((dir) => !dir.endsWith('node_modules/.bin'));
  const env = { ...process.env, PATH: path.join(':') };
  // The runtime is an optional package, one for each platform.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--no-progress',
  ];
  const { ok, output } = await capture('npm', args, { cwd: root, env, limitMs: INSTALL_LIMIT_MS });
  if (ok) return;
  process.stderr.write(output);
  throw new SetupError(`"npm ci" failed in ${root}: its output is above`);
}
