import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { DATABASE, startPostgres } from '../support/databases.ts';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { crowd } from './crowd.ts';

/* What the guide advises for PostgreSQL: back up with pg_dump, restore with pg_restore into an empty database. */

const ROWS = `select table_name as name, (xpath('/row/rows/text()', query_to_xml(format(
  'select md5(string_agg(t::text, chr(10) order by t::text)) as rows from %I t', table_name), false, true, '')))[1]::text as rows
  from information_schema.tables where table_schema = 'public' order by 1`;

needing('postgres').test(
  'a pg_dump is restored into an empty database with every row, and the store opens on it',
  async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const dir = mkdtempSync(join(tmpdir(), 'dump-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    const first = await openPostgres(server.url, Date.now, true);
    await crowd(first.store, 1);
    await first.close();
    const before = await server.admin(ROWS);
    const file = join(dir, 'stockbridge.dump');
    execFileSync(programOf('postgres', 'pg_dump'), ['-Fc', '-f', file, server.url]);
    await server.admin(`create database restored`);
    const url = server.url.replace(`/${DATABASE}`, '/restored');
    execFileSync(programOf('postgres', 'pg_restore'), ['--exit-on-error', '-d', url, file]);
    const restored = await openPostgres(url, Date.now, false);
    onTestFinished(() => restored.close());
    expect(restored.migrated).toMatchObject({ count: 0, isNew: false });
    expect(before.length).toBeGreaterThan(40);
    const { Client } = await import('pg');
    const client = new Client({ connectionString: url });
    await client.connect();
    expect((await client.query(ROWS)).rows).toEqual(before);
    await client.end();
  },
);
