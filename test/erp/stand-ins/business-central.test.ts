import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { bookInMemory, withReferences } from '../../../src/erp/references.ts';
import { connectionBy } from '../../live/connection.ts';
import { checkedErp, draftOf, EVERYTHING } from '../../support/erp-check.ts';
import { sectionOf, startCompany, tokenOf } from './business-central/company.ts';
import { invoice } from './business-central/invoices.ts';
import { type Business, deleteOrder, ship } from './business-central/sales.ts';

const byNumber = ({ state }: Business, id: string) =>
  state.salesOrders.find(({ number }) => number === id) ?? expect.fail(`there is no order ${id}`);

test('the Business Central preset passes `erp check`', async () => {
  const central = await startCompany([1.5, 2.5, 3.5, 4.5], 3, true);
  onTestFinished(central.stop);
  const { can, open } = connectionBy(sectionOf(central), await tokenOf(central));
  const { findings, named } = await checkedErp(open, can, {
    uses: { ...EVERYTHING, drafts: false },
    people: {
      ship: (id) => central.does((business, at) => ship(business, byNumber(business, id), () => 1_000, at)),
    },
    facts: { productCount: 4 },
    skus: ['PART-0001', 'PART-0002'],
    timeout: '200ms',
  });
  expect(central.strange).toEqual([]);
  expect(findings.filter(({ result }) => result === 'broken')).toEqual([]);
  // Stock and orders are read whole, and Business Central counts the totals. Payments, customers and products are made by people there, who have
  // no way to pick, and who take a line down to what has left when they give its rest up.
  const beyond =
    /^stock-since$|^orders-since$|^orders-stamp$|^customer|^payment|^product-create$|^amounts$|^transports$|^cancel-picked$|^shipped-short$|^approved$|^lots$|^draft$/;
  expect(named('not-tested').filter((name) => !beyond.test(name))).toEqual([]);
});

async function connected() {
  const central = await startCompany([1.5, 2.5]);
  onTestFinished(async () => {
    await central.stop();
    expect(central.strange).toEqual([]);
  });
  const { can, open } = connectionBy(sectionOf(central), await tokenOf(central));
  const raw = await open();
  onTestFinished(() => raw.close());
  const { reference } = can;
  return { central, raw, erp: withReferences(raw, () => reference, bookInMemory()) };
}

const ordered = (status: 'draft' | 'reserved' = 'reserved') =>
  draftOf({ skus: ['PART-0001', 'PART-0002'], currency: 'USD' }, status, '2');

test('Business Central refuses a full order number, and stores each order under a short one, by which it is found', async () => {
  const { erp, raw } = await connected();
  const number = randomUUID();
  await expect(raw.createOrder({ ...ordered(), reference: number })).rejects.toMatchObject({
    kind: 'refused',
    outcome: 'not-applied',
  });
  const alike = `${number.slice(0, -1)}${number.endsWith('0') ? '1' : '0'}`;
  const [one, two] = [
    await erp.createOrder({ ...ordered(), reference: number }),
    await erp.createOrder({ ...ordered(), reference: alike }),
  ];
  expect([one.reference, two.reference]).toEqual([number, alike]);
  expect((await erp.findOrders(number)).map(({ id, reference }) => [id, reference])).toEqual([[one.id, number]]);
  expect(await erp.findOrders(randomUUID())).toEqual([]);
});

test('Business Central takes no edit of a released order, and applies nothing of it', async () => {
  const { erp, central } = await connected();
  const { id, lines } = await erp.createOrder({ ...ordered(), reference: randomUUID() });
  await central.does((business, at) => ship(business, byNumber(business, id), () => 1, at));
  const more = lines.map((line) => ({ ...line, quantity: line.quantity.plus(1) }));
  await expect(erp.updateOrder(id, { lines: more })).rejects.toMatchObject({ kind: 'refused', outcome: 'not-applied' });
  await expect(erp.updateOrder(id, { status: 'cancelled' })).rejects.toMatchObject({
    kind: 'refused',
    outcome: 'not-applied',
  });
  expect((await erp.getOrder(id))?.lines.map(({ quantity }) => quantity.toFixed())).toEqual(['2', '2']);
});

