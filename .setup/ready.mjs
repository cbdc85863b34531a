import { join } from 'node:path';
import { ensureHooks } from './hooks.mjs';
import { ensurePackages, root } from './packages.mjs';
import { ensureRedis } from './redis.mjs';
import { libatomic, refuseBrokenRuntime } from './runtime.mjs';
import { SetupError, say } from './say.mjs';
import { ensureSystemPackages } from './system.mjs';

/**
 * Installs everything that a command needs and returns the environment to run it in. Exits with 69 when something cannot be
 * installed. Plain JavaScript without packages, because it runs on the system's Node (20 or later) before anything is
 * installed.
 */
export async function ready({ dev, redis }) {
  try {
    await ensurePackages({ dev });
    // Who only runs the program makes no commits.
    if (dev) ensureHooks();
    // Most of the time of a start is needed to compile the same modules, so all processes share what was compiled.
    const env = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'), ...process.env };
    // All missing parts are asked for together, so that one command of an administrator is enough.
    if (redis) env.PATH = await ensureRedis([libatomic]);
    else await ensureSystemPackages([libatomic]);
    refuseBrokenRuntime();
    return env;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exit(69);
  }
}
