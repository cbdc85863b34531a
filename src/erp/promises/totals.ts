import { minusMs } from '../../domain/instant.ts';
import type { ErpOrder, ErpOrderDraft } from '../connector.ts';
import type { Bench } from './bench.ts';
import { assertPromise } from './broken.ts';
import type { Check } from './check.ts';
import { acceptedOrder, cancel, currentOrder, draftOf, firstStatus, newReference, totalOf } from './orders.ts';
import { noEditing } from './writing.ts';

/** Checks the shown totals after edits, by id and in the list. */
export const TOTALS: Check = {
  name: 'edit-totals',
  promise: 'after an edit, the amounts of an order are those of the edited order',
  effect: 'writes',
  untested: noEditing,
  async run(bench) {
    const draft = await draftOf(bench, firstStatus(bench), ['2', '1']);
    const made = await acceptedOrder(bench, await bench.erp.createOrder(draft));
    const once = await editedTotal(bench, draft, made, 1);
    if (made.status === 'draft')
      await acceptedOrder(bench, await bench.erp.updateOrder(made.id, { status: 'reserved' }));
    await editedTotal(bench, draft, once, 2);
    await cancel(bench, made);
    return `totals are ${bench.can.totals}`;
  },
};

/**
 * Raises each line's quantity and returns the shown order.
 * @throws BrokenPromise when its total, by id or in the list, is not that of the edited lines
 */
async function editedTotal(bench: Bench, draft: ErpOrderDraft, before: ErpOrder, more: number): Promise<ErpOrder> {
  const lines = draft.lines.map((line) => ({ ...line, quantity: line.quantity.plus(more) }));
  const total = totalOf(lines);
  await acceptedOrder(bench, await bench.erp.updateOrder(before.id, { lines, total }));
  const order = await currentOrder(bench, before.id);
  const expected = bench.can.totals === 'stored' ? total : await totalAfresh(bench, draft, lines);
  const since = minusMs(order.changedAt, bench.can.longestTransactionMs);
  const listed = (await Array.fromAsync(bench.erp.listOrders(since))).flatMap(({ items }) => items);
  for (const [place, one] of [
    ['', order],
    [' in the list of orders', listed.find(({ id }) => id === order.id)],
  ] as const) {
    assertPromise(one === undefined || one.total.equals(expected), () => ({
      expected: `a total of ${expected.toFixed()}${place}`,
      came: `${one?.total.toFixed()}${one?.total.equals(before.total) === true ? ', that of the order before the edit' : ''}`,
      mend:
        bench.can.totals === 'stored'
          ? 'let an edit take the total, or set capabilities.totals: computed if the ERP computes it'
          : 'let the order show the total of its lines as they are now',
    }));
  }
  return order;
}

/** The total that the ERP computes for a new order with these lines. */
async function totalAfresh(bench: Bench, draft: Parameters<Bench['makeSurely']>[0], lines: ErpOrder['lines']) {
  const other = await bench.erp.createOrder({ ...draft, reference: newReference(), lines, total: totalOf(lines) });
  await cancel(bench, other);
  return other.total;
}
