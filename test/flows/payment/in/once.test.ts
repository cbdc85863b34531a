import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CallFailure, type Outcome } from '../../../../src/domain/failure.ts';
import type { ErpPayment, ErpPaymentDraft } from '../../../../src/erp/connector.ts';
import type { AccountContext } from '../../../../src/flows/engine/context.ts';
import type { Result } from '../../../../src/flows/engine/flow.ts';
import { FLOW_RUNS } from '../../../../src/flows/runs.ts';
import type { ListPage } from '../../../../src/marketplace/page.ts';
import { COLLECTIONS } from '../../../../src/shadow/collections.ts';
import type { Look } from '../../../../src/shadow/context.ts';
import { readErpPayments } from '../../../../src/shadow/read-erp.ts';
import { readPayments } from '../../../../src/shadow/read-payments.ts';
import { at, d, order, orderBatch, type Shelf, useShelf } from '../../../store/shelf.ts';
import { accountConfig, accountContext } from '../../account.ts';

const shelf = useShelf();
const TIMEOUT_MS = 1_000;
const LOOK = { lane: 'poll', signal: new AbortController().signal } as const;

/**
 * The fate of a create: answered; applied, with its answer lost; lost before it was applied; applied late, after it was given
 * up; refused.
 */
const FATES = ['answered', 'applied', 'lost', 'late', 'refused'] as const;
type Fate = (typeof FATES)[number];

/** A side without idempotency keys that gives each payment an id. The test decides the fate of the next create. */
function side<Draft>(now: () => number) {
  const rows: { readonly id: number; draft: Draft }[] = [];
  const late: { draft: Draft; atMs: number }[] = [];
  let fate: Fate = 'answered';
  const fail = (outcome: Outcome) => new CallFailure('no answer', { side: 'erp', kind: 'unavailable', outcome });
  const add = (draft: Draft) => {
    rows.push({ id: rows.length + 1, draft });
    return rows.length;
  };
  return {
    rows,
    willBe(next: Fate) {
      fate = next;
    },
    create(draft: Draft): number {
      const mine = fate;
      fate = 'answered';
      if (mine === 'refused') throw fail('not-applied');
      if (mine === 'late') late.push({ draft, atMs: now() + TIMEOUT_MS });
      if (mine === 'answered' || mine === 'applied') add(draft);
      if (mine !== 'answered') throw fail('unknown');
      return rows.length;
    },
    /** Applies requests that timed out long ago. */
    arrive() {
      for (const one of late.filter(({ atMs }) => atMs <= now())) {
        late.splice(late.indexOf(one), 1);
        add(one.draft);
      }
    },
  };
}

interface OrderPayment {
  readonly order: string;
  readonly total: string;
  readonly payment_type: string;
  readonly payment_date: string | null;
}

/** Both sides and the account between them, over the real store; each account is a world of its own. */
function open(clock: Shelf, account: string) {
  const { store } = clock;
  const faults = { unreadable: false };
  const marketplace = side<OrderPayment>(() => clock.nowMs);
  const erp = side<ErpPaymentDraft>(() => clock.nowMs);
  const shownErp = (): ErpPayment[] =>
    erp.rows.map(({ id, draft }) => ({ ...draft, id: `PAY-${id}`, voided: false, changedAt: at(0) }));
  const base = accountConfig({
    marketplace: {
      base_url: 'http://marketplace.test',
      auth: { scheme: 'app', key: 'a-key' },
      seller_id: 4711,
      timeout: `${TIMEOUT_MS}ms`,
    },
    erp: { type: 'http', url: 'http://erp.test', token: 'a-token', timeout: `${TIMEOUT_MS}ms` },
    payments: { to_marketplace: true, to_erp: true },
  });
  const config = { ...base, name: account };
  const listed = () => {
    if (faults.unreadable) {
      faults.unreadable = false;
      throw new CallFailure('no answer', { side: 'marketplace', kind: 'unavailable', outcome: 'not-applied' });
    }
    const rows = marketplace.rows.map(({ id, draft }) => ({ id, ...draft, currency: 'USD', created_date: at(id) }));
    return { count: rows.length, more: false, rows, invalidRows: [], raw: rows } satisfies ListPage<unknown>;
  };
  const sides = {
    client: {
      list: async () => listed(),
      call: async (_: string, { body }: { body: OrderPayment }) => ({ id: marketplace.create(body) }),
    },
    erp: {
      ping: async () => ({ name: 'ERP', version: '1', time: '2999-01-01T00:00:00Z' }),
      async *listPayments() {
        const items = shownErp().map((row) => ({ ...row, marketplaceId: row.marketplaceId || null }));
        yield { items, invalidRows: [], asOf: at(0), complete: true };
      },
      findPayments: async (id: string) => shownErp().filter((row) => row.marketplaceId === id),
      createPayment: async (draft: ErpPaymentDraft) => {
        const id = erp.create(draft);
        return shownErp().find((row) => row.id === `PAY-${id}`);
      },
    },
  } as unknown as Pick<AccountContext, 'client' | 'erp'>;
  const context: AccountContext = {
    ...accountContext(store, config, { ...sides, now: () => clock.nowMs }),
    readNow: (collection, asked) => COLLECTIONS[collection].changes(context, asked) as Promise<void>,
  };
  const readErp = () => readErpPayments(context, look('all'));
  return { faults, marketplace, erp, context, readErp, readMarketplace: () => readPayments(context, look('all')) };
}
type World = ReturnType<typeof open>;

