import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from '../../domain/decimal.ts';
import { instantNs, isBefore, minusMs } from '../../domain/instant.ts';
import type { ErpOrder, ErpOrderChange } from '../connector.ts';
import type { Bench } from './bench.ts';
import { assertPromise } from './broken.ts';
import { chargesFor, takesCharges } from './charges.ts';
import type { Check } from './check.ts';
import { acceptedOrder, cancel, firstStatus, isGone, makeOrder } from './orders.ts';

interface Change {
  readonly what: string;
  readonly change: (order: ErpOrder) => ErpOrderChange;
}

const LINES: Change = {
  what: 'the lines',
  change: ({ lines }) => ({ lines: lines.map((line) => ({ ...line, quantity: line.quantity.plus(1) })) }),
};
const FEWER: Change = { what: 'the lines', change: ({ lines }) => ({ lines: lines.slice(1) }) };
const PRICES: Change = {
  what: 'a price',
  change: ({ lines }) => ({ lines: lines.map((line) => ({ ...line, unitPrice: line.unitPrice.plus(1) })) }),
};
const CHARGES: Change = {
  what: 'the charges',
  change: ({ lines }) => chargesFor(lines, { discount: new Decimal('0.10'), shipping: new Decimal('7.00') }),
};
const RESERVED: Change = { what: 'the status', change: () => ({ status: 'reserved' }) };
const CANCELLED: Change = { what: 'the status', change: () => ({ status: 'cancelled' }) };

/** People's changes are found by the same stamp, so a stamp that does not move hides them. */
export const STAMP_CHECKS: readonly Check[] = [
  {
    name: 'orders-stamp',
    promise: 'a change of an order updates its change time',
    effect: 'writes',
    untested: ({ erp }) => {
      const how = erp.notices?.orders ?? 'stamp';
      if (how === 'stamp') return null;
      return how === 'whole'
        ? 'the list of orders is read whole at each poll, and each row is compared'
        : 'the list of orders has a cursor in place of a stamp';
    },
    async run(bench) {
      const changes = [
        ...(bench.can.editing === 'no' ? [] : [LINES, FEWER, PRICES]),
        ...(takesCharges(bench, firstStatus(bench)) ? [CHARGES] : []),
        ...(bench.uses.drafts ? [RESERVED] : []),
        CANCELLED,
      ];
      const orders: ErpOrder[] = [];
      for (const _ of changes) orders.push(await makeOrder(bench, firstStatus(bench)));
      const reachMs = await passed(bench, orders);
      for (const [index, { what, change }] of changes.entries()) {
        const order = orders[index] as ErpOrder;
        const { time } = await bench.erp.ping();
        const changed = await acceptedOrder(bench, await bench.erp.updateOrder(order.id, change(order)));
        // A deleted order has no stamp.
        if (changed.status === 'cancelled' && (await isGone(bench, order.id))) continue;
        assertPromise(!isBefore(changed.changedAt, minusMs(time, reachMs)), () => ({
          expected: `order ${order.id} changed at ${time} or later, once ${what} changed`,
          came: `changed_at ${changed.changedAt}`,
          mend: `map changed_at to a time that moves with ${what}, or leave the filter of changes out of the list of orders. Where it lies whole hours behind, correct the zone of its times`,
        }));
        if (changed.status !== 'cancelled') await cancel(bench, order);
      }
    },
  },
];

const LOOK_MS = 100;
const MOST_ASKED = 20;

/**
 * Waits until the ERP's clock has passed these orders' stamps, so that an unmoved stamp is recognised. Returns how far
 * a stamp may lag behind the clock.
 */
async function passed({ erp, can, signal }: Bench, orders: readonly ErpOrder[]): Promise<number> {
  const isCut = orders.every(({ changedAt }) => /^[^.]*(\.0+)?Z?$/.test(changedAt));
  const reachMs = can.longestTransactionMs + (isCut ? 1_000 : 0);
  // A clock may show whole seconds.
  for (let asked = 0; asked < MOST_ASKED; asked += 1) {
    const { time } = await erp.ping();
    const agesMs = orders.map(({ changedAt }) => Number((instantNs(time) ?? 0n) - (instantNs(changedAt) ?? 0n)) / 1e6);
    const leftMs = Math.min(reachMs + 1, reachMs + 1 - Math.min(...agesMs));
    if (leftMs <= 0) break;
    await sleep(Math.max(leftMs, LOOK_MS), undefined, { signal });
  }
  return reachMs;
}
