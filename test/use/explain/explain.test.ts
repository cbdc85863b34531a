import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { explanationText } from '../../../src/cli/explain-text.ts';
import type { Cli } from '../../../src/cli/output.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { configFile } from '../../../src/config/schema.ts';
import { cause } from '../../../src/domain/causes/cause.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { textRedactor } from '../../../src/logging/redaction.ts';
import { noteSide } from '../../../src/shadow/alerts.ts';
import { type ExplainRequest, explainEntity } from '../../../src/use/explain/explain.ts';
import type { Explanation } from '../../../src/use/explain/explanation.ts';
import { accountConfig } from '../../flows/account.ts';
import { FACILITIES } from '../../flows/stock/facility/two-facilities.ts';
import {
  at,
  d,
  erpOrder,
  erpProduct,
  line,
  order,
  orderBatch,
  product,
  productBatch,
  stockRow,
  useShelf,
} from '../../store/shelf.ts';

const shelf = useShelf();
const redact = textRedactor([]);
const MAIN = {
  marketplace: { base_url: 'http://marketplace.test', auth: { scheme: 'app', key: 'a-key' }, seller_id: 4711 },
  erp: { type: 'http', url: 'http://erp.test', token: 'a-token' },
};

function explain(
  asked: ExplainRequest,
  inventory: object = { strategy: 'b', buffer: 5 },
  file: object = {},
  account: object = {},
) {
  const config = resolveConfig(configFile.parse({ ...file, accounts: { main: { ...MAIN, ...account, inventory } } }));
  const log = createLogger({ level: 'silent', secrets: [] });
  return explainEntity({ config, store: shelf().store, by: 'ada', log, redact }, asked, shelf().nowMs);
}

const seen = (number: string, minute: number, status: string, quantity = '7') =>
  shelf().store.orders.record(
    orderBatch([order({ number, status, modified: at(minute), lines: [line({ quantity: d(quantity) })] })]),
  );
const read = (minute: number, available: string) =>
  shelf().store.erp.recordStock(
    'main',
    [stockRow({ onHand: d(available), available: d(available), asOf: at(minute) })],
    'poll',
  );

beforeEach(async () => {
  const { store } = shelf();
  await store.erp.recordProducts('main', [erpProduct()], { listing: null, lane: 'poll' });
  await store.products.record(productBatch([product()]));
  await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'sku' });
});

test('the pages of an entity on both sides are linked by its ids, which lead to no other place', async () => {
  await shelf().store.erp.recordProducts('main', [erpProduct({ id: 'P/2?x=$&', sku: 'SB-2' })], {
    listing: null,
    lane: 'poll',
  });
  const pages = {
    marketplace: { product: 'https://shop.test/listings/{id}' },
    erp: { product: 'https://erp.test/web#id={id}&model=product' },
  };
  const of = async (name: string) => (await explain({ name }, { strategy: 'b' }, {}, { pages })).pages;
  expect(await of('SB-1')).toEqual({
    marketplace: 'https://shop.test/listings/70',
    erp: 'https://erp.test/web#id=P-1&model=product',
  });
  expect(await of('SB-2')).toEqual({
    marketplace: null,
    erp: 'https://erp.test/web#id=P%2F2%3Fx%3D%24%26&model=product',
  });
  expect((await explain({ name: 'SB-1' })).pages).toEqual({ marketplace: null, erp: null });
});

test('explain prints the stock of a SKU as a sum, each line with why it counts, the answer first', async () => {
  await seen('o-1', 1, 'Submitted');
  await read(2, '50');
  const { answer, stock, flows } = await explain({ name: 'SB-1' });
  expect(answer).toBe(
    'SB-1 has to be at 38: the ERP has 50 available, less a buffer of 5, less 7 in 1 line that it does not count. ' +
      'The marketplace shows 93. What comes next is to set the stock: listing 70 (SB-1), available stock from 93 to 38.',
  );
  expect(stock).toMatchObject({ strategy: 'submitted-available', figure: '38', available: '38', shown: '93' });
  expect(stock?.lines).toEqual([
    {
      order: 'o-1',
      status: 'Submitted',
      quantity: '7',
      there: 'reserved',
      counted: false,
      adds: '-7',
      why: 'the ERP does not count it yet',
    },
  ]);
  expect(flows.find(({ flow }) => flow === 'stock')).toMatchObject({ state: 'to-write', writes: [{ after: '38' }] });
});

