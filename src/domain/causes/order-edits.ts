import { counted } from '../counted.ts';
import { type Miscounted, miscountedText } from '../miscounted.ts';
import { differing, on, operator } from './entry.ts';

/** null: both sides count lines in the same unit. undefined: stored by an earlier version. */
const NOT_MISCOUNTED = null as Miscounted | null | undefined;

function miscountedNote(miscounted: Miscounted | null | undefined): string {
  return miscounted == null ? '' : `: ${miscountedText(miscounted)}`;
}

/** null: the figures were not rounded. undefined: stored by an earlier version. */
const NOT_ROUNDED = null as number | null | undefined;

/** The setting for an ERP that stores fewer decimals than it receives. */
function decimalsNote(of: 'quantity' | 'price', kept: number | null | undefined): string {
  if (kept == null) return '';
  const then =
    of === 'price' ? 'prices are then rounded before they are sent' : 'a finer order is then held before it is entered';
  return ` If the ERP itself keeps ${kept === 0 ? 'whole numbers only' : counted(kept, 'decimal')}, say so with erp.capabilities: { decimals: { ${of}: ${kept} } }: ${then}.`;
}

/** The next step for a price of a shipped order, which the ERP does not change any more. */
const SHIPPED_AT_PRICE =
  'The ERP has shipped the order, so its price stays there. Correct the price of the line on the marketplace, or settle the difference with the buyer and set the order to Complete there.';

/** Lines, prices and charges that only one side has. */
export const ORDER_EDIT_CODES = on('orders', {
  'shipped-and-edited': operator(
    ({ order, erpOrder, lines, miscounted }) =>
      `Order ${order} was edited and its ERP order ${erpOrder} is shipped with other lines; the marketplace has ${lines}${miscountedNote(miscounted)}`,
    'Settle the difference by hand: ship the rest, or correct the order on the marketplace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', lines: '3 x SB-0001 at 12', miscounted: NOT_MISCOUNTED },
  ),
  'edited-in-erp': differing(
    operator(
      ({ order, erpOrder, base, there, erp: here, miscounted, rounded }) =>
        `ERP order ${erpOrder} of order ${order} was ${rounded == null ? 'changed' : 'changed or rounded'} in the ERP: both sides had ${base}, the marketplace has ${there}, the ERP has ${here}${miscountedNote(miscounted)}`,
      ({ miscounted, rounded }) =>
        miscounted == null
          ? `Change the order on the marketplace as well, or set it back in the ERP. With orders.erp_edits: write, such changes are written to the marketplace.${decimalsNote('quantity', rounded)}`
          : `Correct the line in the ERP to ${miscounted.ordered} ${miscounted.counts}, if the order itself was not changed.`,
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        base: '10 x SB-0001',
        there: '10 x SB-0001',
        erp: '7 x SB-0001',
        miscounted: NOT_MISCOUNTED,
        rounded: NOT_ROUNDED,
      },
    ),
  ),
  'shipped-short': differing(
    operator(
      ({ order, erpOrder, short, there }) =>
        `The ERP ships less of order ${order} than was ordered: of ERP order ${erpOrder} ${short}; the marketplace has ${there}`,
      'Reduce the lines on the marketplace, so that the buyer is not charged for them. With orders.erp_edits: write, that is done before the order is fulfilled.',
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        base: '10 x SB-0001',
        there: '10 x SB-0001',
        erp: '7 x SB-0001',
        short: '7 of 10 x SB-0001',
      },
    ),
  ),
  'edited-on-both-sides': operator(
    ({ order, erpOrder, base, there, erp: here }) =>
      `Order ${order} and its ERP order ${erpOrder} were changed on both sides: both had ${base}, the marketplace has ${there}, the ERP has ${here}`,
    'Decide which is right, and change the other side to it.',
    { order: '9f1c0a52', erpOrder: 'SO-17', base: '10 x SB-0001', there: '12 x SB-0001', erp: '7 x SB-0001' },
  ),
  'price-moved': differing(
    operator(
      ({ order, moves, otherCases }) =>
        otherCases === true
          ? `The case has changed since order ${order} was exported, and with it the price of a unit: ${moves}`
          : `The marketplace shows other prices for order ${order} than it was exported at, per ERP unit: ${moves}`,
      ({ shipped, otherCases }) =>
        shipped
          ? SHIPPED_AT_PRICE
          : otherCases === true
            ? 'The ERP keeps the agreed price of a unit. If the new one was meant, enter it in the ERP. If not, set the units per case back, or correct the price of the line on the marketplace.'
            : 'The ERP keeps the agreed price. If the new one was meant, enter it in the ERP; with orders.prices: follow, such prices are carried over.',
      { order: '9f1c0a52', moves: 'SB-0001 20.8, now 5', shipped: false, otherCases: false as boolean | undefined },
    ),
  ),
  'erp-price-differs': differing(
    operator(
      ({ order, erpOrder, agreed, erp: here }) =>
        `ERP order ${erpOrder} has ${here} a unit, and order ${order} was agreed with ${agreed} a unit`,
      ({ shipped, rounded }) =>
        shipped
          ? SHIPPED_AT_PRICE
          : `Correct the one that is wrong: the price in the ERP, or the price of the line on the marketplace, for a case where it is sold by the case. No price of an exported order is written.${decimalsNote('price', rounded)}`,
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        agreed: 'SB-0001 at 20.8',
        erp: 'SB-0001 at 18',
        shipped: false,
        rounded: NOT_ROUNDED,
      },
    ),
  ),
  'charges-edited-in-erp': differing(
    operator(
      ({ order, erpOrder, base, there, erp: here }) =>
        `Charges or the total of ERP order ${erpOrder} were changed in the ERP: both sides had ${base}, order ${order} has ${there} on the marketplace, the ERP has ${here}`,
      'Enter them on the marketplace as well, or set them back in the ERP.',
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        base: 'discount 0, shipping 0',
        there: 'discount 0, shipping 0',
        erp: 'discount 2, shipping 0',
      },
    ),
  ),
  'edited-on-marketplace': differing(
    operator(
      ({ order, there, erp: here, miscounted }) =>
        `Order ${order} was made in the ERP and edited on the marketplace; the marketplace has ${there}, the ERP has ${here}${miscountedNote(miscounted)}`,
      'Correct the order on one of the two sides: no edit of such an order is carried over to the ERP.',
      { order: '9f1c0a52', there: '3 x SB-0001 at 12', erp: '2 x SB-0001 at 12', miscounted: NOT_MISCOUNTED },
    ),
  ),
});
