import { afterAll, beforeAll, expect, it } from 'vitest';
import { ZERO } from '../../src/domain/decimal.ts';
import type { CallFailure } from '../../src/domain/failure.ts';
import type { ErpConnector, ErpOrder, ErpOrderDraft, ErpPayment } from '../../src/erp/connector.ts';
import { createTryton } from '../../src/erp/tryton/connector.ts';
import { needing } from '../support/needing.ts';
import { exact } from '../support/units.ts';
import { type People, peopleOf } from './people.ts';
import { type RunningTryton, startTryton, USER } from './system.ts';

/*
 * The connection to a real Tryton. Each test is a promise of the connector at a point where Tryton behaves in an unexpected
 * way.
 */
needing('tryton').describe('against a real Tryton:', () => {
  let tryton: RunningTryton;
  let erp: ErpConnector;
  let people: People;
  let made = 0;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    tryton = await startTryton();
    ends.push(tryton.stop);
    const settings = {
      customer: 'MARKETPLACE',
      shippingProduct: 'SHIPPING',
      discountProduct: 'DISCOUNT',
      paymentJournal: 'Bank',
    };
    erp = createTryton({ url: tryton.url, database: tryton.database, ...USER, timeoutMs: 120_000, settings });
    people = peopleOf(tryton);
    ends.push(people.close, erp.close);
  });

  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  const line = (sku: string, quantity: string, unitPrice = '12.3450') => ({
    sku,
    quantity: exact(quantity),
    unitPrice: exact(unitPrice),
  });

  function draft(more: Partial<ErpOrderDraft> = {}): ErpOrderDraft {
    return {
      reference: `M-${(made += 1)}`,
      status: 'reserved',
      customer: { name: 'Shop' },
      currency: 'USD',
      lines: [line('SKU-0001', '5'), line('SKU-0002', '3')],
      discount: ZERO,
      shipping: ZERO,
      tax: ZERO,
      total: ZERO,
      note: 'by the door ✓',
      ...more,
    };
  }

  async function available(sku: string): Promise<{ onHand: string; reserved: string }> {
    const [row] = (await erp.readStock([sku])).items;
    return { onHand: row?.onHand.toFixed() ?? '', reserved: row?.reserved.toFixed() ?? '' };
  }

  const shown = ({ status, lines }: ErpOrder) => [
    status,
    ...lines.map(({ sku, quantity, shipped, givenUp }) =>
      [sku, quantity.toFixed(), shipped?.toFixed(), givenUp?.toFixed()].join(' '),
    ),
  ];

  const again = async ({ id }: ErpOrder): Promise<ErpOrder> => {
    const order = await erp.getOrder(id);
    if (order === null) throw new Error(`order ${id} is not there`);
    return order;
  };

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => {
        const { kind, outcome, message } = error as CallFailure;
        return { kind, outcome, message };
      },
    );

  it('a Tryton product that is sold by the case has the number of its pieces, and the price of a piece', async () => {
    const pages = await Array.fromAsync(erp.listProducts(null));
    const product = pages.flatMap(({ items }) => items).find(({ sku }) => sku === 'SKU-0005');
    expect([product?.unitMultiplier.toFixed(), product?.price.amount.toFixed()]).toEqual(['12', '15.5']);
  });

  it('an archived Tryton product is listed as one that is not sold, and a product with a new price as changed', async () => {
    const { asOf } = await firstPage();
    await people.call('model.product.product.write', [7], { active: false });
    await people.call('model.product.template.write', [8], { list_price: { __class__: 'Decimal', decimal: '3.21' } });
    const changed = (await Array.fromAsync(erp.listProducts(asOf))).flatMap(({ items }) => items);
    expect(changed.map(({ sku, active, price }) => [sku, active, price.amount.toFixed()])).toEqual([
      ['SKU-0007', false, '17.5'],
      ['SKU-0008', true, '3.21'],
    ]);
  });

  async function firstPage() {
    const [page] = await Array.fromAsync(erp.listProducts(null));
    if (page === undefined) throw new Error('there is no page');
    return page;
  }

  it('an order in Tryton has its delivery address, which its party gets once, and the day in its note', async () => {
    const shipTo = { address: '7 Side Street', unitNumber: 'Gate 2', city: 'Reno', zipcode: '89501' };
    const first = await erp.createOrder(draft({ shipTo, deliveryDate: '2030-02-01' }));
    const second = await erp.createOrder(draft({ shipTo }));
    const ids = [first, second].map(({ id }) => Number(id));
    const fields = ['comment', 'shipment_address', 'shipment_address.street', 'shipment_address.city'];
    const sales = (await people.call('model.sale.sale.read', ids, fields)) as Record<string, unknown>[];
    expect(sales[0]).toMatchObject({
      comment: 'by the door ✓\nWanted on 2030-02-01.',
      'shipment_address.': { street: '7 Side Street\nGate 2', city: 'Reno' },
    });
    expect(sales[1]?.['shipment_address']).toBe(sales[0]?.['shipment_address']);
  });

  it('an order in Tryton has the taxes and the payment term that a form would have filled in, its charges and its note', async () => {
    const order = await erp.createOrder(
      draft({ lines: [line('TAXED-1', '3', '10')], shipping: exact('5'), discount: exact('1.1') }),
    );
    const { discount, shipping, tax, total, note } = order;
    expect([discount, shipping, tax, total].map((amount) => amount.toFixed())).toEqual(['1.1', '5', '3', '36.9']);
    expect(note).toBe('by the door ✓');
    expect(await tryton.sql(`select payment_term from sale_sale where id = ${order.id}`)).not.toBe('');
  });

  it('a price in Tryton that only a case has exactly is stored, and read as that of a piece', async () => {
    const lines = [line('SKU-0005', '24', '2.9583333333')];
    const order = await erp.createOrder(draft({ lines }));
    expect(order.lines.map(({ quantity, unitPrice }) => [quantity.toFixed(), unitPrice.toFixed()])).toEqual([
      ['24', '2.9583333333'],
    ]);
    expect([order.total.toFixed(), shown(order)[0]]).toEqual(['71', 'reserved']);
  });

  it('a quantity finer than the Tryton unit is refused, and nothing is created', async () => {
    const wrong = draft({ lines: [line('SKU-0001', '1.25')] });
    expect(await failure(erp.createOrder(wrong))).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    expect(await erp.findOrders(wrong.reference)).toEqual([]);
  });

  it('a reserved order in Tryton is counted, also the shortage of a picker, until somebody gives it up', async () => {
    const before = await available('SKU-0011');
    const order = await erp.createOrder(draft({ lines: [line('SKU-0011', '5')] }));
    expect(await available('SKU-0011')).toEqual({ ...before, reserved: '5' });
    await people.pick(order.id, true);
    expect(await available('SKU-0011')).toEqual({ ...before, reserved: '5' });
    await people.send(order.id);
    expect(shown(await again(order))).toEqual(['reserved', 'SKU-0011 5 4 0']);
    expect(await available('SKU-0011')).toEqual({ onHand: '996', reserved: '1' });
    await people.giveUp(order.id);
    expect(shown(await again(order))).toEqual(['shipped', 'SKU-0011 5 4 1']);
    expect(await available('SKU-0011')).toEqual({ onHand: '996', reserved: '0' });
  });

  it('a cancelled shipment in Tryton without a decision is still counted, and so is a planned date that has passed', async () => {
    const order = await erp.createOrder(draft({ lines: [line('SKU-0012', '5')] }));
    await tryton.sql(`update stock_move set planned_date = current_date - 3 where origin like 'sale.line,%'`);
    expect((await available('SKU-0012')).reserved).toBe('5');
    const [sale] = (await people.call('model.sale.sale.read', [Number(order.id)], ['shipments'])) as {
      shipments: number[];
    }[];
    await people.call('model.stock.shipment.out.cancel', sale?.shipments);
    expect([(await again(order)).status, (await available('SKU-0012')).reserved]).toEqual(['reserved', '5']);
  });

  it.each([
    ['waiting', async () => {}],
    ['picked', (id: string) => people.pick(id)],
  ])(
    'an order in Tryton whose shipment is %s is cancelled, and cancelling it once more does nothing',
    async (_, prepare) => {
      const before = await available('SKU-0013');
      const order = await erp.createOrder(draft({ lines: [line('SKU-0013', '5')] }));
      await prepare(order.id);
      expect(shown(await erp.updateOrder(order.id, { status: 'cancelled' }))).toEqual(['cancelled', 'SKU-0013 5 0 5']);
      expect(shown(await erp.updateOrder(order.id, { status: 'cancelled' }))[0]).toBe('cancelled');
      expect(await available('SKU-0013')).toEqual(before);
    },
  );

  it('a partly shipped order in Tryton is not cancelled, and nothing of it is given up', async () => {
    const order = await erp.createOrder(draft({ lines: [line('SKU-0014', '5')] }));
    await people.pick(order.id, true);
    await people.send(order.id);
    const refused = await failure(erp.updateOrder(order.id, { status: 'cancelled' }));
    expect(refused).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    expect(shown(await again(order))).toEqual(['reserved', 'SKU-0014 5 4 0']);
  });

  it('lines of an order in Tryton are changed, added and removed while it is processed, and its total and its shipment follow', async () => {
    const order = await erp.createOrder(draft());
    const lines = [line('SKU-0001', '7'), line('SKU-0003', '2', '1')];
    const changed = await erp.updateOrder(order.id, { lines });
    expect(shown(changed)).toEqual(['reserved', 'SKU-0001 7 0 0', 'SKU-0003 2 0 0']);
    expect(changed.total.toFixed()).toBe('88.42');
    const planned = `select sum(m.quantity) from stock_move m join stock_shipment_out s on m.shipment = 'stock.shipment.out,' || s.id
      join sale_line l on m.origin = 'sale.line,' || l.id where l.sale = ${order.id} and m.state = 'draft'`;
    expect(Number(await tryton.sql(planned))).toBe(9);
  });

  it('a picked order in Tryton is not changed, since its goods have left their place', async () => {
    const order = await erp.createOrder(draft());
    await people.pick(order.id);
    const refused = await failure(erp.updateOrder(order.id, { lines: [line('SKU-0001', '7')] }));
    expect(refused).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    expect(shown(await again(order))).toEqual(['reserved', 'SKU-0001 5 0 0', 'SKU-0002 3 0 0']);
  });

  it('changes by a shipment in Tryton are in the orders and the stock that changed since before it', async () => {
    const order = await erp.createOrder(draft({ lines: [line('SKU-0015', '5')] }));
    await people.pick(order.id, true);
    const { time } = await erp.ping();
    await people.send(order.id);
    const orders = (await Array.fromAsync(erp.listOrders(time))).flatMap(({ items }) => items);
    const stock = (await Array.fromAsync(erp.listStock(time))).flatMap(({ items }) => items);
    expect(orders.map(({ id }) => id)).toContain(order.id);
    expect(stock.map(({ sku }) => sku)).toContain('SKU-0015');
  });

  it('a payment of an order is recorded in Tryton as a draft, found by its id on the marketplace, and void when it failed', async () => {
    const { reference } = await erp.createOrder(draft());
    const { time } = await erp.ping();
    const money = { reference, amount: exact('12.30'), currency: 'USD', method: null };
    const receivedAt = '2026-01-31T08:30:00Z';
    const paid = await erp.createPayment({ ...money, receivedAt, marketplaceId: 'P-1' });
    const facts = ({ amount, voided, ...payment }: ErpPayment) => [payment.reference, amount.toFixed(), voided];
    expect(facts(paid)).toEqual([reference, '12.3', false]);
    expect((await erp.findPayments('P-1')).map(({ id }) => id)).toEqual([paid.id]);
    await tryton.sql(
      `update account_payment set state = 'failed', write_date = current_timestamp where id = ${paid.id}`,
    );
    const changed = (await Array.fromAsync(erp.listPayments(time))).flatMap(({ items }) => items);
    expect(changed.map(facts)).toEqual([[reference, '12.3', true]]);
    const lost = { ...money, reference: 'nobody', receivedAt, marketplaceId: 'P-2' };
    expect(await failure(erp.createPayment(lost))).toMatchObject({ outcome: 'not-applied' });
  });

  it('a Tryton sale that a person has made belongs to the ERP, also when it has the reference of an order', async () => {
    const order = await erp.createOrder(draft({ status: 'draft' }));
    const [copy] = (await people.call('model.sale.sale.copy', [Number(order.id)])) as number[];
    await people.call('model.sale.sale.write', [copy], { reference: order.reference });
    expect((await erp.findOrders(order.reference)).map(({ id }) => id)).toEqual([order.id]);
    expect(await erp.getOrder(String(copy))).toMatchObject({ origin: 'erp', reference: String(copy) });
  });

  it('a lost database, which Tryton reports with the status 200, is no answer: the call is retried', async () => {
    const order = await erp.createOrder(draft({ status: 'draft' }));
    await tryton.dropConnections();
    expect(await failure(erp.getOrder(order.id))).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
    expect((await again(order)).id).toBe(order.id);
  });

  it('an expired Tryton session is renewed unnoticed; a wrong password is an error of credentials', async () => {
    await tryton.sql('delete from ir_session');
    expect((await erp.readStock(['SKU-0001'])).items).toHaveLength(1);
    const wrong = createTryton({
      url: tryton.url,
      database: tryton.database,
      user: USER.user,
      password: 'nothing-like-it',
      timeoutMs: 60_000,
      settings: {},
    });
    expect(await failure(wrong.ping())).toMatchObject({ kind: 'credentials', outcome: 'not-applied' });
    await wrong.close();
  });
});
