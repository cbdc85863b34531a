import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Most files wait for most of their time: for Redis, for a disk, for the daemon's own pauses. */
const WORKERS_PER_CORE = 3;
const MAX_WORKERS = 12;

/** The long tier (`--mode long`) is every `*.long.test.ts`: the program as it is installed, killed, filled up and left running. */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: [mode === 'long' ? 'test/**/*.long.test.ts' : 'test/**/!(*.long).test.ts'],
    // Processes, not threads: SQLite's native code and child processes live in the tests.
    pool: 'forks',
    maxWorkers: Math.min(MAX_WORKERS, WORKERS_PER_CORE * availableParallelism()),
    // No test is about its own duration, and a machine that does other things may need twenty times as long.
    testTimeout: 1_200_000,
    hookTimeout: 600_000,
  },
}));
