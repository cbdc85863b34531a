import { instantNs, isBefore, minusMs } from '../../domain/instant.ts';
import type { ErpOrder } from '../connector.ts';
import { type Bench, testProducts } from './bench.ts';
import { assertPromise, assertSame, NotTestable } from './broken.ts';
import type { Check } from './check.ts';
import { placeOf } from './lists.ts';
import { lineFacts, newReference } from './orders.ts';

export const PING: Check = {
  name: 'ping',
  promise: 'the ERP answers, says who it is, and has a clock',
  effect: 'reads',
  async run({ erp }) {
    const { name, version, time } = await erp.ping();
    assertPromise(name !== '' && instantNs(time) !== null, () => ({
      expected: 'a name and a time',
      came: JSON.stringify({ name, time }),
      mend: 'let the ping say who it is, and its time as ISO 8601',
    }));
    return `${name} ${version}, ${time}`;
  },
};

export const READING_CHECKS: readonly Check[] = [
  {
    name: 'as-of',
    promise: 'the time of a read is that of its start, and never goes back',
    effect: 'reads',
    async run({ erp }) {
      const sentMs = performance.now();
      const { time } = await erp.ping();
      const pongMs = performance.now();
      const first = await Array.fromAsync(erp.listStock(null));
      const tookMs = performance.now() - pongMs;
      const began = first[0]?.asOf ?? '';
      const after = first.find(({ asOf }) => isBefore(began, asOf));
      assertPromise(after === undefined, () => ({
        expected: `${began} on every page, or earlier`,
        came: after?.asOf ?? '',
        mend: 'let every page say the time at which the first page was asked for',
      }));
      // A clock may have whole seconds, so a short read shows nothing.
      const lateMs = Number((instantNs(began) ?? 0n) - (instantNs(time) ?? 0n)) / 1e6 - (pongMs - sentMs);
      assertPromise(lateMs < CLOCK_STEP_MS || lateMs < tookMs / 2, () => ({
        expected: 'the time at which the read began',
        came: `a time ${Math.round(lateMs)} ms later, of a read that took ${Math.round(tookMs)} ms`,
        mend: 'let the list say the time at which it began: what changes while it is read would be lost',
      }));
      const [again] = await Array.fromAsync(erp.listStock(null));
      assertPromise(!isBefore(again?.asOf ?? '', began), () => ({
        expected: `a time not before ${began}`,
        came: again?.asOf ?? '',
        mend: 'let the time be that of one clock',
      }));
      return `a read of the stock takes ${Math.round(tookMs)} ms`;
    },
  },
  {
    name: 'stock-by-sku',
    promise: 'stock is read for the SKUs asked for, each place once, and an unknown SKU is absent',
    effect: 'reads',
    async run(bench) {
      const skus = (await testProducts(bench)).map(({ sku }) => sku);
      const page = await bench.erp.readStock([...skus, newReference()]);
      const found = [...new Set(page.items.map(({ sku }) => sku))].sort();
      assertSame(found, skus.toSorted(), 'have the look-up of stock by SKU honoured');
      const places = page.items.map(placeOf);
      const twice = places.find((place, at) => places.indexOf(place) !== at);
      assertPromise(twice === undefined, () => ({
        expected: 'one row for each SKU, location and batch',
        came: `${twice} twice`,
        mend: 'let rows of several places say their location and batch, or add them up',
      }));
      assertPromise(page.complete, () => ({
        expected: 'a complete answer',
        came: 'one that does not say so',
        mend: 'let the look-up of stock say that it is complete',
      }));
    },
  },
  {
    name: 'stock-sum',
    promise: 'available is on hand less reserved, the same in the list and in the look-up',
    effect: 'reads',
    async run(bench) {
      const skus = (await testProducts(bench)).map(({ sku }) => sku);
      const listed = new Map(
        (await bench.whole.stock()).flatMap(({ items }) => items.map((row) => [placeOf(row), row])),
      );
      for (const row of (await bench.erp.readStock(skus)).items) {
        const sum = `${row.onHand.toFixed()} on hand - ${row.reserved.toFixed()} reserved`;
        assertPromise(row.available.equals(row.onHand.minus(row.reserved)), () => ({
          expected: `${placeOf(row)}: ${sum}`,
          came: `${row.available.toFixed()} available`,
          mend: 'map available as on hand less what is reserved by orders',
        }));
        const twin = listed.get(placeOf(row));
        assertPromise(twin?.onHand.equals(row.onHand) === true && twin.reserved.equals(row.reserved), () => ({
          expected: `${placeOf(row)}: ${sum}, in the list as well`,
          came: twin ? `${twin.onHand.toFixed()} - ${twin.reserved.toFixed()}` : 'no such row',
          mend: 'let the list and the look-up of stock show the same figures (nobody else may touch the product meanwhile)',
        }));
      }
    },
  },
  {
    name: 'stock-as-of',
    promise: 'a stock row says when it was looked at, not when it changed',
    effect: 'reads',
    async run(bench) {
      const skus = (await testProducts(bench)).map(({ sku }) => sku);
      const before = (await Array.fromAsync(bench.erp.listStock(null)))[0]?.asOf ?? '';
      const old = (await bench.erp.readStock(skus)).items.find(({ asOf }) =>
        isBefore(asOf, minusMs(before, CLOCK_STEP_MS)),
      );
      assertPromise(old === undefined, () => ({
        expected: `asked now, a time not before ${before}`,
        came: `${old?.asOf} of ${old?.sku}`,
        mend: 'let as_of be the time of the read: otherwise nobody knows which orders the figure counts',
      }));
    },
  },
  {
    name: 'capabilities',
    promise: 'what the ERP shows is what its capabilities say',
    effect: 'reads',
    async run(bench) {
      const { can, people } = bench;
      const orders = (await bench.whole.orders()).flatMap(({ items }) => items);
      const shown = {
        approvals: people.approve !== undefined || orders.some(({ approval }) => approval !== undefined),
        lots: people.addLot !== undefined,
        transports: orders.some(({ transports = [] }) => transports.length > 0),
      };
      for (const name of ['approvals', 'lots', 'transports'] as const) {
        assertPromise(can[name] || !shown[name], () => ({
          expected: `capabilities that say ${name}, since the ERP shows them`,
          came: `${name}: false`,
          mend: `set capabilities.${name}: true, or have the ping say it; otherwise they are not looked at`,
        }));
      }
    },
  },
  {
    name: 'writes-read',
    promise: 'the database can read every statement of the writes, with its names and types',
    effect: 'reads',
    about: ({ erp }) => erp.prepareWrites !== undefined,
    async run({ erp }) {
      const problems = (await erp.prepareWrites?.()) ?? [];
      assertPromise(problems.length === 0, () => ({
        expected: 'every statement to be one that it could run',
        came: problems.join(' '),
        mend: 'correct these statements: as they are, the write fails each time',
      }));
    },
  },
  {
    name: 'unknown-order',
    promise: 'an unknown order is not found, neither by its reference nor by its id',
    effect: 'reads',
    async run({ erp }) {
      const nobodys = newReference();
      const byId = await erp.getOrder(nobodys);
      const found = [...(await erp.findOrders(nobodys)), ...(byId === null ? [] : [byId])];
      assertPromise(found.length === 0, () => ({
        expected: `nothing by ${nobodys}, which no order has`,
        came: `order ${found[0]?.id}`,
        mend: 'have the reference honoured: every new order would be taken for one that is there already',
      }));
    },
  },
];