const LAST_WEEK = new Date(Date.now() - 7 * 86_400_000).toISOString();

test('Business Central deletes an order that was fully invoiced, and its invoices list it as shipped', async () => {
  const { erp, central } = await connected();
  const { does } = central;
  const draft = { ...ordered(), discount: new Decimal('1.00'), shipping: new Decimal('5.00') };
  const { id, reference, lines } = await erp.createOrder({ ...draft, reference: randomUUID() });
  const order = (business: Business) => byNumber(business, id);
  const shown = async () => ({
    byId: await erp.getOrder(id),
    found: await erp.findOrders(reference),
    listed: (await Array.fromAsync(erp.listOrders(null))).flatMap(({ items }) => items),
  });

  await does((business, at) => {
    ship(business, order(business), () => 1, at);
    invoice(business, order(business), at);
  });
  const inPart = await shown();
  expect([inPart.byId?.status, inPart.found, inPart.listed]).toEqual(['reserved', [inPart.byId], [inPart.byId]]);

  await does((business, at) => {
    ship(business, order(business), () => 1_000, at);
    invoice(business, order(business), at);
  });
  expect(central.business.state).toMatchObject({ salesOrders: [], salesInvoices: [{}, {}] });
  const whole = await shown();
  expect(whole.byId).toMatchObject({ id, reference, status: 'shipped' });
  // Each invoice rounds its own amounts.
  const posted = central.business.state.salesInvoices.map(({ totalAmountIncludingTax: total }) => Number(total));
  expect(whole.byId?.total.toFixed()).toBe(Decimal.sum(...posted).toFixed());
  expect(
    whole.byId?.lines.map(({ sku, quantity, unitPrice }) => [sku, quantity.toFixed(), unitPrice.toFixed()]),
  ).toEqual(lines.map(({ sku, quantity, unitPrice }) => [sku, quantity.toFixed(), unitPrice.toFixed()]));
  expect([whole.found, whole.listed]).toEqual([[whole.byId], [whole.byId]]);
  // The first invoice is of last week, so a list of changes shows the last one alone.
  await does((business) => {
    for (const one of business.state.salesInvoices.slice(0, 1)) one.lastModifiedDateTime = LAST_WEEK;
  });
  const changes = (await Array.fromAsync(erp.listOrders(new Date().toISOString()))).flatMap(({ items }) => items);
  expect(changes.map((one) => [one.id, one.status])).toEqual([[id, 'shipped']]);
});

test('Business Central lists an order as shipped that somebody wants to cancel after its invoice', async () => {
  const { erp, central } = await connected();
  const { id } = await erp.createOrder({ ...ordered(), reference: randomUUID() });
  await central.does((business, at) => {
    const [order = {}] = business.state.salesOrders;
    ship(business, order, () => 1_000, at);
    invoice(business, order, at);
  });
  await expect(erp.updateOrder(id, { status: 'cancelled' })).rejects.toMatchObject({ kind: 'refused' });
  expect((await erp.getOrder(id))?.status).toBe('shipped');
});

test('Business Central lists no order that somebody deleted', async () => {
  const { erp, central } = await connected();
  const { id, reference } = await erp.createOrder({ ...ordered(), reference: randomUUID() });
  await central.does((business) => deleteOrder(business, business.state.salesOrders[0] ?? {}));
  expect([await erp.getOrder(id), await erp.findOrders(reference)]).toEqual([null, []]);
});

test("a SKU longer than Business Central's numbers has no stock, and the stock of others is read", async () => {
  const { erp } = await connected();
  const { items } = await erp.readStock(['PART-0001', 'A-SKU-OF-MORE-THAN-TWENTY-CHARACTERS']);
  expect(items.map(({ sku }) => sku)).toEqual(['PART-0001']);
});

test('Business Central is not called again during the wait after a 429', async () => {
  const { erp, central } = await connected();
  central.limit(0);
  await expect(erp.ping()).rejects.toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
});
