import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import { missing } from '../support/databases.ts';
import { closePostgres } from './shelf.ts';

/* The whole contract of the store, on a real PostgreSQL. */

process.env['STOCKBRIDGE_TEST_STORE'] = 'postgres';
afterAll(closePostgres);

const CONTRACT = join(import.meta.dirname, 'contract');
const named = (file: string) => (missing.postgres === null ? file : `${file} (${missing.postgres})`);

for (const file of readdirSync(CONTRACT)) {
  describe.skipIf(missing.postgres !== null)(named(file), async () => {
    await import(join(CONTRACT, file));
  });
}
