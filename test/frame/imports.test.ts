import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../../.setup/imports.mjs');
const PACKAGES = ['bullmq', 'drizzle-orm', 'better-sqlite3', 'decimal.js', 'zod'];

/** A program in which everything is in its place. */
const SOUND = {
  'src/app/app.ts': `import { feed } from '../daemon/feed.ts'; import { queue } from '../daemon/queue/queue.ts'; export const app = [feed, queue];`,
  'src/main.ts': `import { app } from './app/app.ts'; import { status } from './cli/status.ts'; console.log(app, status);`,
  'src/cli/status.ts': `import { gather } from '../use/status.ts'; export const status = gather;`,
  'src/use/status.ts': `import { db } from '../store/sqlite/database.ts'; import { decide } from '../flows/decide.ts'; export const gather = [db, decide];`,
  'src/domain/money.ts': `import { Decimal } from 'decimal.js'; export const money = new Decimal(1);`,
  'src/marketplace/operations/table.ts': `import { z } from 'zod'; export const table = z;`,
  'src/marketplace/client.ts': `import { money } from '../domain/money.ts'; export const client = money;`,
  'src/erp/connector.ts': `import { money } from '../domain/money.ts'; export const erp = money; export type Erp = number;`,
  'src/daemon/queue/queue.ts': `import { Queue } from 'bullmq'; export const queue = Queue;`,
  'src/store/sqlite/database.ts': `import { sql } from 'drizzle-orm'; import Sqlite from 'better-sqlite3'; export const db = [sql, Sqlite]; export type Row = number;`,
  'src/store/sql/orders.ts': `export const orders = 1;`,
  'src/store/store.ts': `export interface Row { readonly id: number }`,
  'src/daemon/feed.ts': `import type { Row } from '../store/store.ts'; export const feed: Row = { id: 1 };`,
  'src/core/state.ts': `import { db } from '../store/sqlite/database.ts'; export const state = db;`,
  'src/sandbox/market.ts': `import Sqlite from 'better-sqlite3'; import { table } from '../marketplace/operations/table.ts'; export const market = [Sqlite, table];`,
  // A decider may import types of the store: types do nothing.
  'src/flows/decide.ts': `import type { Row } from '../store/store.ts'; import { shape } from './shape.ts'; export const decide = (row: Row) => [row, shape];`,
  'src/flows/shape.ts': `import { money } from '../domain/money.ts'; export const shape = money;`,
} as const;

let folder: string;

function open(): void {
  folder = mkdtempSync(join(tmpdir(), 'imports-'));
  write('package.json', JSON.stringify({ dependencies: Object.fromEntries(PACKAGES.map((name) => [name, '1.0.0'])) }));
  for (const name of [...PACKAGES, 'left-over']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', exports: './main.js' }));
    write(`node_modules/${name}/main.js`, '');
  }
  for (const [path, text] of Object.entries(SOUND)) write(path, text);
}

const close = () => rmSync(folder, { recursive: true, force: true });

beforeEach(open);
afterEach(close);

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function check(): { status: number | null; lines: string[]; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' });
  return { status, lines: stdout.trim().split('\n'), text: stdout + stderr };
}

test('a program with allowed imports passes, and every file of it was read', () => {
  const { status, text } = check();
  expect(text).toMatch(new RegExp(`^${Object.keys(SOUND).length} files, \\d+ imports, 0 faults\n$`));
  expect(status).toBe(0);
});

