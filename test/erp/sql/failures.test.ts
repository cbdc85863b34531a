import { afterAll, describe, expect, it } from 'vitest';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { openDoor } from '../../support/door.ts';
import { draftOf, failureOf } from '../../support/erp-check.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, openForeign, PASSWORD, type Section, sectionOf, startForeign } from './foreign.ts';

const HAS = { skus: ['ART-0001', 'ART-0002'], currency: 'EUR' } as const;
const LIST_OF_ALL = 1_200;

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).describe(`what ${engine} answers badly`, () => failures(engine));
}

async function failures(engine: Engine): Promise<void> {
  const database = await startForeign(engine, LIST_OF_ALL);
  const door = await openDoor(database.port);
  const opened: ErpConnector[] = [];
  const open = async (change: (section: Section) => void = () => {}): Promise<ErpConnector> => {
    const section = sectionOf(engine, door.port, (one) => {
      one['timeout'] = '1s';
      change(one);
    });
    const erp = await openForeign(section);
    opened.push(erp);
    return erp;
  };
  afterAll(async () => {
    for (const erp of opened) await erp.close();
    await door.close();
    await database.stop();
  });
  const orders = async (): Promise<number> =>
    Number(Object.values((await database.admin('select count(*) from auftrag'))[0] ?? {})[0]);
  const products = (section: Section) => section.lists['products'] ?? { query: '' };
  const listing = (change: (section: Section) => void) => async () => {
    const erp = await open(change);
    return failureOf(Array.fromAsync(erp.listProducts(null)));
  };
  const [slow, decimal] = engine === 'postgres' ? ['pg_sleep(30)::text', 'double precision'] : ['sleep(30)', 'double'];

  describe(`a bad answer of ${engine} is reported with its place and mend:`, () => {
    it.each<[string, (section: Section) => void, object, RegExp]>([
      [
        'a wrong password',
        (section) => {
          section['password'] = 'another password';
        },
        { kind: 'credentials', outcome: 'not-applied' },
        /Check erp\.user and erp\.password/,
      ],
      [
        'a server that is down',
        (section) => {
          section.url = section.url.replace(/:\d+\//, ':1/');
        },
        { kind: 'unavailable', outcome: 'not-applied' },
        /could not be reached .*Check erp\.url and that it is up/,
      ],
      [
        'a database that is not there',
        (section) => {
          section.url = section.url.replace(/\/\w+$/, '/nowhere');
        },
        { outcome: 'not-applied' },
        /erp\.u(rl|ser)/,
      ],
      [
        'a column that is gone',
        (section) => {
          products(section).query = products(section).query.replace('vk_cent', 'vk_preis');
        },
        { kind: 'refused', outcome: 'not-applied' },
        /vk_preis.* to erp\.lists\.products\.query when asked to list the products\. The schema is not as the statement has it/,
      ],
      [
        'a right that is missing',
        (section) => {
          products(section).query =
            engine === 'postgres'
              ? 'select passwd from pg_shadow where {filter}'
              : 'select * from mysql.user where {filter}';
        },
        { kind: 'forbidden', outcome: 'not-applied' },
        /lists\.products\.query .*Grant the user/,
      ],
      [
        'a column of floats',
        (section) => {
          products(section).query = products(section).query.replace(
            'vk_cent / 100.0',
            `cast(vk_cent / 100.0 as ${decimal})`,
          );
        },
        { kind: 'invalid-answer', outcome: 'not-applied' },
        /its column price\.amount is a floating-point number/,
      ],
      [
        'a query that writes behind a function',
        (section) => {
          products(section).query = 'select schreibe() as id, artikel.* from artikel where {filter}';
        },
        { kind: 'refused', outcome: 'not-applied' },
        /A list query must only read/,
      ],
      [
        'a query that takes too long',
        (section) => {
          products(section).query = `select ${slow} as id from artikel where {filter}`;
        },
        { kind: 'unavailable', outcome: 'not-applied' },
        /lists\.products\.query|statement timeout/,
      ],
    ])('a bad answer of a database is reported with its place and fix: %s', async (_what, change, facts, told) => {
      const writes = 'insert into kunde (name) values (now())';
      await database.admin(
        engine === 'postgres'
          ? `create or replace function schreibe() returns int language sql volatile as $$ ${writes}; select 1 $$`
          : 'create function if not exists schreibe() returns int modifies sql data begin insert into kunde (name) values (now()); return 1; end; grant execute on warenwirtschaft.* to bridge',
      );
      const failure = await listing(change)();
      expect(failure).toMatchObject(facts);
      expect(failure.message).toMatch(told);
      expect(failure.message).not.toContain(PASSWORD);
    });

    if (engine === 'postgres') {
      it('a value of an unknown type is reported by its name', async () => {
        const erp = await open((section) => {
          section.writes['order-create']?.unshift({
            sql: "select 1 where :customer.id is null and :status = 'reserved'",
          });
        });
        const failure = await failureOf(erp.createOrder(draftOf(HAS, 'reserved', '1')));
        expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
        expect(failure.message).toMatch(
          /parameter :customer\.id" \(42P18\) to erp\.writes\.order-create\[0\].* Cast that value/,
        );
      });
    }

    it('a cancelled query does not go on in the database', async () => {
      const erp = await open((section) => {
        section['timeout'] = '30s';
        products(section).query = `select ${slow} as id from artikel where {filter}`;
      });
      const running = async () =>
        database.admin(
          engine === 'postgres'
            ? "select 1 from pg_stat_activity where usename = 'bridge' and state = 'active'"
            : "select 1 from information_schema.processlist where user = 'bridge' and info like '%sleep(30)%'",
        );
      const stop = new AbortController();
      const listed = failureOf(Array.fromAsync(erp.listProducts(null, stop.signal)));
      await expect.poll(async () => (await running()).length).toBeGreaterThan(0);
      stop.abort();
      expect(await listed).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
      await expect.poll(async () => (await running()).length, { timeout: 5_000 }).toBe(0);
    });

    it('rows that a join doubles are rejected where they differ, and count as one where they are equal', async () => {
      const erp = await open((section) => {
        products(section).query = products(section).query.replace(
          'from artikel',
          'from artikel join lager using (art_id)',
        );
        section.lists['stock'] = {
          query: `select a.art_id as product_id, a.artnr as sku, l.bestand as on_hand, 0 as reserved
            from artikel a join lager l on l.art_id = a.art_id where {filter}`,
        };
      });
      const [row] = (await Array.fromAsync(erp.listProducts(null))).flatMap(({ items }) => items);
      expect(await erp.findProducts?.(row?.sku ?? '')).toHaveLength(1);
      const { items, invalidRows } = await erp.readStock(HAS.skus);
      expect(items).toEqual([]);
      expect(new Set(invalidRows.map(({ sku }) => sku))).toEqual(new Set(HAS.skus));
      expect(invalidRows[0]).toMatchObject({
        contradicts: true,
        message: expect.stringContaining('subquery') as string,
      });
    });

    it('an expression makes a field, and a row on which it fails is set aside with its id', async () => {
      const erp = await open((section) => {
        products(section).row = {
          name: '$uppercase(name)',
          price: { amount: 'id = "7" ? $error("no price") : price.amount' },
        };
      });
      const pages = await Array.fromAsync(erp.listProducts(null));
      const items = pages.flatMap((page) => page.items);
      expect(items).toHaveLength(LIST_OF_ALL - 1);
      expect(items[0]?.name).toBe('ARTIKEL NR. 1 ÄÖÜ ✓');
      expect(items[0]?.price.currency).toBe('EUR');
      expect(pages.flatMap(({ invalidRows }) => invalidRows)).toMatchObject([
        { id: '7', message: expect.stringContaining('no price') },
      ]);
    });

    it('a list has one instant, whatever is changed while it is read, and later changes are in the next list', async () => {
      const erp = await open();
      const seen: string[] = [];
      let asOf = '';
      let complete = false;
      for await (const page of erp.listProducts(null)) {
        if (seen.length === 0) {
          await database.admin(`update artikel set bez = 'anders', geaendert = now() where art_id = ${LIST_OF_ALL}`);
          await database.admin(`insert into artikel (art_id, artnr, bez, vk_cent) values (99999, 'NEU', 'neu', 1)`);
        }
        asOf = page.asOf;
        complete = page.complete;
        seen.push(...page.items.map(({ id, name }) => `${id} ${name}`));
      }
      expect([seen.length, seen.at(-1), complete]).toEqual([
        LIST_OF_ALL,
        `${LIST_OF_ALL} Artikel Nr. ${LIST_OF_ALL} äöü ✓`,
        true,
      ]);
      const changed = (await Array.fromAsync(erp.listProducts(asOf))).flatMap(({ items }) => items);
      expect(changed.map(({ id }) => id)).toEqual(expect.arrayContaining([String(LIST_OF_ALL), '99999']));
      await database.admin('delete from artikel where art_id = 99999');
    });
  });

  describe(`a write to ${engine} is there as a whole, or not at all:`, () => {
    const draft = () => draftOf(HAS, 'reserved', '2');

    it('a connection that breaks before the commit means that the write was not applied', async () => {
      const erp = await open();
      const before = await orders();
      door.onSend = (text) => (text.includes('insert into auftrag_pos') ? 'cut before' : 'pass');
      const failure = await failureOf(erp.createOrder(draft()));
      door.onSend = () => 'pass';
      expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
      expect(await orders()).toBe(before);
    });

    it('a connection that breaks during the commit leaves the write in doubt, and it is found complete or not at all', async () => {
      const erp = await open();
      for (const way of ['cut before', 'cut after'] as const) {
        const wanted = draft();
        door.onSend = (text) => (/\bcommit\b/.test(text) ? way : 'pass');
        const failure = await failureOf(erp.createOrder(wanted));
        door.onSend = () => 'pass';
        expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
        await expect.poll(() => erp.findOrders(wanted.reference)).toHaveLength(way === 'cut after' ? 1 : 0);
        const made = await erp.createOrder(wanted);
        expect(await erp.findOrders(wanted.reference)).toEqual([made]);
      }
    });

    it('an article that is unknown in the database means that the write was not applied, and is rolled back', async () => {
      const erp = await open();
      const before = await orders();
      const wanted = draft();
      const [line] = wanted.lines;
      const failure = await failureOf(
        erp.createOrder({ ...wanted, lines: [...wanted.lines, { ...line, sku: 'NO' } as never] }),
      );
      expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
      expect(failure.message).toMatch(
        /erp\.writes\.order-create\[1\] changed or found 0 rows.*The article is not known there/,
      );
      expect(await orders()).toBe(before);
    });

    it('a record that cannot be read back is rolled back', async () => {
      const erp = await open((section) => {
        const list = section.lists['orders'] ?? { query: '' };
        list.query = list.query.replace("'EUR' as currency", "'' as currency");
      });
      const before = await orders();
      const failure = await failureOf(erp.createOrder(draft()));
      expect(failure).toMatchObject({ kind: 'invalid-answer', outcome: 'not-applied' });
      expect(failure.message).toMatch(/erp\.finds\.order.* does not fit at currency/);
      expect(await orders()).toBe(before);
    });

    it('a value that its column cannot store is refused, not truncated', async () => {
      const erp = await open();
      const wanted = draft();
      const failure = await failureOf(erp.createOrder({ ...wanted, total: wanted.total.times('1e20') }));
      expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
      expect(failure.message).toMatch(/does not fit its column/);
    });

    it('a lock of another client is waited for no longer than the limit, and nothing is written', async () => {
      const erp = await open();
      const made = await erp.createOrder(draft());
      const held = database.admin(
        `begin; update auftrag set bemerkung = 'offen' where auf_id = ${made.id}; select ${slow.replace('30', '3')}; commit`,
      );
      const locking = `select 1 from auftrag where auf_id = ${made.id} for update nowait`;
      await expect
        .poll(() =>
          database.admin(locking).then(
            () => 'free',
            () => 'held',
          ),
        )
        .toBe('held');
      expect(await failureOf(erp.updateOrder(made.id, { status: 'cancelled' }))).toMatchObject({
        kind: 'unavailable',
        outcome: 'not-applied',
        message: expect.stringContaining('Another transaction holds a lock on these rows') as string,
      });
      await held;
      expect((await erp.getOrder(made.id))?.status).toBe('reserved');
      expect((await erp.updateOrder(made.id, { status: 'cancelled' })).status).toBe('cancelled');
    });

    it('an order that waits for a lock delays no other order, and its failure names the lock', async () => {
      const erp = await open((section) => {
        section['timeout'] = '30s';
      });
      const locking = "select 1 from artikel where artnr = 'ART-0009' for update";
      // It is shorter than the time-out, so whoever waited for its end would get the lock.
      database.admin(`begin; ${locking}; select ${slow.replace('30', '12')}; commit`).catch(() => {});
      const lock = () =>
        database.admin(`${locking} nowait`).then(
          () => 'free',
          () => 'held',
        );
      await expect.poll(lock).toBe('held');
      // The first write of a new connection has the only place.
      const locked = failureOf(erp.createOrder(draftOf({ ...HAS, skus: ['ART-0009', 'ART-0001'] }, 'reserved', '1')));
      const others = [draft(), draft(), draft()].map((one) => erp.createOrder(one));
      expect((await Promise.all(others)).map(({ status }) => status)).toEqual(others.map(() => 'reserved'));
      expect(await locked).toMatchObject({
        kind: 'unavailable',
        outcome: 'not-applied',
        lock: { shownBy: expect.any(String) as string },
        message: expect.stringContaining('Another transaction holds a lock on these rows') as string,
      });
      expect(await lock()).toBe('held');
    });

    it('a database server that was down is used again by the next call', async () => {
      const erp = await open();
      await erp.ping();
      await database.kill();
      expect(await failureOf(erp.ping())).toMatchObject({ kind: 'unavailable' });
      await database.revive();
      expect((await erp.ping()).name).toBe(engine === 'postgres' ? 'PostgreSQL' : 'MariaDB');
    });
  });
}
