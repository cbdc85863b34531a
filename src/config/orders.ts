import { z } from 'zod';
import { Decimal } from '../domain/decimal.ts';
import { compileExpression } from '../expressions/expression.ts';
import { dateTime, decimal, doc, duration, durationMs, flag } from '../settings/scalars.ts';
import { expression } from './products.ts';

const fromErp = z.strictObject({
  since: doc(
    z.union([z.iso.date(), dateTime()], 'expected a date or a date-time with its zone, such as 2026-11-01'),
    'Orders that were made in the ERP before this are left alone. A date begins at midnight, UTC.',
  ),
  when: doc(
    expression(),
    "JSONata over the ERP's order: an order is entered where this is true. Without it, every order is entered.",
  ).optional(),
});

const approvals = z.strictObject({
  purchase_order_number: doc(
    expression(),
    "JSONata over the marketplace's order that makes the UUID of its purchase order. The documents do not say which field has it.",
  ),
  order_id: doc(
    expression(),
    "JSONata over the marketplace's order that makes the id that is sent as order_id. Without it, none is sent.",
  ).optional(),
  from: doc(dateTime(), 'Verdicts given before this instant are not sent. Without it, all are sent.').optional(),
});

const transports = z.strictObject({
  order: doc(
    expression(),
    "JSONata over the marketplace's transport order that makes the number of its order, or that order's id in the ERP.",
  ),
  tracking: doc(
    expression(),
    "JSONata over the marketplace's transport order that makes its tracking number. The documents do not say what its tracking_transfer holds.",
  ).optional(),
  from: doc(
    dateTime(),
    'Transport orders made before this instant are left alone. Without it, all are read.',
  ).optional(),
  poll: doc(duration('100ms').prefault('15m'), 'How often the transport orders are read.'),
});

const unmapped = () => z.enum(['hold', 'create', 'pass']);

export const orders = z.strictObject({
  on_unmapped_product: doc(
    unmapped().prefault('hold'),
    'A line whose product the ERP does not know: hold the order, create the product there, or pass its name only.',
  ),
  on_unmapped_customer: doc(
    unmapped().prefault('create'),
    'A customer that the ERP does not know: hold the order, create the customer, or pass the name only.',
  ),
  from_erp: doc(
    z.union([z.literal('off'), fromErp], 'expected off, or since and when').prefault('off'),
    'Orders made in the ERP that are entered on the marketplace: none, or those from a date on that a rule picks.',
  ),
  prices: doc(
    z.enum(['agreed', 'follow']).prefault('agreed'),
    'agreed: an order keeps the prices that it had when it was exported, and a later difference is reported. follow: a later price is carried over.',
  ),
  erp_edits: doc(
    z.enum(['tell', 'hold', 'write']).prefault('tell'),
    "A change that somebody makes to an order in the ERP: tell it, hold the order, or write it to the marketplace's lines.",
  ),
  accept_backorders: doc(
    flag().prefault(false),
    'Accept an order in Backorder when there is stock for all its lines again. Needs marketplace.transitions.accept.',
  ),
  deleted: doc(
    z.enum(['cancel', 'tell']).prefault('cancel'),
    'An order that is gone from the marketplace: cancel it in the ERP, within the brake reject, or tell it. One that was made in the ERP is always told.',
  ),
  cancel_grace: doc(
    duration('0s').prefault('30s'),
    'How long an order that the ERP cancelled waits before it is rejected on the marketplace. ERPs that amend an order by cancelling it put a copy in its place meanwhile.',
  ),
  transports: doc(
    z.union([z.literal('off'), transports], 'expected off, or order').prefault('off'),
    'Tell the ERP which transports of an order are shipped and delivered. The ERP has to take that.',
  ),
  approvals: doc(
    z.union([z.literal('off'), approvals], 'expected off, or purchase_order_number').prefault('off'),
    "The ERP's verdicts on purchase orders that are sent to the marketplace: none, or those from an instant on.",
  ),
  excise_tax: doc(
    z
      .strictObject({
        rate_percent: doc(decimal().prefault('27'), 'Percent, after discounts and shipping.'),
        applies: doc(
          z.enum(['california', 'always', 'never']).prefault('california'),
          'The orders to which the tax applies: those of California buyers, all, or none.',
        ),
      })
      .prefault({}),
    'The excise tax that is added to the order total.',
  ),
  export_from: doc(
    dateTime(),
    'Orders that were last changed before this instant when they were seen first are history. Without it, the first start is that instant.',
  ).optional(),
  history: doc(
    z.enum(['leave', 'enter']).prefault('leave'),
    'Orders from before export_from. leave: those that were over stay out of the ERP, those that were open wait for one approval. enter: all are entered.',
  ),
});

/** Orders created in the ERP; null: none is entered on the marketplace. */
function resolveFromErp(file: z.output<typeof orders>['from_erp']) {
  if (file === 'off') return null;
  const since = file.since.includes('T') ? file.since : `${file.since}T00:00:00Z`;
  return { since, when: file.when === undefined ? null : compileExpression(file.when) };
}

/** The rules for transports of orders; null: none is written to the ERP. */
function resolveTransports(file: z.output<typeof orders>['transports']) {
  if (file === 'off') return null;
  const { order, tracking, from, poll } = file;
  return {
    order: compileExpression(order),
    tracking: tracking === undefined ? null : compileExpression(tracking),
    from: from ?? null,
    pollMs: durationMs(poll),
  };
}

/** The rules for verdicts on purchase orders; null: none is written to the marketplace. */
function resolveApprovals(file: z.output<typeof orders>['approvals']) {
  if (file === 'off') return null;
  const { purchase_order_number: number, order_id: id, from } = file;
  return {
    purchaseOrderNumber: compileExpression(number),
    orderId: id === undefined ? null : compileExpression(id),
    from: from ?? null,
  };
}

export function resolveOrders(file: z.output<typeof orders>) {
  return {
    fromErp: resolveFromErp(file.from_erp),
    onUnmappedProduct: file.on_unmapped_product,
    onUnmappedCustomer: file.on_unmapped_customer,
    prices: file.prices,
    erpEdits: file.erp_edits,
    cancelGraceMs: durationMs(file.cancel_grace),
    acceptBackorders: file.accept_backorders,
    deleted: file.deleted,
    transports: resolveTransports(file.transports),
    approvals: resolveApprovals(file.approvals),
    exciseTax: {
      ratePercent: new Decimal(file.excise_tax.rate_percent),
      applies: file.excise_tax.applies,
    },
    exportFrom: file.export_from ?? null,
    history: file.history,
  };
}