test.each([
  ['a', 'quantity', '45'],
  ['b', 'available_inventory', '38'],
  ['c', 'quantity', '45'],
])('explain prints the stock under strategy %s, written as %s %s', async (strategy, field, figure) => {
  await seen('o-1', 1, 'Submitted');
  await read(2, '50');
  expect((await explain({ name: 'P-1' }, { strategy, buffer: 5 })).stock).toMatchObject({ field, figure });
});

test('explain says by how much a SKU is oversold, and that it has to be at 0', async () => {
  await seen('o-1', 1, 'Submitted', '60');
  await read(2, '50');
  const { answer, flows } = await explain({ name: 'SB-1' }, { strategy: 'b' });
  expect(answer).toContain('has to be at 0: ');
  expect(flows.find(({ flow }) => flow === 'stock')?.alerts).toMatchObject([{ code: 'oversold' }]);
});

test.each([
  ['49', ''],
  ['60', ' It is oversold by 10.'],
])('explain does not count the buffer as oversold: %s ordered of 50', async (ordered, sentence) => {
  await seen('o-1', 1, 'Submitted', ordered);
  await read(2, '50');
  const { answer } = await explain({ name: 'SB-1' }, { strategy: 'b', buffer: 5 });
  expect(answer).toContain(`that it does not count.${sentence} The marketplace shows`);
});

test('explain says that a side cannot be asked now, and since when', async () => {
  await read(2, '93');
  const fault = { kind: 'unavailable', message: 'connect ECONNREFUSED' } as const;
  await noteSide({ account: 'main', store: shelf().store }, 'erp', fault, Date.UTC(2030, 0, 1, 12));
  const { answer, away } = await explain({ name: 'SB-1' });
  expect(answer).toContain('It cannot be looked at now: the ERP is away since 2030-01-01 12:00:00Z.');
  expect(away).toMatchObject({ side: 'erp', since: '2030-01-01T12:00:00.000Z' });
});

test('explain says what stops a write: a dry run, a pause', async () => {
  await read(2, '50');
  const stopped = async (file: object) =>
    (await explain({ name: 'SB-1' }, undefined, file)).flows.find(({ flow }) => flow === 'stock')?.writes[0]?.stoppedBy;
  expect(await stopped({ mode: 'dry-run' })).toMatchObject({ code: 'dry-run' });
  await shelf().store.pauses.pause('main', 'stock', 'stocktaking', 'ada');
  expect(await stopped({})).toMatchObject({ code: 'paused', text: expect.stringContaining('stocktaking') });
});

test('explain of a past time prints the sum of then, at every time of its record', async () => {
  const figures: [number, string | undefined, (string | null)[][]][] = [];
  const rowsOf = ({ stock }: Explanation) =>
    stock?.lines.map(({ order: of, adds, status }) => [of, adds, status]) ?? [];
  const steps = [
    () => read(1, '50'),
    () => seen('o-1', 2, 'Submitted'),
    () => seen('o-2', 3, 'Submitted', '4'),
    () => shelf().store.erp.recordOrders('main', [erpOrder({ changedAt: at(4) })], 'poll'),
    () => shelf().store.mappings.link({ account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'x' }),
    () => read(5, '43'),
    () => seen('o-1', 6, 'Accepted'),
    () => seen('o-2', 7, 'Canceled', '4'),
    () => read(8, '60'),
  ];
  for (const step of steps) {
    shelf().nowMs += 60_000;
    await step();
    const now = await explain({ name: 'SB-1' });
    figures.push([shelf().nowMs, now.stock?.figure, rowsOf(now)]);
  }
  shelf().nowMs += 60_000;
  const then = await Promise.all(figures.map(([atMs]) => explain({ name: 'SB-1', atMs })));
  expect(then.map((one, index) => [figures[index]?.[0], one.stock?.figure, rowsOf(one)])).toEqual(figures);
  expect(new Set(figures.map(([, figure]) => figure)).size).toBeGreaterThan(3);
});

test('explain of a time before the record says when the record begins', async () => {
  shelf().nowMs += 60_000;
  await read(1, '50');
  const { answer, stock, story } = await explain({ name: 'SB-1', atMs: 500_000 });
  expect(answer).toMatch(/^There are no records of SB-1 from before .*: the record begins at /);
  expect([stock, story]).toEqual([null, []]);
  await expect(explain({ name: 'SB-1', atMs: shelf().nowMs + 1 })).rejects.toThrow('in the future');
});