/** Each in a file of its own. */
const PLANTED = [
  ['domain-is-pure', 'src/domain/bad.ts', `import { z } from 'zod'; export const bad = z;`],
  ['domain-is-pure', 'src/domain/bad.ts', `import { readFileSync } from 'node:fs'; export const bad = readFileSync;`],
  ['domain-imports', 'src/domain/bad.ts', `import type { Erp } from '../erp/connector.ts'; export type Bad = Erp;`],
  [
    'marketplace-imports',
    'src/marketplace/bad.ts',
    `import { erp } from '../erp/connector.ts'; export const bad = erp;`,
  ],
  [
    'erp-imports',
    'src/erp/files/bad.ts',
    `import type { client } from '../../marketplace/client.ts'; export type Bad = typeof client;`,
  ],
  ['http-imports', 'src/http/bad.ts', `import { erp } from '../erp/connector.ts'; export const bad = erp;`],
  [
    'sandbox-imports',
    'src/sandbox/bad.ts',
    `import { client } from '../marketplace/client.ts'; export const bad = client;`,
  ],
  ['sandbox-imports', 'src/sandbox/bad.ts', `import { db } from '../store/sqlite/database.ts'; export const bad = db;`],
  [
    'only-the-declared-store',
    'src/shadow/bad.ts',
    `import { db } from '../store/sqlite/database.ts'; export const bad = db;`,
  ],
  [
    'only-the-declared-store',
    'src/store/bad.ts',
    `import type { Row } from './sqlite/database.ts'; export type Bad = Row;`,
  ],
  [
    'only-the-doors-of-the-engines',
    'src/use/bad.ts',
    `import { orders } from '../store/sql/orders.ts'; export const bad = orders;`,
  ],
  ['only-daemon/queue-may-use-bullmq', 'src/flows/bad.ts', `import { Queue } from 'bullmq'; export const bad = Queue;`],
  ['only-daemon/queue-may-use-bullmq', 'src/app/bad.ts', `export const bad = () => import('bullmq');`],
  [
    'only-store-may-use-drizzle-orm',
    'src/sandbox/bad.ts',
    `import { sql } from 'drizzle-orm'; export const bad = sql;`,
  ],
  [
    'only-store-and-sandbox-and-erp/files-may-use-better-sqlite3',
    'src/admin/bad.ts',
    `import type S from 'better-sqlite3'; export type Bad = S;`,
  ],
  ['cli-imports', 'src/cli/bad.ts', `import { db } from '../store/sqlite/database.ts'; export const bad = db;`],
  ['cli-imports', 'src/cli/bad.ts', `import type { Row } from '../store/sqlite/database.ts'; export type Bad = Row;`],
  ['cli-imports', 'src/cli/bad.ts', `import { decide } from '../flows/decide.ts'; export const bad = decide;`],
  ['cli-imports', 'src/cli/bad.ts', `import { client } from '../marketplace/client.ts'; export const bad = client;`],
  ['cli-imports', 'src/cli/jobs/bad.ts', `import { erp } from '../../erp/connector.ts'; export const bad = erp;`],
  ['use-imports', 'src/use/bad.ts', `import { status } from '../cli/status.ts'; export const bad = status;`],
  ['use-imports', 'src/use/bad.ts', `import { app } from '../app/app.ts'; export const bad = app;`],
  [
    'only-the-top-uses-the-sandbox',
    'src/app/bad.ts',
    `import { market } from '../sandbox/market.ts'; export const bad = market;`,
  ],
  ['only-the-top-uses-app', 'src/admin/bad.ts', `import { app } from '../app/app.ts'; export const bad = app;`],
  [
    'deciders-are-pure',
    'src/flows/order/decide.ts',
    `import { db } from '../../store/sqlite/database.ts'; export const bad = db;`,
  ],
  ['deciders-are-pure', 'src/flows/policy-bad.ts', `import { hostname } from 'node:os'; export const bad = hostname;`],
  [
    'deciders-are-pure',
    'src/flows/decide-bad.ts',
    `import { client } from '../marketplace/client.ts'; export const bad = client;`,
  ],
  ['parts-are-known', 'src/extra/bad.ts', `import { z } from 'zod'; export const bad = z;`],
  ['no-barrels', 'src/erp/index.ts', `export const bad = 1;`],
  ['no-barrels', 'src/erp/files/index.ts', `export * from '../connector.ts';`],
  ['only-what-is-shipped', 'src/admin/bad.ts', `import left from 'left-over'; export const bad = left;`],
  ['everything-is-found', 'src/admin/bad.ts', `import { gone } from './gone.ts'; export const bad = gone;`],
].map(([rule = '', path = '', text = ''], index) => ({ rule, path: path.replace('bad', `bad-${index}`), text }));

describe('planted all at once, each is a fault:', () => {
  let found: ReturnType<typeof check>;
  beforeAll(() => {
    open();
    for (const { path, text } of PLANTED) write(path, text);
    found = check();
    close();
  });

  test.each(PLANTED)('a forbidden import is reported: $rule: $path with $text', ({ rule, path }) => {
    expect(found.lines.filter((line) => line.startsWith(path) && line.includes(`: ${rule}: `))).not.toEqual([]);
    expect(found.status).toBe(1);
  });
});

test('two folders that import each other are reported, though no two files do', () => {
  write('src/use/said.ts', `import { status } from '../cli/status.ts'; export const said = status;`);
  expect(check().lines).toContainEqual(expect.stringMatching(/^src\/cli -> src\/use -> src\/cli: no-folder-cycles: /));
});

test('a decider that does I/O through another file is reported', () => {
  write('src/flows/shape.ts', `import { now } from './now.ts'; export const shape = now;`);
  write('src/flows/now.ts', `import { cpus } from 'node:os'; export const now = cpus;`);
  const { status, text } = check();
  expect(text).toContain('src/flows/decide.ts -> src/flows/shape.ts -> src/flows/now.ts -> os: deciders-are-pure');
  expect(status).toBe(1);
});

test.each([
  [
    'values',
    `import { b } from './b.ts'; export const a: number = b;`,
    `import { a } from './a.ts'; export const b: number = a;`,
  ],
  [
    'types',
    `import type { B } from './b.ts'; export type A = B[];`,
    `import type { A } from './a.ts'; export type B = A | 1;`,
  ],
])('files that import each other for %s are reported', (_, a, b) => {
  write('src/erp/a.ts', a);
  write('src/erp/b.ts', b);
  const { status, text } = check();
  expect(text).toMatch(/src\/erp\/[ab]\.ts -> .*: no-cycles: /);
  expect(status).toBe(1);
});

test('an unreadable file, and a program without files, do not pass', () => {
  write('src/erp/broken.ts', 'export const = ;');
  expect(check().status).toBe(1);
  rmSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'src'));
  expect(check().status).toBe(1);
});