const look = (key: string): Look => ({ key, ...LOOK });
const policy = async () => ({ dryRun: false, paused: null, brake: null });

async function reconcile({ context }: World, flow: 'payment-in' | 'payment-out', key: string): Promise<Result | null> {
  try {
    return await FLOW_RUNS[flow].reconcile(context, look(key), policy);
  } catch (error) {
    if (error instanceof CallFailure) return null;
    throw error;
  }
}

async function lookAtAll(world: World): Promise<(Result | null)[]> {
  const results: (Result | null)[] = [];
  for (const { id } of world.erp.rows) results.push(await reconcile(world, 'payment-out', `PAY-${id}`));
  for (const { id } of world.marketplace.rows) results.push(await reconcile(world, 'payment-in', String(id)));
  return results;
}

const step = fc.record({
  side: fc.constantFrom('marketplace', 'erp'),
  nth: fc.nat({ max: 3 }),
  fate: fc.constantFrom(...FATES),
  passesMs: fc.constantFrom(0, 300, 1_200, 2_500),
  unreadable: fc.boolean(),
  read: fc.constantFrom('neither', 'marketplace', 'erp', 'both'),
});

/** Cash comes in at the ERP, and wires at the marketplace. A payment on both sides would count as the same one. */
const received = fc.record({
  cash: fc.array(fc.constantFrom('50.00', '20.00'), { maxLength: 3 }),
  wires: fc.array(fc.constantFrom('50.00', '30.00'), { maxLength: 3 }),
});

function cashOf(amount: string): ErpPaymentDraft {
  const paid = { reference: 'o-1', currency: 'USD', method: 'Cash', receivedAt: at(0), marketplaceId: '' };
  return { ...paid, amount: d(amount) };
}

let runs = 0;

/** A new world with one order on both sides. */
async function begin(): Promise<World> {
  runs += 1;
  const world = open(shelf(), `run${runs}`);
  const { account, store } = world.context;
  await store.orders.record({ ...orderBatch([order()]), account });
  await store.mappings.link({ account, kind: 'order', marketplaceId: 'o-1', erpId: 'SO-1', how: 'created' });
  const sale = { id: 'SO-1', reference: 'o-1', origin: 'marketplace', status: 'draft', customer: {} } as const;
  const money = { currency: 'USD', discount: d('0'), shipping: d('0'), tax: d('0'), total: d('99') };
  await store.erp.recordOrders(account, [{ ...sale, ...money, lines: [], note: '', changedAt: at(0) }], 'poll');
  return world;
}

test('each payment is recorded once on the other side although answers are lost, late or refused', async () => {
  const property = fc.asyncProperty(received, fc.array(step, { maxLength: 10 }), async ({ cash, wires }, steps) => {
    const world = await begin();
    const { marketplace, erp } = world;
    for (const amount of cash) erp.create(cashOf(amount));
    for (const total of wires) {
      marketplace.create({ order: 'o-1', total, payment_type: 'wire', payment_date: at(0) });
    }
    await world.readErp();
    await world.readMarketplace();

    for (const { side: of, nth, fate, passesMs, unreadable, read } of steps) {
      (of === 'erp' ? marketplace : erp).willBe(fate);
      world.faults.unreadable = unreadable;
      if (of === 'erp') await reconcile(world, 'payment-out', `PAY-${nth + 1}`);
      else await reconcile(world, 'payment-in', String(nth + 1));
      world.faults.unreadable = false;
      shelf().nowMs += passesMs;
      marketplace.arrive();
      erp.arrive();
      if (read === 'marketplace' || read === 'both') await world.readMarketplace();
      if (read === 'erp' || read === 'both') await world.readErp();
    }
    for (const each of [marketplace, erp]) each.willBe('answered');
    for (let round = 0; round < 4; round += 1) {
      shelf().nowMs += 5_000;
      marketplace.arrive();
      erp.arrive();
      await world.readMarketplace();
      await world.readErp();
      await lookAtAll(world);
    }
    const expected = [...cash.map((amount) => `cash ${amount}`), ...wires.map((amount) => `wire ${amount}`)].toSorted();
    const there = marketplace.rows.map(({ draft }) => `${draft.payment_type} ${draft.total}`).toSorted();
    const here = erp.rows.map(({ draft }) => `${draft.method?.toLowerCase()} ${draft.amount.toFixed(2)}`).toSorted();
    expect({ there, here }).toEqual({ there: expected, here: expected });
    expect(await lookAtAll(world)).toEqual(
      expected.flatMap(() => [1, 2]).map(() => ({ state: 'in-sync', written: 0, lookAgainMs: null })),
    );
  });
  await fc.assert(property, { numRuns: 25 });
});

