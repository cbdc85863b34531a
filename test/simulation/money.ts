import { Decimal } from 'decimal.js';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { HeldEntity } from '../support/held.ts';
import { Nothing } from './pick.ts';
import type { Request, Sides } from './sides.ts';

const PAID = '2026-01-05T08:00:00.000Z';
const PATHS = { marketplace: '/order-payments/', erp: '/v1/payments' } as const;
type Side = keyof typeof PATHS;

/**
 * Payments that people enter, each with an amount of its own, and the law about them: the program never records a payment that
 * was entered on both sides at once, and records a payment from one side exactly once.
 */
export function createMoney(sides: Sides, broken: string[]) {
  /** By amount: the order that it is for, and the sides on which people entered it. */
  const entered = new Map<string, { readonly order: PaidOrder; readonly on: readonly Side[] }>();
  /** Amounts that were entered on both sides at the same moment. */
  const atOnce = new Set<string>();
  const recorded = new Map<string, number>();

  const enter: Readonly<Record<Side, (amount: string, order: PaidOrder) => unknown>> = {
    marketplace: (total, { number }) =>
      sides.marketplace.addRecord('order-payments', { order: number, total, payment_type: 'cash', payment_date: PAID }),
    erp: (amount, { erpId }) =>
      sides.erp.control.addPayment({ order_id: erpId, amount, method: 'Cash', received_at: PAID }),
  };
  const add = (amount: string, on: readonly Side[], order: PaidOrder): void => {
    for (const side of on) enter[side](amount, order);
    entered.set(amount, { order, on: [...(entered.get(amount)?.on ?? []), ...on] });
  };
  const countOn = (side: Side): ReadonlyMap<string, number> => {
    const amounts =
      side === 'erp'
        ? sides.erp.control.state().payments.map(({ amount }) => amount)
        : sides.marketplace.records('order-payments').map(({ total }) => String(total));
    const found = new Map<string, number>();
    for (const amount of amounts.map(plain)) found.set(amount, (found.get(amount) ?? 0) + 1);
    return found;
  };

  return {
    /** Lets somebody enter a payment. Returns the words for it. */
    enter(luck: Chance): string {
      const orders = ordersOnBoth(sides);
      const order = orders[luck.whole(0, Math.max(0, orders.length - 1))];
      if (order === undefined) return nothing();
      const amount = String(109 + entered.size);
      const where = luck.pick(['both', 'both', 'erp', 'marketplace', 'once more'] as const);
      if (where === 'both') atOnce.add(amount);
      if (where !== 'once more') add(amount, where === 'both' ? ['erp', 'marketplace'] : [where], order);
      else onceMore(luck);
      return `money is entered: ${where}`;
    },
    /** To be called after a write of the program was applied. */
    judge(side: Side, { method, target, body }: Request): void {
      if (method !== 'POST' || !target.endsWith(PATHS[side])) return;
      const [, text = '0'] = /"(?:amount|total)":"?([\d.]+)/.exec(body) ?? [];
      const amount = plain(text);
      // Payments of the table are judged at the end alone.
      if (!entered.has(amount)) return;
      const times = (recorded.get(amount) ?? 0) + 1;
      recorded.set(amount, times);
      if (atOnce.has(amount))
        broken.push(`I2: payment of ${amount} was entered on both sides, and recorded again: ${side}`);
      else if (times > 1) broken.push(`I2: payment of ${amount} was recorded ${times} times`);
    },
    /** Judges at the end: every payment is on both sides, or is held. */
    judgeAll(held: readonly HeldEntity[]): void {
      const isHeld = held.some(({ flow }) => flow.startsWith('payment-'));
      const [here, there] = [countOn('erp'), countOn('marketplace')];
      for (const [amount, { on }] of entered) {
        const counts = [here.get(amount) ?? 0, there.get(amount) ?? 0];
        const most = on.length === 1 || atOnce.has(amount) ? 1 : 2;
        if (counts.some((count) => count > most) || (counts.some((count) => count === 0) && !isHeld))
          broken.push(
            `I6: payment of ${amount} stands ${counts.join(' and ')} times, and people entered it: ${on.join()}`,
          );
      }
    },
  };

  /** Lets somebody enter a payment of one side on the other side as well, whatever the program has done meanwhile. */
  function onceMore(luck: Chance): void {
    const alone = [...entered].filter(([, { on }]) => on.length === 1);
    const [amount, { order, on }] = alone[luck.whole(0, Math.max(0, alone.length - 1))] ?? nothing();
    add(amount, [on[0] === 'erp' ? 'marketplace' : 'erp'], order);
  }
}

function nothing(): never {
  throw new Nothing();
}

interface PaidOrder {
  readonly number: string;
  readonly erpId: string;
}

/** The orders on both sides, sorted by the marketplace's random numbers. */
function ordersOnBoth({ marketplace, erp }: Sides): PaidOrder[] {
  const numbers = new Set(marketplace.orderContents().map(({ number }) => number));
  return erp.control
    .state()
    .orders.flatMap(({ id, reference }) => (numbers.has(reference) ? [{ number: reference, erpId: id }] : []));
}

function plain(amount: string): string {
  return new Decimal(amount).toFixed();
}
