import { randomUUID } from 'node:crypto';
import { Decimal } from '../../domain/decimal.ts';
import type { ErpOrder } from '../connector.ts';
import { type Bench, type People, testProducts } from './bench.ts';
import { assertPromise, assertSame, NotTestable } from './broken.ts';
import type { Check } from './check.ts';
import {
  cancel,
  currentOrder,
  figuresAfter,
  figuresWithoutOrders,
  firstStatus,
  forgetShipped,
  makeOrder,
  waitFor,
} from './orders.ts';
import { waitForFigures } from './reserving.ts';
import { failureOf } from './writing.ts';

/** Acts of people in the ERP that the program must see. No connection can do them, but a script may. */
export const PEOPLE_CHECKS: readonly Check[] = [
  {
    name: 'shipped',
    promise:
      'a shipped order is subtracted from the stock on hand, is listed as changed, and can no longer be cancelled',
    effect: 'writes',
    untested: needs('ship', 'ship one by hand, then "stockbridge erp try orders --since TIME" shows it as shipped'),
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, 'reserved', ['1', '1']);
      await bench.people.ship?.(made.id);
      await waitForFigures(bench, figuresAfter(start, { gone: new Decimal(1) }), 'once it is shipped');
      await changeSeen(bench, made, ({ status }) => status === 'shipped', 'shipped');
      const failure = await failureOf(bench.erp.updateOrder(made.id, { status: 'cancelled' }));
      assertSame(
        [failure.kind, failure.outcome],
        ['refused', 'not-applied'],
        'let the cancellation of a shipped order be refused',
      );
      forgetShipped(bench, made);
    },
  },
  {
    name: 'shipped-short',
    promise: 'a line that ships short says how much was shipped and how much was given up',
    effect: 'writes',
    untested: (bench) =>
      bench.can.partialShipments
        ? needs(
            'shipShort',
            'ship a part of one by hand, then "stockbridge erp try orders --since TIME" shows its lines',
          )(bench)
        : 'capabilities.partial_shipments is false',
    async run(bench) {
      const [{ sku }] = await testProducts(bench);
      const made = await makeOrder(bench, 'reserved', ['3', '1']);
      await bench.people.shipShort?.(made.id, sku, '1');
      const isSo = ({ lines }: ErpOrder) =>
        lines.some((line) => line.sku === sku && line.shipped?.equals(1) === true && line.givenUp?.equals(2) === true);
      await changeSeen(bench, made, isSo, `1 of ${sku} shipped and 2 given up`);
      await bench.people.ship?.(made.id);
      forgetShipped(bench, made);
    },
  },
  {
    name: 'cancel-picked',
    promise: 'an order that was picked can be cancelled, and releases its stock',
    effect: 'writes',
    untested: needs('pick', 'pick one by hand and cancel it on the marketplace'),
    async run(bench) {
      const start = await figuresWithoutOrders(bench);
      const made = await makeOrder(bench, 'reserved');
      await bench.people.pick?.(made.id);
      await cancel(bench, made);
      await waitForFigures(bench, start, 'once it is cancelled');
    },
  },
  {
    name: 'approved',
    part: 'approvals',
    promise: 'a verdict shows on its order, and the order is listed as changed',
    effect: 'writes',
    untested: (bench) => unless(bench.can.approvals, 'approvals') ?? needs('approve', 'give one by hand')(bench),
    async run(bench) {
      const made = await makeOrder(bench, firstStatus(bench));
      const verdict = { status: 'rejected', message: 'no credit ✓', decidedAt: '2030-01-31T08:30:00.000Z' };
      await bench.people.approve?.(made.id, verdict);
      assertSame(
        (await currentOrder(bench, made.id)).approval,
        verdict,
        'let the order show the verdict as it was given',
      );
      await changeSeen(bench, made, ({ approval }) => approval?.status === 'rejected', 'rejected');
      await cancel(bench, made);
    },
  },
  {
    name: 'lots',
    part: 'lots',
    promise: 'a lot is listed with its product and the name of its batch, among all and among what changed',
    effect: 'writes',
    untested: (bench) => unless(bench.can.lots, 'lots') ?? needs('addLot', 'add one by hand')(bench),
    async run({ erp, people, ...bench }) {
      if (erp.listLots === undefined) throw new NotTestable('the connection lists no lots');
      const [{ sku }] = await testProducts(bench);
      const before = (await Array.fromAsync(erp.listLots(null)))[0]?.asOf ?? '';
      const batch = `check-${randomUUID()}`;
      const id = await people.addLot?.(sku, batch);
      const product = (await erp.readStock([sku])).items[0]?.productId;
      for (const since of [null, before]) {
        const lots = (await Array.fromAsync(erp.listLots(since))).flatMap(({ items }) => items);
        const found = lots.find((lot) => lot.id === id);
        assertSame([found?.productId, found?.batch], [product, batch], `let the list of lots since ${since} show it`);
      }
    },
  },
];

function needs(deed: keyof People, byHand: string): (bench: Bench) => string | null {
  return ({ people }) => (people[deed] === undefined ? `it is a deed of people in the ERP: ${byHand}` : null);
}

function unless(can: boolean, name: string): string | null {
  return can ? null : `capabilities say no ${name}`;
}

async function changeSeen(bench: Bench, { id, changedAt }: ErpOrder, isSo: (order: ErpOrder) => boolean, how: string) {
  const { value } = await waitFor(bench, async () => {
    const orders = (await Array.fromAsync(bench.erp.listOrders(changedAt))).flatMap(({ items }) => items);
    return orders.find((order) => order.id === id && isSo(order)) ?? null;
  });
  assertPromise(value !== null, () => ({
    expected: `order ${id} as ${how} among the changes of orders`,
    came: 'nothing of it',
    mend: 'let every change of an order update its change time',
  }));
}
