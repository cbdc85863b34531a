import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { keepInMemory } from './memory.mjs';
import { skippedReporter } from './skipped.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Most files wait for most of their time: for Redis, for a disk, for the daemon's own pauses. The long ones start programs as well. */
const WORKERS_PER_CORE = { short: 3, long: 2, live: 2 };
const MAX_WORKERS = 12;

/**
 * The long tier (`--mode long`) is every `*.long.test.ts`: the program as it is installed, killed, filled up and left running. The
 * live tier (`--mode live`) is every `*.live.test.ts`: the program with real systems, which the tests install.
 */
const TIERS = ['long', 'live'];

keepInMemory();

export default defineConfig(({ mode }) => {
  const tierOf = (file) => TIERS.find((tier) => file.endsWith(`.${tier}.test.ts`)) ?? 'short';
  const wanted = TIERS.includes(mode) ? mode : 'short';
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => tierOf(file) === wanted);
  // Loading the program takes longer than most files run. A file that replaces a module loads the program for itself. The
  // other files share it.
  const alone = files.filter(
    (file) => wanted !== 'short' || /\bvi\.(mock|doMock)\(/.test(readFileSync(join(root, file), 'utf8')),
  );
  const shared = files.filter((file) => !alone.includes(file));
  return {
    root,
    test: {
      projects: [
        { extends: true, test: { name: 'alone', include: alone, isolate: true } },
        ...(shared.length === 0 ? [] : [{ extends: true, test: { name: 'shared', include: shared, isolate: false } }]),
      ],
      setupFiles: ['test/support/begin-file.ts'],
      reporters: ['default', skippedReporter()],
      // Processes, not threads: SQLite's native code and child processes live in the tests.
      pool: 'forks',
      maxWorkers: Math.min(MAX_WORKERS, WORKERS_PER_CORE[wanted] * availableParallelism()),
      // No test checks its own duration, and a busy machine may need twenty times as long.
      testTimeout: wanted === 'short' ? 60_000 : 1_800_000,
      hookTimeout: 600_000,
    },
  };
});
