import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    // Processes, not threads: SQLite's native code and child processes live in the tests.
    pool: 'forks',
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
});
