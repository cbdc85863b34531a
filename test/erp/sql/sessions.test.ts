import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createPlaces } from '../../../src/erp/places.ts';
import type { Database, Rows, Transaction } from '../../../src/erp/sql/database.ts';
import { type List, listPages } from '../../../src/erp/sql/lists.ts';
import { inSession, openList, type Sessions } from '../../../src/erp/sql/session.ts';

const STATEMENT = { key: 'lists.orders.query', sql: 'select 1' };
const NO_ROWS: Rows = { columns: [], rows: [], count: 0, insertId: null };

/** A database with a pool of connections: whoever finds none waits until another session ends. */
function sessionsWith(
  connections: number,
  changes: Partial<Transaction> & Partial<Pick<Database, 'dialect'>> = {},
): Sessions {
  const { dialect = 'postgres', ...own } = changes;
  let free = connections;
  const waiting: (() => void)[] = [];
  const connect = async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const database: Database = {
    dialect,
    place: 'erp-db:5432/shop',
    async begin() {
      await connect();
      return {
        asOf: '2026-11-01T00:00:00Z',
        server: 'PostgreSQL 17',
        time: (instant) => instant,
        since: (instant) => instant,
        run: async () => nextTurn(NO_ROWS),
        prepare: async () => {},
        async *pages() {
          for (let page = 0; page < 3; page += 1) yield await nextTurn(NO_ROWS);
        },
        commit: async () => {},
        async end() {
          give();
          return 'undone';
        },
        ...own,
      } satisfies Transaction;
    },
    close: async () => {},
  };
  const places = createPlaces({ most: connections, timeoutMs: 500 });
  const lists = createPlaces({ most: connections - 1, timeoutMs: 500 });
  const bounds = { timeoutMs: 500, zone: 'UTC', refusedForNow: [] };
  return { database, places, lists, ...bounds, password: () => '', refused: () => {} };
}

async function readList(sessions: Sessions, name: string): Promise<void> {
  const what = { operation: `list ${name}`, purpose: `list the ${name}`, kind: 'read' } as const;
  const session = await openList(sessions, what);
  try {
    for await (const _page of session.pages(STATEMENT, {}, 500)) await nextTurn();
  } finally {
    await session.end();
  }
}

function find(sessions: Sessions, kind: 'read' | 'write'): Promise<unknown> {
  const what = { operation: 'order', purpose: 'show an order', kind } as const;
  return inSession(sessions, what, (session) => session.run(STATEMENT, {}));
}

test('more parallel reads than connections all end', async () => {
  const sessions = sessionsWith(8);
  await expect(Promise.all(Array.from({ length: 40 }, () => find(sessions, 'read')))).resolves.toHaveLength(40);
});

test('lists that are read in parallel over two connections all end, during writes', async () => {
  const sessions = sessionsWith(2);
  const lists = ['products', 'stock', 'orders', 'customers'].map((name) => readList(sessions, name));
  const writes = Array.from({ length: 4 }, () => find(sessions, 'write'));
  await expect(Promise.all([...lists, ...writes])).resolves.toHaveLength(8);
});

const ORDERS: List<object> = {
  name: 'orders',
  query: 'select 1 where {filter}',
  changed: null,
  lines: null,
  row: z.object({}),
  map: async (rows) => rows,
  keyOf: () => '',
};

test.each([
  ['that is stored page by page', 'postgres', [], null, /more than 10000000 rows/],
  [
    'that is kept until its end, because its lines come after it,',
    'mysql',
    Array.from({ length: 500 }, () => ['1', 'x'.repeat(50_000)]),
    'select 2',
    /more than 268435456 characters/,
  ],
] as const)('a list %s is given up where it has no end', async (_what, dialect, rows, lines, told) => {
  const columns = ['id', 'note'].map((name) => ({ name, kind: 'plain' as const }));
  const sessions = sessionsWith(2, {
    dialect,
    async *pages() {
      for (;;) yield { ...NO_ROWS, columns, rows };
    },
  });
  const read = Array.fromAsync(listPages(sessions, { ...ORDERS, lines }, null, undefined));
  await expect(read).rejects.toMatchObject({ kind: 'invalid-answer', message: expect.stringMatching(told) });
});
