import { Decimal, ZERO } from '../../domain/decimal.ts';
import type { ErpOrder, ErpOrderChange, ErpOrderLine } from '../connector.ts';
import type { Bench } from './bench.ts';
import { assertPromise } from './broken.ts';
import type { Check } from './check.ts';
import { acceptedOrder, cancel, currentOrder, draftOf, firstStatus, totalOf } from './orders.ts';

/** The buyer owes the charges as sent, whoever computes the totals. */
export const CHARGE_CHECKS: readonly Check[] = [
  {
    name: 'charges',
    promise:
      'discount and shipping are kept as they are sent, through an edit of the lines and, unless charge_edits is false, of themselves',
    effect: 'writes',
    async run(bench) {
      const [discount, shipping] = [new Decimal('1.10'), new Decimal('5.00')];
      const draft = await draftOf(bench, firstStatus(bench));
      const sent = { ...draft, discount, shipping, total: draft.total.minus(discount).plus(shipping) };
      const made = await acceptedOrder(bench, await bench.erp.createOrder(sent));
      sameCharges(await currentOrder(bench, made.id), sent, 'after the create');
      let now: Charges = sent;
      if (bench.can.editing !== 'no') {
        const lines = made.lines.map((line) => ({ ...line, quantity: line.quantity.plus(1) }));
        await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { lines }));
        sameCharges(await currentOrder(bench, made.id), sent, 'after an edit of the lines');
        if (takesCharges(bench, made.status)) {
          now = { discount: new Decimal('0.10'), shipping: new Decimal('7.00') };
          await acceptedOrder(bench, await bench.erp.updateOrder(made.id, chargesFor(lines, now)));
          sameCharges(await currentOrder(bench, made.id), now, 'after a change of both');
        }
      }
      if (made.status === 'draft') {
        await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { status: 'reserved' }));
        sameCharges(await currentOrder(bench, made.id), now, 'once it is reserved');
      }
      await cancel(bench, made);
    },
  },
];

/** Whether the ERP accepts changed charges in this status. */
export function takesCharges({ can }: Bench, status: string): boolean {
  return can.editing !== 'no' && (can.chargeEdits || status === 'draft');
}

/** The change of an order with these lines to other charges. */
export function chargesFor(lines: readonly ErpOrderLine[], charges: Charges): ErpOrderChange {
  return { ...charges, tax: ZERO, total: totalOf(lines).minus(charges.discount).plus(charges.shipping) };
}

type Charges = Pick<ErpOrder, 'discount' | 'shipping'>;

/** @throws BrokenPromise when the shown discount or shipping differs from that sent */
function sameCharges(came: Charges, sent: Charges, when: string): void {
  for (const name of ['discount', 'shipping'] as const) {
    assertPromise(came[name].equals(sent[name]), () => ({
      expected: `${name} ${sent[name].toFixed()} ${when}`,
      came: `${name} ${came[name].toFixed()}`,
      mend: `let the write carry ${name}, and the order show it: the buyer owes it, also where the ERP computes totals`,
    }));
  }
}
