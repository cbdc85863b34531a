import { beforeEach, describe, expect, test } from 'vitest';
import { createExclusive } from '../../../src/daemon/worker/exclusive.ts';
import { cause } from '../../../src/domain/causes/cause.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { InvalidRow } from '../../../src/erp/connector.ts';
import type { AccountContext } from '../../../src/flows/engine/context.ts';
import { act, type Planned } from '../../../src/flows/engine/decision.ts';
import type { Flow, Result } from '../../../src/flows/engine/flow.ts';
import { observePolicy } from '../../../src/flows/engine/observe-policy.ts';
import { runOf } from '../../../src/flows/engine/run.ts';
import { FLOW_RUNS } from '../../../src/flows/runs.ts';
import { recordErpStock, recordInvalidErpRows } from '../../../src/shadow/erp-shadow.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';
import { told } from '../../support/causes.ts';
import { until } from '../../support/stage.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const look = (key: string) => ({ key, lane: 'poll', signal: new AbortController().signal }) as const;

describe('brakes over many keys at once', () => {
  const KEYS = ['P-1', 'P-2', 'P-3', 'P-4', 'P-5', 'P-6'];

  /** Six listings whose products the ERP has deleted. */
  beforeEach(async () => {
    const { store } = shelf();
    const gone = KEYS.map((id) => erpProduct({ id, sku: `SKU ${id}`, deleted: true }));
    await store.erp.recordProducts('main', gone, { listing: null, lane: 'poll' });
    for (const [index, erpId] of KEYS.entries()) {
      await store.products.record(productBatch([product({ id: 70 + index, sku: `SKU ${erpId}`, externalId: erpId })]));
      const link = { account: 'main', kind: 'product', marketplaceId: String(70 + index), erpId, how: 'sku' } as const;
      await store.mappings.link(link);
    }
  });

  function archiving(
    archive: (id: number) => unknown,
    brakes: Record<string, unknown>,
    exclusively: AccountContext['exclusively'] = createExclusive(),
  ) {
    const call = async (operation: string, { path }: { path: { id: number } }) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (operation !== 'products.archive') throw new Error('only archiving is answered');
      return archive(path.id);
    };
    const client = { call } as unknown as AccountContext['client'];
    const context = { ...accountContext(shelf().store, accountConfig({ brakes }), { client }), exclusively };
    const reconcile = (key: string): Promise<Result> =>
      FLOW_RUNS.product.reconcile(context, look(key), (action) =>
        observePolicy({ ...context, now: () => shelf().nowMs }, { flow: 'product', key }, false, action),
      );
    return reconcile;
  }

  test('the brake archives nothing beyond its limit, however many keys are reconciled at once', async () => {
    const archived: number[] = [];
    const reconcile = archiving((id) => void archived.push(id), { archive: { count: 3, percent: '100' } });
    const results = await Promise.all(KEYS.map(reconcile));
    expect(archived).toEqual([]);
    expect(results.every(({ state }) => state === 'held')).toBe(true);
    expect(results[0]).toMatchObject({
      causes: [
        {
          code: 'brake-plan',
          params: { exceeds: cause('too-many-writes', { count: 6, span: 'pass', most: 3 }), plan: 1 },
        },
      ],
    });
  });

  test('an archive with a lost answer counts for the brake: it may have been applied', async () => {
    const facts = { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' } as const;
    let sent = 0;
    const reconcile = archiving(
      () => {
        sent += 1;
        throw new CallFailure('the connection broke', facts);
      },
      { archive: { count: 3, percent: '100' } },
    );
    await shelf().takeWork();
    for (const key of KEYS) await reconcile(key).catch(() => null);
    expect(sent).toBe(3);
  });

  test('a write that the awaited read made needless is not counted, and holds no other write', async () => {
    const archived: number[] = [];
    const alone = createExclusive();
    let waiting = 0;
    const exclusively: AccountContext['exclusively'] = (keys, work) => {
      if (keys.includes('read:erp-products')) waiting += 1;
      return alone(keys, work);
    };
    const brakes = { archive: { count: 5, percent: '100' } };
    const reconcile = archiving((id) => void archived.push(id), brakes, exclusively);
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const reading = alone(['read:erp-products'], async () => {
      await gate;
      const back = erpProduct({ id: 'P-1', sku: 'SKU P-1', deleted: false, changedAt: at(1) });
      await shelf().store.erp.recordProducts('main', [back], { listing: null, lane: 'poll' });
    });
    const results = KEYS.map(reconcile);
    await until('all wait for the read', () => waiting === KEYS.length);
    open();
    await reading;
    await Promise.allSettled(results);
    expect(archived.toSorted((a, b) => a - b)).toEqual([71, 72, 73, 74, 75]);
  });

  test.each([
    ['stays on record when it was answered with 429: it may have arrived once before', 429, ['refused']],
    ['leaves nothing on record when our own quota had no room for it: it was not sent', null, []],
  ])('an archive %s', async (_, status, outcomes) => {
    const facts = { side: 'marketplace', kind: 'rate-limited', outcome: 'not-applied', status } as const;
    const reconcile = archiving(
      () => {
        throw new CallFailure('no room', facts);
      },
      { archive: { count: 3, percent: '100' } },
    );
    await shelf().takeWork();
    await expect(reconcile('P-1')).rejects.toThrow('no room');
    const journal = await shelf().store.journal.of('main', 'product', 'P-1', 10);
    expect(journal.filter(({ action }) => action === 'product.archive:archive').map(({ outcome }) => outcome)).toEqual(
      outcomes,
    );
  });
});