/** Checks of existing orders: people's, or those that earlier checks cancelled. */
export const ORDER_CHECKS: readonly Check[] = [
  {
    name: 'reference-filter',
    promise: 'asked for one reference, the ERP does not answer with other orders',
    effect: 'reads',
    async run(bench) {
      const others = await someOrders(bench);
      if (others.length === 0) throw new NotTestable('there are no orders yet');
      const { seen } = await bench.recorder.during(() => bench.erp.findOrders(newReference()));
      if (seen.length === 0) throw new NotTestable('the connection does not show its exchanges');
      const other = others.find(({ reference }) => seen.some(({ answer }) => answer?.includes(`"${reference}"`)));
      assertPromise(other === undefined, () => ({
        expected: 'no order of another reference in the answer',
        came: `order ${other?.id} with reference ${other?.reference}`,
        mend: 'correct the filter: the ERP ignores it, so each look-up reads its orders one and all',
      }));
    },
  },
  {
    name: 'orders-found',
    promise: 'an order of the list is found by its reference and by its id, as the list shows it',
    effect: 'reads',
    async run(bench) {
      const orders = await someOrders(bench);
      const order = orders.find(({ origin }) => origin === 'marketplace') ?? orders[0];
      if (order === undefined) throw new NotTestable('there are no orders yet');
      const byId = await bench.erp.getOrder(order.id);
      const byReference = (await bench.erp.findOrders(order.reference)).filter(({ id }) => id === order.id);
      for (const [how, found] of [
        ['id', byId],
        ['reference', byReference[0]],
      ] as const) {
        // People's orders are never looked up by reference.
        if (how === 'reference' && order.origin === 'erp') continue;
        assertPromise(found != null, () => ({
          expected: `order ${order.id} by its ${how}${how === 'id' ? '' : ` ${order.reference}`}`,
          came: 'nothing',
          mend: `correct the look-up of orders by their ${how}`,
        }));
        if (found != null && found.changedAt === order.changedAt)
          assertSame(
            lineFacts(found.lines),
            lineFacts(order.lines),
            `let the look-up by ${how} show the lines as the list does`,
          );
      }
      const times = order.origin === 'erp' ? [0, 1] : [1];
      assertPromise(times.includes(byReference.length), () => ({
        expected: `order ${order.id} once`,
        came: `it ${byReference.length} times`,
        mend: 'let the look-up by reference show each order once',
      }));
    },
  },
];

/** The error of a clock with whole seconds. */
const CLOCK_STEP_MS = 1_000;

async function someOrders({ erp, whole }: Bench): Promise<ErpOrder[]> {
  const known = (await whole.orders()).flatMap(({ items }) => items);
  const orders = known.length > 0 ? known : (await Array.fromAsync(erp.listOrders(null))).flatMap(({ items }) => items);
  // The newest are likeliest to still exist.
  return orders.slice(-5).reverse();
}
