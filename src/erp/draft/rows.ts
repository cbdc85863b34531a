import { type Fields, type Found } from './fields.ts';
import {
  activeRule,
  currencyRule,
  deletedRule,
  expressionOf,
  linesRule,
  MULTIPLIER_QUESTION,
  moneyOf,
  originRule,
  referenceRule,
  ruleOf,
  statusRule,
  UNDECIDED,
} from './rules.ts';
import { type Reading } from './score.ts';
import { Commented, decide } from './yaml.ts';

/** JSONata rules for the rows of the contract, from JSON or files. Pure. */

export interface RowStyle {
  readonly currency: string;
  /** The rule for a time; undefined: no field was found. */
  readonly time: (found: Found | undefined) => unknown;
  /** The time of a stock figure without its own field; undefined: the connector knows it. */
  readonly asOf: string | undefined;
}

export function productRow(fields: Fields, { currency, time }: RowStyle): object {
  return {
    id: ruleOf(fields, 'id', ruleOf(fields, 'sku', UNDECIDED)),
    sku: ruleOf(fields, 'sku', decide(UNDECIDED, 'the SKU; no field looks like it')),
    ...plain(fields, ['name', 'description']),
    active: activeRule(fields),
    deleted: deletedRule(fields),
    price: {
      amount: moneyOf(fields, 'price.amount', decide(UNDECIDED, 'the price; no field looks like it')),
      currency: currencyRule(fields, 'price.currency', currency),
    },
    unit_multiplier: ruleOf(fields, 'unit_multiplier', decide(1, MULTIPLIER_QUESTION)),
    changed_at: time(fields['changed_at']),
  };
}

/** A figure that already excludes open orders is not the stock on hand. */
export const RESERVED_QUESTION =
  'what open orders hold; nothing looks like it. Does the figure have it taken off already? Then add what they hold to both: "stockbridge guide rest", "A figure with orders taken off"';

/** Two of three stock figures are enough. One of them may be left to a person. */
export function stockRow(fields: Fields, { time, asOf }: RowStyle): object {
  const { on_hand: onHand, available, reserved } = fields;
  const none =
    onHand === undefined
      ? new Commented(0, 'already subtracted from what is available')
      : decide(UNDECIDED, RESERVED_QUESTION);
  const figure = (found: Found | undefined) => (found === undefined ? '0' : expressionOf(found.field));
  const minus = (from: Found | undefined, less: Found | undefined) =>
    new Commented(`$minus(${figure(from)}, ${figure(less)})`, 'made of the others');
  const isDerived = reserved === undefined && onHand !== undefined && available !== undefined;
  // The files connector computes the third figure itself.
  const [third, sum] =
    asOf === undefined
      ? [undefined, undefined]
      : [
          minus(onHand, reserved),
          new Commented(`$plus(${figure(available)}, ${figure(reserved)})`, 'made of the others'),
        ];
  return {
    sku: ruleOf(fields, 'sku', decide(UNDECIDED, 'the SKU; no field looks like it')),
    product_id: ruleOf(fields, 'product_id', ruleOf(fields, 'id', ruleOf(fields, 'sku', UNDECIDED))),
    location: ruleOf(fields, 'location', undefined),
    on_hand: ruleOf(fields, 'on_hand', sum),
    reserved: isDerived ? third && minus(onHand, available) : ruleOf(fields, 'reserved', none),
    available: ruleOf(fields, 'available', third),
    as_of: fields['as_of'] === undefined ? asOf : time(fields['as_of']),
  };
}

export function orderRow({ fields, collection, lines }: Reading<unknown>, { currency, time }: RowStyle): object {
  const list = fields['lines']?.field;
  const ofLine = lines?.fields ?? {};
  const isRow = lines?.collection === collection;
  const { quantity, unit_price: price } = ofLine;
  const sum =
    list === undefined || quantity === undefined || price === undefined
      ? UNDECIDED
      : `$total([${expressionOf(list)}.$times(${expressionOf(quantity.field)}, ${expressionOf(price.field)})])`;
  const money = (role: string) => moneyOf(fields, role, new Commented('0', `no field looks like the ${role}`));
  return {
    id: ruleOf(fields, 'id', ruleOf(fields, 'reference', UNDECIDED)),
    reference: referenceRule(fields),
    origin: originRule(fields),
    status: statusRule(fields),
    customer: orNothing({
      id: ruleOf(fields, 'customer.id', undefined),
      marketplace_id: ruleOf(fields, 'customer.marketplace_id', undefined),
      name: ruleOf(fields, 'customer.name', undefined),
    }),
    currency: currencyRule(fields, 'currency', currency),
    lines: isRow ? plain(ofLine, ['sku', 'quantity', 'unit_price', 'shipped', 'given_up']) : linesRule(list, ofLine),
    discount: money('discount'),
    shipping: money('shipping'),
    tax: money('tax'),
    // The connector adds up lines that are separate rows.
    total: isRow
      ? ruleOf(fields, 'total', undefined)
      : moneyOf(fields, 'total', decide(sum, 'the total; no field looks like it')),
    ...plain(fields, ['note']),
    changed_at: time(fields['changed_at']),
  };
}

export function customerRow(fields: Fields, { time }: RowStyle): object {
  const roles = ['id', 'marketplace_id', 'name', 'email', 'phone'];
  return { ...plain(fields, roles), changed_at: time(fields['changed_at']) };
}

function plain(fields: Fields, roles: readonly string[]): object {
  return Object.fromEntries(roles.map((role) => [role, ruleOf(fields, role, undefined)]));
}

function orNothing(parts: Readonly<Record<string, unknown>>): object | undefined {
  return Object.values(parts).every((part) => part === undefined) ? undefined : parts;
}