test('a confirmation of an earlier write that has no effect is not repeated as a plain write', async () => {
  const write = { action: 'stock.write', target: 'listing 70', before: '94', after: '32', why: 'the ERP has 32' };
  let sent = 0;
  const run = runOf({
    name: 'stock',
    observe: async () => sent,
    decide: (times) => act([times === 0 ? { ...write, confirms: true } : write]),
    async apply() {
      sent += 1;
      return { outcome: 'written', answer: 'taken' };
    },
  });
  const free = async () => ({ dryRun: false, paused: null, brake: null });
  const result = await run.reconcile(accountContext(shelf().store, accountConfig()), look('P-1'), free);
  expect(result).toMatchObject({ state: 'held', written: 1, causes: [{ code: 'write-without-effect' }] });
  expect(sent).toBe(1);
});

describe('a write that is decided again in the same look', () => {
  /** A flow that writes what is wanted, where each write brings the next wish. */
  async function looked(wishes: readonly string[], hasEffect: boolean) {
    const writes: string[] = [];
    let shown = '986';
    const flow: Flow<{ readonly before: string; readonly after: string }, Planned> = {
      name: 'stock',
      observe: async () => ({ before: shown, after: wishes[Math.min(writes.length, wishes.length - 1)] ?? shown }),
      decide: ({ before, after }) => {
        const action = { action: 'stock.write', target: 'listing 8', before, after, why: 'the ERP has it' };
        return { actions: before === after ? [] : [action], holds: [], alerts: [], lookAgainMs: null };
      },
      apply: async (_context, _look, { after }) => {
        writes.push(after ?? '');
        if (hasEffect) shown = after ?? '';
        return { outcome: 'written', answer: 'ok' };
      },
    };
    const context = accountContext(shelf().store, accountConfig({}), {});
    const signal = new AbortController().signal;
    const policy = async () => ({ dryRun: false, paused: null, brake: null });
    const result = await runOf(flow).reconcile(context, { key: 'P-1', lane: 'poll', signal }, policy);
    return { result, writes };
  }

  test('a write is repeated in one attempt if the side returned to the old value in between', async () => {
    const { result, writes } = await looked(['988', '986', '988'], true);
    expect(writes).toEqual(['988', '986', '988']);
    expect(result.state).toBe('in-sync');
  });

  test('a write is not repeated in one attempt if the side never had its value', async () => {
    const { result, writes } = await looked(['988'], false);
    expect(writes).toEqual(['988']);
    expect(result).toMatchObject({ state: 'held', causes: [{ code: 'write-without-effect' }] });
  });
});

