import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { LeaseLost } from '../../src/store/leases.ts';
import { type OpenPostgres, openPostgres, versionsInPostgres } from '../../src/store/postgres/open.ts';
import { asSent, readerOf } from '../../src/store/postgres/values.ts';
import { NewerVersionError, type StoreError } from '../../src/store/store-error.ts';
import { urgently } from '../../src/store/urgent.ts';
import { startPostgres, type TestDatabase } from '../support/databases.ts';
import { needing } from '../support/needing.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

const sqlOf = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.sql'));

test('every migration of SQLite has its counterpart for PostgreSQL (npm run migrations:generate makes both)', () => {
  expect(sqlOf(join(MIGRATIONS, 'postgres')).toSorted()).toEqual(sqlOf(MIGRATIONS).toSorted());
});

test.each(['', 'plain', 'a\0b', '\0\0', '\u{10FFFD}', '\u{10FFFD}0\0', '0\u{10FFFD}\u{10FFFD}0'])(
  'PostgreSQL returns a text as it was stored: %j',
  (text) => {
    const sent = String(asSent(text));
    expect(sent).not.toContain('\0');
    expect(readerOf(25)(sent)).toBe(text);
  },
);

needing('postgres').describe('on a real PostgreSQL', () => {
  let server: TestDatabase;
  let opened: OpenPostgres[] = [];
  const open = async () => {
    const one = await openPostgres(server.url, Date.now, true);
    opened.push(one);
    return one;
  };
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(() => server.admin('drop schema public cascade; create schema public'));
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });
  afterAll(() => server.stop());

  const first = readFileSync(join(MIGRATIONS, 'postgres/0000_first.sql'), 'utf8');
  const formerly = first.replace(
    /-- An index is restored.*?\$\$;/s,
    () => `create function json_extract(document text, path text) returns text language sql immutable parallel safe as $$
  select as_json(document) #>> string_to_array(substr(path, 3), '.')
$$;`,
  );
  test.each([
    ['as it is', first],
    ['as it was at first', formerly],
    // pg_restore made two indexes neither of that one nor of those before.
    [
      'as it was at first, restored from a dump,',
      `${formerly}; drop index erp_orders_by_customer, erp_orders_by_shop_customer`,
    ],
  ])(
    'a PostgreSQL database with the first migration %s gets the later migrations and continues its ids',
    async (_, text) => {
      const [file = ''] = text.split('; drop index');
      const hash = createHash('sha256').update(file).digest('hex');
      await server.admin(text.replaceAll('--> statement-breakpoint', ''));
      await server.admin(
        `create table stockbridge_migrations (name text primary key, hash text not null, applied_at timestamptz not null default now());
       insert into stockbridge_migrations (name, hash) values ('0000_first', '${hash}');
       insert into mappings (account, kind, marketplace_id, erp_id, state, how, created_at_ms) values ('main', 'product', '1', 'P-1', 'linked', 'link', 0)`,
      );
      expect(await versionsInPostgres(server.url)).toMatchObject({ applied: 1, newer: false });
      const { store, migrated } = await open();
      expect(migrated).toMatchObject({ isNew: false });
      expect(await versionsInPostgres(server.url)).toMatchObject({ applied: sqlOf(MIGRATIONS).length });
      await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '2', erpId: 'P-2', how: 'link' });
      expect(await server.admin('select id::int from mappings order by id')).toEqual([{ id: 1 }, { id: 2 }]);
    },
  );

  test('a database connection that is cut between two calls, or a restart of the server, causes no error', async () => {
    const { store } = await open();
    await store.facts.set('main', 'canary', 'sings');
    await server.admin("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stockbridge'");
    expect(await store.facts.get('main', 'canary')).toBe('sings');
    await server.kill();
    const written = store.facts.set('main', 'canary', 'sings again');
    await server.revive();
    await written;
    expect(await store.facts.get('main', 'canary')).toBe('sings again');
  });

  test('connections that are cut all the time lose no write and repeat none', async () => {
    const { store } = await open();
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await server.admin(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'stockbridge'",
        );
        await sleep(40);
      }
    })();
    const ticks: number[] = [];
    for (let turn = 0; turn < 60; turn += 1) ticks.push(await store.cursors.tick('main'));
    over.abort();
    await cutting;
    expect(ticks).toEqual(ticks.map((_, index) => (ticks[0] ?? 0) + index));
  });

  test('several programs add to the audit log at once, and its chain stays valid', async () => {
    const stores = await Promise.all([open(), open()]);
    const act = { flow: '', key: '', who: 'Ann', action: 'pause', target: 'a flow', before: null, after: null };
    await Promise.all(
      stores.flatMap(({ store }, who) =>
        Array.from({ length: 20 }, (_, index) =>
          store.audit.add({ ...act, account: `${who}-${index}`, outcome: 'done', resultOf: null }),
        ),
      ),
    );
    expect(await stores[0].store.audit.verify()).toMatchObject({ rows: 40, broken: null });
    await expect(server.admin("update audit set who = 'Eve'")).rejects.toThrow('only ever added to');
    await expect(server.admin('truncate audit')).rejects.toThrow('only ever added to');
  });

  test.each(['40001', '40P01', '55P03'])(
    'a transaction that PostgreSQL aborted (%s) is repeated completely, and other failures are not',
    async (code) => {
      const { store } = await open();
      await server.admin(`create sequence tries;
        create function give_up() returns trigger language plpgsql as $$ begin
          if new.name = 'canary' and nextval('tries') < 3 then raise exception 'given up' using errcode = '${code}'; end if;
          if new.name = 'broken' and nextval('tries') > 0 then raise exception 'broken'; end if;
          return new;
        end $$;
        create trigger gives_up before insert on facts for each row execute function give_up()`);
      await store.facts.set('main', 'canary', 'sings');
      expect(await store.facts.get('main', 'canary')).toBe('sings');
      expect(await server.admin('select last_value::int as tries from tries')).toEqual([{ tries: 3 }]);
      await expect(store.facts.set('main', 'broken', 'x')).rejects.toThrow('broken');
      expect(await server.admin('select last_value::int as tries from tries')).toEqual([{ tries: 4 }]);
      await server.admin('drop trigger gives_up on facts; drop function give_up; drop sequence tries');
    },
  );

  test('two programs increment the same counter without losing a step', async () => {
    const stores = await Promise.all([open(), open()]);
    const ticks = await Promise.all(
      stores.flatMap(({ store }) => Array.from({ length: 50 }, () => store.cursors.tick('main'))),
    );
    expect(new Set(ticks).size).toBe(100);
  });

  test('a lease is not taken while a transaction under it is open, and nothing is written after it was taken', async () => {
    const [one, two] = await Promise.all([open(), open()]);
    const fence = (await one.store.leases.take('main', 'one', 60_000)) ?? 0;
    const held = one.fenced('main', fence);
    await held.facts.set('main', 'canary', 'sings');
    const paused = new Client({ connectionString: server.url });
    await paused.connect();
    // This is like a program that stands still within a transaction of this account.
    await paused.query('begin');
    const { rows } = await paused.query<{ key: number }>(
      "select ('x' || substr(encode(sha256('main'), 'hex'), 1, 8))::bit(32)::int as key",
    );
    await paused.query('select pg_advisory_xact_lock(91, $1)', [rows[0]?.key]);
    await server.admin('update leases set until_ms = 0');
    expect((await two.store.leases.list()).leases).toEqual([]);
    expect(await two.store.leases.take('main', 'two', 60_000)).toBeNull();
    await paused.end();
    while ((await two.store.leases.take('main', 'two', 60_000)) === null) await sleep(20);
    await expect(held.facts.set('main', 'canary', 'is silent')).rejects.toThrow(LeaseLost);
    expect(await held.facts.get('main', 'canary')).toBe('sings');
  });

  test('an urgent call to PostgreSQL goes before all waiting calls', async () => {
    const { store } = await open();
    const other = new Client({ connectionString: server.url });
    await other.connect();
    await other.query('begin; select pg_advisory_xact_lock(91, 0)');
    const held = store.facts.set('main', 'canary', 'sings');
    const waits = "select 1 from pg_locks where locktype = 'advisory' and not granted";
    while ((await server.admin(waits)).length === 0) await sleep(20);
    const answered: string[] = [];
    const ask = (name: string) => store.facts.get('main', 'canary').then(() => answered.push(name));
    const asked = [ask('first'), ask('second'), urgently(() => ask('urgent')), ask('third')];
    await other.end();
    await Promise.all([held, ...asked]);
    expect(answered).toEqual(['urgent', 'first', 'second', 'third']);
  });

  test.each([
    ['alter table orders drop column raw', /column orders\.raw text not null is missing/],
    ['drop index mappings_by_erp', /unique index mappings_by_erp on mappings \(.*\) is missing/],
    ['create table mine (id bigint)', /column mine\.id bigint was added/],
    ['drop trigger audit_refuses_change on audit', /trigger audit_refuses_change on audit: .* is missing/],
    ['create rule lose as on insert to orders do instead nothing', /rule lose on orders was added/],
    [
      'create schema beside; create table beside.more () inherits (orders)',
      /rows of another table in orders was added/,
    ],
    ['alter table orders enable row level security', /policy of the rows of orders was added/],
    ["alter table orders add constraint none check (status <> 'x')", /condition none of orders was added/],
    ["alter table orders alter column status set default 'x'", /column orders\.status .*default 'x'.* was added/],
    [
      'create or replace function audit_refuses() returns trigger language plpgsql as $$ begin return new; end $$',
      /function audit_refuses .* is missing/,
    ],
    [
      'create or replace trigger audit_refuses_change before update on audit for each row when (false) execute function audit_refuses()',
      /trigger audit_refuses_change on audit: .* is missing/,
    ],
    [
      "create function json_extract(document text, path varchar) returns text language sql as $$ select 'x' $$",
      /function json_extract .* was added/,
    ],
    [
      'drop index mappings_by_erp; create unique index mappings_by_erp on mappings (kind) where false',
      /unique index mappings_by_erp on mappings \(.*\) is missing/,
    ],
    ["insert into stockbridge_migrations values ('9999_later', 'x')", /written by a newer version of stockbridge/],
  ])('a PostgreSQL schema that differs from its migrations is refused: %s', async (statement, message) => {
    expect(await versionsInPostgres(server.url)).toBeNull();
    await (await open()).close();
    opened = [];
    await (await open()).close();
    opened = [];
    await server.admin(statement);
    await expect(openPostgres(server.url, Date.now, true)).rejects.toThrow(message);
    await expect(versionsInPostgres(server.url)).rejects.toThrow(message);
  });

  test('after a newer version changed the tables, every transaction of an account is refused', async () => {
    const { store } = await open();
    await store.facts.set('main', 'canary', 'before');
    await server.admin("insert into stockbridge_migrations values ('9999_later', 'x')");
    const refused = (await store.facts.set('main', 'canary', 'after').catch((error: unknown) => error)) as StoreError;
    expect(refused).toBeInstanceOf(NewerVersionError);
    expect([refused.passes, refused.message]).toEqual([true, expect.stringContaining('by a newer version')]);
    expect(await store.facts.get('main', 'canary')).toBe('before');
  });

  test('several processes that start together create the tables once', async () => {
    const counts = (await Promise.all([open(), open(), open()])).map(({ migrated }) => migrated.count);
    expect(counts.filter((count) => count > 0)).toHaveLength(1);
  });
});
