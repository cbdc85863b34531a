import { expect, onTestFinished, test } from 'vitest';
import { dollars } from '../../src/demo/tell.ts';
import { tellBridge, tellLog } from '../../src/demo/tell-bridge.ts';
import { tellMarketplace } from '../../src/demo/tell-marketplace.ts';
import { startSandboxMarketplace } from '../../src/sandbox/marketplace/start.ts';
import type { JournalEvent } from '../../src/store/record.ts';

const NUMBER = '8bf47ca3-9c3a-4a0f-b472-6c56ea4e44e0';

function bridgeSays(entry: Partial<JournalEvent>): string[] {
  const told: string[] = [];
  const rest = { account: 'main', flow: 'order-in', key: NUMBER, target: 'it', before: null, after: null, why: 'so' };
  const tell = tellBridge(
    (_actor, text) => told.push(text),
    (id) => `Shop ${id}`,
  );
  tell({ ...rest, action: 'order-in.mark', outcome: 'written', answer: '', ...entry });
  return told;
}

test.each<[string, Partial<JournalEvent>, string[]]>([
  [
    'an export',
    {
      action: 'order-in.create',
      answer: 'ERP order SO-000001',
      after: 'reserved: 2 x SB-1 at 5.00 USD; total 1,010.50 USD',
    },
    ['exports 8bf47ca3 as ERP order SO-000001, reserved, $1,010.50'],
  ],
  [
    'an export that had been made already',
    { action: 'order-in.create', answer: 'any words', adopted: 'ERP order SO-000001', after: '' },
    ['finds 8bf47ca3 in the ERP already (ERP order SO-000001): no second one is made'],
  ],
  [
    'an order that was found by its reference',
    { action: 'order-in.link', outcome: 'noted', answer: 'any words', adopted: 'ERP order SO-000001' },
    ['finds 8bf47ca3 in the ERP already (ERP order SO-000001): no second one is made'],
  ],
  [
    'a customer',
    { action: 'customer-in.create', target: 'customer 7', answer: 'ERP customer C-000003' },
    ['enters Shop 7 in the ERP: ERP customer C-000003'],
  ],
  [
    'a price',
    { action: 'product.patch:price', target: 'listing 3 (SB-1)' },
    ['brings listing 3 (SB-1) up to date: its price'],
  ],
  ['an action of another flow', { action: 'new.thing', after: 'done' }, ['new.thing it: done']],
  [
    'an answer that was lost',
    { action: 'order-in.mark', outcome: 'unknown', answer: 'no answer' },
    ['cannot tell whether it was written (no answer): looks first, then tries again'],
  ],
  ['a refusal', { outcome: 'refused', answer: '409' }, ['did not get through with it (409)']],
  ['an alert', { action: 'alert', outcome: 'noted', why: 'oversold' }, ['warns of 8bf47ca3: oversold']],
  ['what the stock lines show', { action: 'stock.write:increase', answer: 'quantity 3' }, []],
])('the demo prints for the bridge: %s', (_what, entry, sentences) => {
  expect(bridgeSays(entry)).toEqual(sentences);
});

test('the demo prints buyers and staff by what changed, and stock by its figures, each act in one line', async () => {
  const marketplace = await startSandboxMarketplace();
  onTestFinished(() => marketplace.close());
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'CA' });
  const price = { amount: '10.00', currency: 'USD' };
  const [one, two] = marketplace.createProducts([
    { sku: 'A', name: 'A', quantity: 9, wholesale_price: price },
    { sku: 'B', name: 'B', quantity: 9, wholesale_price: price },
  ]);
  const told: string[] = [];
  tellMarketplace(marketplace, (actor, text) => told.push(`${actor}: ${text}`), 'the bridge');
  const items = [
    { product: one?.id ?? 0, quantity: '2' },
    { product: two?.id ?? 0, quantity: '1' },
  ];
  const order = marketplace.placeOrder({ customer, items });
  const name = order.number.slice(0, 8);
  await Promise.resolve();
  marketplace.editLine(order.lines[0]?.id ?? 0, { quantity: '1' });
  await Promise.resolve();
  marketplace.editOrder(order.number, { discount_amount: '5.00' });
  marketplace.editOrder(order.number, { notes: 'not worth a line' });
  marketplace.transition(order.number, 'accept');
  marketplace.cancel(order.number);
  await Promise.resolve();
  expect(told).toEqual([
    `buyer: Corner Shop orders 2 × A, 1 × B: $38.10 (${name})`,
    'stock: A: 9 → 7, B: 9 → 8 can be bought',
    `buyer: ${name} of Corner Shop is changed to 1 × A, 1 × B: $25.40`,
    'stock: A: 7 → 8 can be bought',
    `market: ${name} of Corner Shop now comes to $19.05 instead of $25.40`,
    `market: staff accept ${name} of Corner Shop`,
    `buyer: Corner Shop cancels ${name}`,
    'stock: A: 8 → 9, B: 8 → 9 can be bought',
  ]);
});

test('the demo prints warnings of the log once, without what the journal contains', () => {
  const told: string[] = [];
  const hear = tellLog((_actor, text) => told.push(text));
  hear('a read did not succeed', { err: new Error('no answer') });
  hear('a read did not succeed', { err: new Error('no answer') });
  hear('refused', { action: 'order-in.create' });
  hear('the disk is full', {});
  expect(told).toEqual(['the bridge says: a read did not succeed: no answer', 'the bridge says: the disk is full']);
});

test('the demo prints amounts as a person writes them', () => {
  expect([dollars('1234567.5'), dollars('3'), dollars('0.07')]).toEqual(['$1,234,567.50', '$3.00', '$0.07']);
});