test('explain prints everything that happened to a SKU, the newest first', async () => {
  const { store } = shelf();
  await read(1, '50');
  shelf().nowMs += 1_000;
  await store.inbox.store([
    { account: 'main', kind: 'products', body: Buffer.from('{}'), receivedAtMs: shelf().nowMs },
  ]);
  const [hint] = await store.inbox.unprocessed('main', 'products', 1);
  await store.inbox.processed([{ id: hint?.id ?? 0, entity: '70' }]);
  shelf().nowMs += 1_000;
  const written = {
    flow: 'stock',
    key: 'P-1',
    action: 'stock.write',
    target: 'listing 70',
    before: '9',
    after: '45',
  };
  await store.journal.add({ account: 'main', ...written, why: 'it sold', outcome: 'written', answer: 'ok' });
  shelf().nowMs += 1_000;
  await store.inbox.resend(hint?.id ?? 0, 'ada');
  shelf().nowMs += 1_000;
  await seen('o-1', 1, 'Submitted');
  const { story } = await explain({ name: 'SB-1' });
  expect(story.map(({ kind, what, who }) => [kind, what, who])).toEqual([
    ['read', 'order o-1 on the marketplace', null],
    ['event', 'a webhook of products came, 2 bytes', null],
    ['act', 'look at a webhook once more: webhook 1 of products', 'ada'],
    ['write', 'set the stock: listing 70', null],
    ['read', 'the ERP shows another available figure', null],
  ]);
});

describe('an order', () => {
  beforeEach(async () => {
    await seen('o-1', 1, 'Submitted');
    await shelf().store.erp.recordOrders('main', [erpOrder({ changedAt: at(2) })], 'poll');
    const link = { account: 'main', kind: 'order', marketplaceId: 'o-1', erpId: 'E-1', how: 'created' } as const;
    await shelf().store.mappings.link(link);
  });

  test('explain prints both sides of an order, and finds it by its id in the ERP as well', async () => {
    const { kind, marketplaceId, sides, answer, related } = await explain({ name: 'E-1', kind: 'order' });
    expect([kind, marketplaceId]).toEqual(['order', 'o-1']);
    expect(answer).toContain('Order o-1 is Submitted on the marketplace, and reserved in the ERP.');
    expect(sides.marketplace.fields).toMatchObject({ status: 'Submitted' });
    expect(sides.erp.fields).toMatchObject({ status: 'reserved' });
    expect(related.map(({ kind: of, name }) => `${of} ${name}`)).toEqual(['product SB-1', 'customer 5']);
  });

  test('explain of a held order says why, whose turn it is and the next step', async () => {
    const { store } = shelf();
    await seen('o-9', 1, 'Submitted');
    const target = { account: 'main', flow: 'order-in', key: 'o-9' };
    await store.work.mark([target], 'poll', 'new');
    const row = await store.work.get(target);
    await store.work.hold(target, row?.version ?? 0, [cause('customers-unread')]);
    const { answer, flows } = await explain({ name: 'o-9' });
    expect(answer).toContain('Its order-in is held: ');
    expect(flows[0]).toMatchObject({ flow: 'order-in', state: 'held' });
    expect(flows[0]?.holds).toContainEqual(
      expect.objectContaining({ code: 'customers-unread', turn: expect.any(String) }),
    );
  });

  test('explain of an order in doubt says so first, with the command to type', async () => {
    const { store } = shelf();
    await seen('o-9', 1, 'Submitted');
    const id = await store.intents.open({ account: 'main', kind: 'order-in', key: 'o-9', externalId: 'o-9' });
    await store.intents.inDoubt(id, cause('customers-unread'), []);
    const { answer, flows, parts } = await explain({ name: 'o-9' });
    expect(answer).toContain('A write of order-in is in doubt');
    expect(parts.next).not.toBe('');
    expect(flows[0]?.doubts[0]?.choices).toContain(`stockbridge jobs resolve ${id} --retry`);
  });

  test.each([
    [
      'terminal',
      /^Say what became of it: stockbridge jobs resolve 1 --adopt ID, or stockbridge jobs resolve 1 --retry/,
    ],
    ['screen', /^Decide on its own page, or on the page Needs, whether the write was applied\.$/],
  ] as const)(
    'explain of an order in doubt without a finding has its next step in the words of the %s',
    async (words, next) => {
      const { intents, work } = shelf().store;
      await intents.open({ account: 'main', kind: 'order-in', key: 'o-1', externalId: 'o-1' });
      const target = { account: 'main', flow: 'order-in', key: 'o-1' };
      await work.mark([target], 'poll', 'a test');
      await work.fail(target, (await work.get(target))?.version ?? 0, 'erp-unavailable', 'the ERP is away', 5);
      const { parts } = await explain({ name: 'o-1', kind: 'order', words });
      expect(parts).toMatchObject({
        why: expect.stringMatching(/is in doubt: nobody knows/),
        next: expect.stringMatching(next),
      });
    },
  );

  test('explain names the plan of an order held by a brake, and its decision as the next step', async () => {
    const { brakes, work } = shelf().store;
    const write = { key: 'o-1', action: 'order-in.update', target: 'ERP order E-1', before: null, after: 'x', why: '' };
    const limit = { holdsAll: false, reason: cause('history-open', { count: 1, from: 'then' }), expiryMs: 60_000 };
    const plan = await brakes.hold({ account: 'main', flow: 'order-in', kind: 'reject' }, [write], limit);
    const target = { account: 'main', flow: 'order-in', key: 'o-1' };
    await work.mark([target], 'poll', 'a test');
    const held = { ...write, brake: 'reject', exceeds: limit.reason, waits: false, plan: plan.id };
    await work.hold(target, (await work.get(target))?.version ?? 0, [cause('brake-plan', held)]);
    const { flows, parts } = await explain({ name: 'o-1', kind: 'order', words: 'screen' });
    expect(flows.find(({ flow }) => flow === 'order-in')).toMatchObject({ state: 'held', plan: plan.id });
    expect(parts).toMatchObject({
      why: expect.stringMatching(/^It waits for an approval: /),
      next: expect.stringMatching(/approve or drop/),
    });
  });

  test('explain of an order at a past time has its statuses of then, and says what is not stored', async () => {
    const beforeMs = shelf().nowMs;
    shelf().nowMs += 60_000;
    await seen('o-1', 3, 'Accepted');
    const { sides, flows, unknown, answer } = await explain({ name: 'o-1', atMs: beforeMs });
    expect(sides.marketplace.fields).toEqual({ status: 'Submitted' });
    expect(answer).toBe('Order o-1 was Submitted on the marketplace, and reserved in the ERP.');
    expect([flows, unknown.length]).toEqual([[], 1]);
  });
});

