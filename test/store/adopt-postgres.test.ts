import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type OpenPostgres, openPostgres, versionsInPostgres } from '../../src/store/postgres/open.ts';
import { startPostgres, type TestDatabase } from '../support/databases.ts';
import { needing } from '../support/needing.ts';
import { FORMER_POSTGRES, LAST_GIVEN, TODAY } from './former.ts';

needing('postgres').describe('a database in PostgreSQL with the former migrations', () => {
  let server: TestDatabase;
  let opened: OpenPostgres[] = [];
  const opening = async (mayUpgrade: boolean) => {
    const one = await openPostgres(server.url, Date.now, mayUpgrade);
    opened.push(one);
    return one;
  };
  const open = async (mayUpgrade: boolean) => (await opening(mayUpgrade)).migrated;
  const applied = () =>
    server.admin("select name from stockbridge_migrations where name not like 'former %' order by name");
  beforeAll(async () => {
    server = await startPostgres();
  });
  beforeEach(() => server.admin(`drop schema public cascade; create schema public; ${FORMER_POSTGRES}`));
  afterEach(async () => {
    await Promise.all(opened.map(({ close }) => close()));
    opened = [];
  });
  afterAll(() => server.stop());

  async function rows(): Promise<Record<string, unknown>> {
    const tables = await server.admin(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'stockbridge_migrations'",
    );
    const entries: [string, unknown][] = [];
    for (const { name } of tables as { name: string }[]) {
      // The first start gives the installation its name.
      const own = name === 'facts' ? "where account <> ''" : '';
      const [found] = await server.admin(`select json_agg(t order by t::text) as rows from "${name}" t ${own}`);
      entries.push([name, found?.['rows']]);
    }
    return Object.fromEntries(entries);
  }

  test('a PostgreSQL database with the former migrations is adopted by one of several processes, with all rows and counters', async () => {
    const before = await rows();
    expect(Object.keys(before).length).toBeGreaterThan(40);
    expect(Object.values(before)).not.toContain(null);
    expect(await versionsInPostgres(server.url)).toEqual({ applied: 12, known: 12 + TODAY, newer: false });
    const counts = (await Promise.all([open(true), open(true), open(true)])).map(({ count }) => count);
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 0, TODAY]);
    expect(await rows()).toEqual(before);
    expect(await applied()).toHaveLength(TODAY);
    expect(await open(true)).toMatchObject({ count: 0, isNew: false });
    expect(await versionsInPostgres(server.url)).toEqual({ applied: TODAY, known: TODAY, newer: false });
    const counters = await server.admin(
      "select nextval('journal_id_seq')::int as journal, nextval('intents_id_seq')::int as intents",
    );
    expect(counters).toEqual([{ journal: LAST_GIVEN + 1, intents: LAST_GIVEN + 1 }]);
  });

  test('a former program that still runs finds more migrations than it knows, and a start of today exactly its own', async () => {
    const { store } = await opening(true);
    // A former program compares this with the 12 that it knows, in each transaction of an account.
    const [seen] = await server.admin('select count(*)::int as count from stockbridge_migrations');
    expect(seen?.['count']).toBe(12 + TODAY);
    await store.facts.set('main', 'canary', 'sings');
    expect(await store.facts.get('main', 'canary')).toBe('sings');
    await server.admin("insert into stockbridge_migrations values ('9999_later', 'x')");
    await expect(store.facts.set('main', 'canary', 'later')).rejects.toThrow(/by a newer version/);
  });

  test('a PostgreSQL database with the former migrations is adopted only by a daemon\'s start and by "stockbridge migrate"', async () => {
    await expect(open(false)).rejects.toThrow('stop the daemons of that version, then run "stockbridge migrate"');
    expect(await applied()).toHaveLength(12);
  });

  test.each([
    [
      "delete from stockbridge_migrations where name = '0028_invalid_rows'",
      /in PostgreSQL is from before version 0\.2: it has 11 of the 12 migrations.*stockbridge rebuild/,
    ],
    ["insert into stockbridge_migrations values ('9999_later', 'x')", /written by a newer version of stockbridge/],
    ['alter table orders drop column raw', /column orders\.raw text not null is missing/],
    ['drop trigger audit_refuses_change on audit', /trigger audit_refuses_change on audit: .* is missing/],
  ])('a PostgreSQL database with another schema is refused, and stays unchanged: %s', async (statement, message) => {
    await server.admin(statement);
    const before = await applied();
    await expect(open(true)).rejects.toThrow(message);
    await expect(versionsInPostgres(server.url)).rejects.toThrow(message);
    expect(await applied()).toEqual(before);
  });
});
