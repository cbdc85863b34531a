import { counted } from '../counted.ts';
import { type Miscounted, miscountedText } from '../miscounted.ts';
import { entriesOn, operator, withDifference } from './entry.ts';

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
    of === 'price'
      ? 'prices are then rounded before they are sent'
      : 'an order with more decimals is then held before it is entered';
  return ` If the ERP stores only ${kept === 0 ? 'whole numbers' : counted(kept, 'decimal')}, set erp.capabilities: { decimals: { ${of}: ${kept} } }: ${then}.`;
}

/** The next step for a price of a shipped order, which the ERP does not change any more. */
const SHIPPED_AT_PRICE =
  'The ERP has shipped the order, so its price there is not changed any more. Correct the price of the line on the marketplace, or settle the difference with the buyer and set the order to Complete there.';

export const ORDER_EDIT_CODES = entriesOn('orders', {
  'shipped-and-edited': operator(
    ({ order, erpOrder, lines, miscounted }) =>
      `Order ${order} was edited, but ERP order ${erpOrder} is already shipped with the earlier lines. The marketplace has ${lines}${miscountedNote(miscounted)}`,
    'Settle the difference by hand: ship the rest, or correct the order on the marketplace.',
    { order: '9f1c0a52', erpOrder: 'SO-17', lines: '3 x SB-0001 at 12.00 USD', miscounted: NOT_MISCOUNTED },
  ),
  'edited-in-erp': withDifference(
    operator(
      ({ order, erpOrder, base, there, erp: here, miscounted, rounded }) =>
        `ERP order ${erpOrder} of order ${order} was ${rounded == null ? 'changed' : 'changed or rounded'} in the ERP: both sides had ${base}, the marketplace has ${there}, the ERP has ${here}${miscountedNote(miscounted)}`,
      ({ miscounted, rounded }) =>
        miscounted == null
          ? `Make the same change on the marketplace, or undo it in the ERP. With orders.erp_edits: write, such changes are written to the marketplace.${decimalsNote('quantity', rounded)}`
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
  'shipped-short': withDifference(
    operator(
      ({ order, erpOrder, short, there }) =>
        `The ERP ships less of order ${order} than was ordered. ERP order ${erpOrder} ships ${short}; the marketplace has ${there}`,
      'Reduce the lines on the marketplace, so that the buyer does not pay for the missing units. With orders.erp_edits: write, Stockbridge reduces them before the order is fulfilled.',
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
  'lines-regrouped': operator(
    ({ order, erpOrder, sku, there, erp: here }) =>
      `The lines of ${sku} in ERP order ${erpOrder} of order ${order} were merged or split, and their prices do not show which line is which: the marketplace has ${there}, the ERP has ${here}`,
    'Give the lines in the ERP the prices of the marketplace, or change the lines on the marketplace to those of the ERP.',
    {
      order: '9f1c0a52',
      erpOrder: 'SO-17',
      sku: 'SB-0001',
      there: '5 x SB-0001 at 4.51 USD, 2 x SB-0001 at 0.00 USD',
      erp: '7 x SB-0001 at 3.22 USD',
    },
  ),
  'price-moved': withDifference(
    operator(
      ({ order, moves, otherCases }) =>
        otherCases === true
          ? `The units per case have changed since order ${order} was exported, and so has the price of a unit: ${moves}`
          : `The prices of order ${order} have changed on the marketplace since it was exported (per ERP unit): ${moves}`,
      ({ shipped, otherCases }) =>
        shipped
          ? SHIPPED_AT_PRICE
          : otherCases === true
            ? 'The ERP keeps the agreed price of a unit. If the new price is right, enter it in the ERP. If not, restore the units per case, or correct the price of the line on the marketplace.'
            : 'The ERP keeps the agreed price. If the new price is right, enter it in the ERP. With orders.prices: follow, Stockbridge enters such prices.',
      {
        order: '9f1c0a52',
        moves: 'SB-0001 20.80 USD, now 5.00 USD',
        shipped: false,
        otherCases: false as boolean | undefined,
      },
    ),
  ),
  'erp-price-differs': withDifference(
    operator(
      ({ order, erpOrder, agreed, erp: here }) =>
        `ERP order ${erpOrder} has the unit price ${here}, but order ${order} was placed with ${agreed}`,
      ({ shipped, rounded }) =>
        shipped
          ? SHIPPED_AT_PRICE
          : `Correct the price that is wrong: in the ERP, or on the marketplace, where it is the price of a case if the product is sold by the case. Stockbridge writes no price of an exported order.${decimalsNote('price', rounded)}`,
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        agreed: 'SB-0001 at 20.80 USD',
        erp: 'SB-0001 at 18.00 USD',
        shipped: false,
        rounded: NOT_ROUNDED,
      },
    ),
  ),
  'charges-edited-in-erp': withDifference(
    operator(
      ({ order, erpOrder, base, there, erp: here }) =>
        `Charges or the total of ERP order ${erpOrder} were changed in the ERP. Both sides had ${base}; order ${order} has ${there} on the marketplace, and the ERP has ${here}`,
      'Make the same change on the marketplace, or undo it in the ERP.',
      {
        order: '9f1c0a52',
        erpOrder: 'SO-17',
        base: 'discount 0.00 USD, shipping 0.00 USD',
        there: 'discount 0.00 USD, shipping 0.00 USD',
        erp: 'discount 2.00 USD, shipping 0.00 USD',
      },
    ),
  ),
  'edited-on-marketplace': withDifference(
    operator(
      ({ order, there, erp: here, miscounted }) =>
        `Order ${order} was created in the ERP and then edited on the marketplace. The marketplace has ${there}, the ERP has ${here}${miscountedNote(miscounted)}`,
      'Correct the order on one of the two sides: Stockbridge does not copy edits of such an order to the ERP.',
      {
        order: '9f1c0a52',
        there: '3 x SB-0001 at 12.00 USD',
        erp: '2 x SB-0001 at 12.00 USD',
        miscounted: NOT_MISCOUNTED,
      },
    ),
  ),
});