/** Two equal payments of the ERP. Both are known, and the marketplace has none yet. */
async function twoEqual(): Promise<World> {
  const world = await begin();
  for (const amount of ['50.00', '50']) world.erp.create(cashOf(amount));
  await world.readErp();
  await world.readMarketplace();
  return world;
}

test('the second of two equal payments waits until the outcome of the first is known', async () => {
  const world = await twoEqual();
  const { marketplace } = world;
  for (const key of ['PAY-1', 'PAY-2']) {
    marketplace.willBe('applied');
    expect(await reconcile(world, 'payment-out', key)).toBeNull();
    if (key === 'PAY-2') break;
    const causes = [{ code: 'payment-like-another', params: { other: 'ERP payment PAY-1' } }];
    expect(await reconcile(world, 'payment-out', 'PAY-2')).toMatchObject({ state: 'held', causes });
    expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject({ state: 'in-sync', written: 0 });
  }
  expect(await reconcile(world, 'payment-out', 'PAY-2')).toMatchObject({ state: 'in-sync', written: 0 });
  expect(marketplace.rows).toHaveLength(2);
});

test('a payment request that timed out may still be applied: it waits before it is sent again', async () => {
  const world = await twoEqual();
  const { marketplace } = world;
  marketplace.willBe('late');
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toBeNull();
  shelf().nowMs += TIMEOUT_MS - 1;
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject({ state: 'wait', waitMs: TIMEOUT_MS + 1 });
  shelf().nowMs += TIMEOUT_MS;
  marketplace.arrive();
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject({ state: 'in-sync', written: 0 });
  expect(marketplace.rows).toHaveLength(1);
});

test('a payment that is changed in the ERP while its create is in doubt is found by what was sent', async () => {
  const world = await begin();
  const { marketplace, erp, context } = world;
  erp.create(cashOf('50.00'));
  await world.readErp();
  await world.readMarketplace();
  marketplace.willBe('applied');
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toBeNull();
  const [row] = erp.rows;
  if (row !== undefined) row.draft = cashOf('60.00');
  await world.readErp();
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject({ state: 'in-sync', written: 0 });
  expect(marketplace.rows.map(({ draft }) => draft.total)).toEqual(['50.00']);
  expect(await context.store.facts.get(context.account, 'alert:payment-out:PAY-1')).toContain(
    '"payment-amount-differs","params":{"payment":"PAY-1"',
  );
});

test('several ERP payments that match a lost create are in doubt for an operator, and nothing is sent', async () => {
  const world = await begin();
  const { marketplace, erp, context } = world;
  erp.create(cashOf('50.00'));
  await world.readErp();
  await world.readMarketplace();
  marketplace.willBe('applied');
  await reconcile(world, 'payment-out', 'PAY-1');
  // Somebody else records an equal payment meanwhile.
  marketplace.create({ order: 'o-1', total: '50.00', payment_type: 'cash', payment_date: at(0) });
  const causes = [{ code: 'several-match', params: { found: ['payment 1', 'payment 2'], sent: true } }];
  const held = { state: 'held', causes };
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject(held);
  shelf().nowMs += 60_000;
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject(held);
  const link = {
    account: context.account,
    kind: 'payment',
    marketplaceId: '1',
    erpId: 'PAY-1',
    how: 'operator',
  } as const;
  await context.store.links.link(link, false, 'a test');
  expect(await reconcile(world, 'payment-out', 'PAY-1')).toMatchObject({ state: 'in-sync', written: 0 });
  expect(marketplace.rows).toHaveLength(2);
});