test('explain names an unknown or ambiguous name that it refuses', async () => {
  await expect(explain({ name: 'no-such-thing' })).rejects.toThrow('nothing with the name no-such-thing is found');
});

test('explain prints stock by facility as a sum for each facility, with the figure that the flow would write', async () => {
  const { store } = shelf();
  const config = accountConfig({ inventory: { strategy: 'b', buffer: 5 }, facilities: FACILITIES });
  const place = { listingId: 70, batchId: 1, onHand: d('1'), reserved: d('0'), available: d('1') };
  await store.measurements.record({
    account: 'main',
    asked: null,
    askedAtMs: shelf().nowMs,
    tick: 9,
    lane: 'poll',
    unread: new Set(),
    absenceCounts: true,
    rows: [
      { ...place, facilityId: 1 },
      { ...place, facilityId: 2 },
    ],
  } as never);
  const lying = (location: string, units: string) =>
    stockRow({ location, onHand: d(units), available: d(units), asOf: at(2) });
  await store.erp.recordStock('main', [lying('EAST', '40'), lying('WEST', '10')], 'poll');
  const log = createLogger({ level: 'silent', secrets: [] });
  const opened = { config: { mode: 'live', accounts: [config] } as never, store, by: 'ada', log, redact };
  const told = await explainEntity(opened, { name: 'SB-1' }, shelf().nowMs);
  expect(told.stock).toBeNull();
  expect(told.facilities).toMatchObject([
    { facility: 1, batch: 1, figure: '35', shown: '1', available: '35' },
    { facility: 2, batch: 1, figure: '10', shown: '1', available: '10' },
  ]);
  expect(told.facilities[0]?.rows.map(({ name, adds }) => `${name} ${adds}`)).toEqual([
    'available in the ERP 40',
    'kept back -5',
  ]);
  const cli = { stdout: new PassThrough(), env: { NO_COLOR: '1' }, secrets: [] } as unknown as Cli;
  const text = explanationText(cli, told, 20).join('\n');
  expect(text).toContain('facility 1, batch 1:');
  expect(text).toMatch(
    /kept back +-5 .*\n.*buyers may take +35\n.*on hand +35 +with 0 reserved there; the marketplace shows 1/,
  );
});
