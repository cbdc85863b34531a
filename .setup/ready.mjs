import { ensurePackages } from './packages.mjs';
import { ensureRedis } from './redis.mjs';
import { ensureRuntime } from './runtime.mjs';
import { SetupError, say } from './say.mjs';

/**
 * Installs everything that a command needs and returns the environment to run it in. Exits with 69 when something cannot be
 * installed. Plain JavaScript without packages, because it runs on the system's Node (20 or later) before anything is
 * installed.
 */
export async function ready({ dev, redis }) {
  try {
    await ensurePackages({ dev });
    await ensureRuntime();
    return redis ? { ...process.env, PATH: await ensureRedis() } : process.env;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(error.message);
    process.exit(69);
  }
}