describe('rows of the ERP that do not fit hold what they are about, until a row fits', () => {
  const invalidRow = (changes: Partial<InvalidRow>): InvalidRow => ({
    what: 'P-1',
    id: 'P-1',
    sku: null,
    path: 'price.amount',
    message: 'expected a decimal',
    ...changes,
  });
  const context = () => accountContext(shelf().store, accountConfig());
  const holdOf = async (flow: keyof typeof FLOW_RUNS, key: string) =>
    told((await FLOW_RUNS[flow].plan(context(), key)).holds);

  test('an invalid row of a product holds the product, also one that was never valid', async () => {
    await shelf().store.facts.set('main', 'listings-known', 'yes');
    await recordInvalidErpRows(context(), 'erp-products', [invalidRow({})], 'poll');
    expect(await shelf().takeWork()).toEqual(['product P-1']);
    expect(await holdOf('product', 'P-1')).toBe('erp-product-invalid {"problem":"price.amount: expected a decimal"}');
    await shelf().store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
    expect(await shelf().takeWork()).toContain('product P-1');
    expect(await holdOf('product', 'P-1')).toBe('');
  });

  test('a product is released when its earlier valid row is read again', async () => {
    const products = () => shelf().store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
    await products();
    await recordInvalidErpRows(context(), 'erp-products', [invalidRow({})], 'poll');
    await shelf().takeWork();
    await products();
    expect(await shelf().takeWork()).toEqual(['product P-1']);
    expect(await shelf().store.invalidRows.list('main')).toEqual([]);
  });

  test('a stock row of which only the SKU is readable holds the product until a row is valid', async () => {
    const { store } = shelf();
    await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
    await store.products.record(productBatch([product()]));
    await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
    const page = {
      items: [stockRow({ available: d('90'), onHand: d('90') })],
      invalidRows: [],
      asOf: at(1),
      complete: true,
    };
    await recordErpStock(context(), page, 'poll');
    await shelf().takeWork();
    const broken = {
      ...page,
      items: [],
      invalidRows: [invalidRow({ id: null, sku: 'SB-1', path: 'on_hand' })],
      asOf: at(2),
    };
    await recordErpStock(context(), broken, 'poll');
    expect(await shelf().takeWork()).toEqual(['stock P-1']);
    expect(await holdOf('stock', 'P-1')).toBe(
      'stock-invalid {"product":"SKU SB-1","problem":"on_hand: expected a decimal"}',
    );
    await recordErpStock(context(), { ...page, asOf: at(3) }, 'poll');
    expect(await shelf().takeWork()).toEqual(['stock P-1']);
    expect(await holdOf('stock', 'P-1')).toBe('');
  });

  test('an invalid row of an ERP order holds the order and its marketplace order', async () => {
    const { store } = shelf();
    await store.orders.record(orderBatch([order({ externalId: 'E-1' })]));
    await store.erp.recordOrders('main', [erpOrder()], 'poll');
    await store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' });
    await shelf().takeWork();
    await recordInvalidErpRows(context(), 'erp-orders', [invalidRow({ what: 'E-1', id: 'E-1' })], 'poll');
    expect(await shelf().takeWork()).toEqual(['order-in o-1', 'order-out E-1']);
    expect(await holdOf('order-in', 'o-1')).toContain('erp-order-invalid');
    expect(await holdOf('order-out', 'E-1')).toBe('');
    await store.erp.recordOrders('main', [erpOrder()], 'poll');
    expect(await shelf().takeWork()).toEqual(['order-in o-1']);
    expect(await holdOf('order-in', 'o-1')).not.toContain('invalid-answer');
  });

  test('a row without an id is logged, and holds no entity', async () => {
    await recordInvalidErpRows(context(), 'erp-orders', [invalidRow({ what: 'row 3 of a page', id: null })], 'poll');
    expect(await shelf().takeWork()).toEqual([]);
    expect(await shelf().store.invalidRows.list('main')).toMatchObject([{ what: 'row 3 of a page' }]);
  });
});
