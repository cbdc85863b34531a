import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { needing } from '../support/needing.ts';
import { closePostgres } from './shelf.ts';

/* The whole contract of the store, on a real PostgreSQL. */

process.env['STOCKBRIDGE_TEST_STORE'] = 'postgres';
afterAll(closePostgres);

const CONTRACT = join(import.meta.dirname, 'contract');

for (const file of readdirSync(CONTRACT)) {
  needing('postgres').describe(file, async () => {
    await import(join(CONTRACT, file));
  });
}
