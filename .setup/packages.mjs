import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';
import { capture } from './capture.mjs';
import { SetupError, say } from './say.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The runtime that package.json pins. Everything that loads SQLite runs on it, whatever the system has. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node');

const INSTALL_LIMIT_MS = 15 * 60_000;

/** Installs the npm packages when they are missing or not those of the lockfile, and the pinned runtime when it is not there. */
export async function ensurePackages({ dev }) {
  if (installed(dev) && runnable(pinnedNode)) return;
  await alone(async () => {
    if (!installed(dev)) {
      say('installing the npm packages of package-lock.json (once, takes a minute) ...');
      await npm('ci');
    }
    if (!runnable(pinnedNode)) {
      say('fetching the pinned Node (once, about 50 MB) ...');
      // Install scripts may be switched off; this package is nothing but the one that fetches the runtime.
      await npm('rebuild', 'node', '--ignore-scripts=false');
    }
    if (!runnable(pinnedNode)) {
      throw new SetupError(`the pinned Node is not at ${pinnedNode}: remove node_modules and run "npm ci" to see why`);
    }
  });
}

/** Does node_modules hold what the lockfile says? npm keeps its own account of what it installed, so that is compared. */
function installed(dev) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === null) throw new SetupError(`package-lock.json cannot be read in ${root}: is this a whole checkout?`);
  if (present === null) return false;
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

function runnable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function npm(...args) {
  // npm runs on the system's Node: the pinned one, first on the PATH of npm scripts, is about to be replaced.
  const path = (process.env.PATH ?? '').split(':').filter((dir) => !dir.endsWith('node_modules/.bin'));
  const env = { ...process.env, PATH: path.join(':') };
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-progress'];
  const { ok, output } = await capture('npm', [...args, ...quiet], { cwd: root, env, limitMs: INSTALL_LIMIT_MS });
  if (ok) return;
  process.stderr.write(output);
  throw new SetupError(`"npm ${args.join(' ')}" failed in ${root}: its output is above`);
}
