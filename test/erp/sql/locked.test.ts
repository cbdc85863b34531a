import { expect, onTestFinished } from 'vitest';
import { handleJob } from '../../../src/daemon/worker/handle.ts';
import { createHealth } from '../../../src/daemon/worker/health.ts';
import { type Cause, cause, shownCause } from '../../../src/domain/causes/cause.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { LASTING } from '../../../src/flows/engine/locks.ts';
import { STATE_SHOWN } from '../../../src/flows/order/in/tax-state.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import type { WorkRow } from '../../../src/store/work.ts';
import { accountConfig, accountContext } from '../../flows/account.ts';
import {
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  type Shelf,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { needing } from '../../support/needing.ts';
import { type Engine, openForeign, sectionOf, startForeign } from './foreign.ts';

/* A row of the ERP's database that somebody locks for hours. The database, the connector and the flow of orders are real. */

const shelf = useShelf();
const MINUTE_MS = 60_000;
const SINCE = '2026-11-29T08:10:00Z';
const MARKETPLACE = {
  call: async (_: string, { path, body }: { path: { number: string }; body?: { external_id?: string } }) => ({
    number: path.number,
    external_id: body?.external_id,
  }),
};

/** One order for each of these articles, all of them listed and linked. */
async function seedOrders({ store }: Shelf, skus: readonly string[]): Promise<void> {
  await store.strategies.comeIntoForce('main', 'submitted-available', 'a test');
  await store.facts.set('main', STATE_SHOWN, 'o-0');
  for (const [index, sku] of skus.entries()) {
    const [id, listingId] = [`${index + 1}`, 70 + index];
    await store.erp.recordProducts('main', [erpProduct({ id, sku })], { listing: 1, lane: 'poll' });
    await store.erp.recordStock('main', [stockRow({ productId: id, sku })], 'poll');
    await store.products.record(productBatch([product({ id: listingId, sku, externalId: id })]));
    const link = { account: 'main', kind: 'product', marketplaceId: String(listingId), erpId: id, how: 'sku' } as const;
    await store.mappings.link(link);
    const lines = [line({ id: index + 1, productId: listingId })];
    await store.orders.record(orderBatch([order({ number: sku, lines, status: 'Accepted' })]));
  }
}

/** A worker that looks at one order, with the clock of the shelf. */
async function openWorker(engine: Engine, database: TestDatabase) {
  const { store } = shelf();
  const erp = await openForeign(
    sectionOf(engine, database.port, (section) => {
      for (const list of Object.values(section.lists)) list.query = list.query.replaceAll("'EUR'", "'USD'");
    }),
  );
  onTestFinished(() => erp.close());
  let creates = 0;
  const counting = Object.assign(Object.create(erp) as typeof erp, {
    createOrder: (...asked: Parameters<typeof erp.createOrder>) => {
      creates += 1;
      return erp.createOrder(...asked);
    },
  });
  const context = accountContext(store, accountConfig({ orders: { on_unmapped_customer: 'pass' } }), {
    erp: counting,
    client: MARKETPLACE as unknown as AccountContext['client'],
    now: () => shelf().nowMs,
  });
  const handling = {
    accounts: new Map([['main', context]]),
    dryRun: false,
    health: createHealth(() => shelf().nowMs),
    log: createLogger({ level: 'silent', secrets: [] }),
    ended: () => {},
    onResult: () => {},
  };
  const attempt = { signal: new AbortController().signal, number: 8, isLast: true };
  return {
    creates: () => creates,
    look: (key: string) => handleJob(handling, { account: 'main', name: 'order-in', key, lane: 'poll' }, attempt),
    row: (key: string) => store.work.get({ account: 'main', flow: 'order-in', key }),
  };
}

/** Somebody opens a form with this article, and goes home. */
async function leaveOpen(engine: Engine, database: TestDatabase, sku: string): Promise<void> {
  const row = `select 1 from artikel where artnr = '${sku}' for update`;
  const stays = engine === 'postgres' ? 'pg_sleep(600)' : 'sleep(600)';
  database.admin(`begin; ${row}; select ${stays}; commit`).catch(() => {});
  const lock = () =>
    database.admin(`${row} nowait`).then(
      () => 'free',
      () => 'held',
    );
  await expect.poll(lock).toBe('held');
}

const causesOf = (row: WorkRow | null): readonly Cause[] => row?.heldFor ?? [];

async function locked(engine: Engine): Promise<void> {
  const database = await startForeign(engine, 2);
  onTestFinished(() => database.stop());
  const { store } = shelf();
  await seedOrders(shelf(), ['ART-0001', 'ART-0002']);
  const { look, row, creates } = await openWorker(engine, database);
  const inErp = async () =>
    (await database.admin('select markt_nr from auftrag order by 1')).map((one) => one['markt_nr']);
  await leaveOpen(engine, database, 'ART-0001');

  expect(await look('ART-0001')).toEqual({ delayMs: 3_000 });
  const tried = await row('ART-0001');
  expect(tried).toMatchObject({
    state: 'pending',
    heldFor: [{ code: 'tried-again', params: { lock: { refusals: 1 } } }],
  });
  expect(await look('ART-0002')).toBe('done');
  expect(await inErp()).toEqual(['ART-0002']);

  const [first] = causesOf(tried) as [Cause & { code: 'tried-again' }];
  const long = cause('tried-again', { ...first.params, lock: { since: SINCE, refusals: LASTING - 1 } });
  await store.work.tried({ account: 'main', flow: 'order-in', key: 'ART-0001' }, tried?.version ?? 0, long);
  const held = { state: 'held', heldFor: [{ code: 'erp-record-locked', params: { since: SINCE } }] };
  expect(await look('ART-0001')).toBe('done');
  expect(await row('ART-0001')).toMatchObject(held);

  const lookAgain = async (afterMs: number) => {
    shelf().nowMs += afterMs;
    await store.work.release({});
    return look('ART-0001');
  };
  const before = creates();
  expect(await lookAgain(MINUTE_MS)).toBe('done');
  expect(await row('ART-0001')).toMatchObject(held);
  expect(creates()).toBe(before);
  expect(await lookAgain(4 * MINUTE_MS)).toBe('done');
  expect(await row('ART-0001')).toMatchObject(held);
  expect(creates()).toBe(before + 1);

  const [hold] = causesOf(await row('ART-0001')) as [Cause & { code: 'erp-record-locked' }];
  const { shownBy, endedBy } = hold.params;
  const { text, next, turn } = shownCause(hold);
  expect([turn, next.includes(shownBy), next.includes(endedBy)]).toEqual(['erp', true, true]);
  expect(text).toMatch(/to erp\.writes\.order-create\[1\] when asked to create .* since 2026-11-29T08:10:00Z$/);
  if (engine === 'postgres') expect(text).toContain('in relation "artikel"');
  const [session] = await database.admin(shownBy);
  await database.admin(endedBy.replace(/P?ID/, String(session?.['pid'] ?? session?.['id'])));

  expect(await lookAgain(5 * MINUTE_MS)).toBe('done');
  expect(await inErp()).toEqual(['ART-0001', 'ART-0002']);
  expect(causesOf(await row('ART-0001'))).toEqual([]);
}

for (const engine of ['postgres', 'mariadb'] as const) {
  needing(engine).test(
    `${engine}: an order that meets a lasting lock is held with an alert, delays no other, and is entered after its next step`,
    () => locked(engine),
    60_000,
  );
}
