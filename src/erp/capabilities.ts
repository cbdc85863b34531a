import { z } from 'zod';
import { type Camelled, camelled, onlyKnown } from '../settings/names.ts';
import { doc, duration, durationMs, flag, wholeNumber } from '../settings/scalars.ts';

const access = z.enum(['none', 'read', 'write']);
const decimals = doc(wholeNumber(0, 15), 'The most decimals; any number when left out.').optional();

export const capabilitiesSection = z
  .strictObject({
    totals: doc(
      z.enum(['stored', 'computed']),
      'Whether it keeps the totals of orders as they are sent, or computes them with its own rounding.',
    ),
    editing: doc(
      z.enum(['in-place', 'until-picked', 'no']),
      'Whether an order may be changed: until it is shipped, until it is picked, or never.',
    ),
    charge_edits: doc(
      flag(),
      'Discount, shipping and tax of an order may be changed once it is taken up. With false, such a change is reported and left to people.',
    ),
    decimals: doc(
      z.strictObject({ price: decimals, quantity: decimals }),
      'The most decimals that a price and a quantity may have there.',
    ),
    unique_reference: doc(
      flag(),
      'It makes one order of a reference: a second create is refused, or answered with the first order.',
    ),
    reference: doc(
      z.strictObject({
        length: doc(
          wholeNumber(12, 1_000),
          'The most characters; any number when left out. A longer order number gets a short reference.',
        ).optional(),
        characters: doc(
          z.enum(['any', 'letters-and-digits']),
          'Whether signs such as - are kept, or letters and digits alone; any when left out.',
        ).optional(),
        case: doc(
          z.enum(['kept', 'ignored']),
          'Whether small letters stay small and differ from capitals; kept when left out. Where it is ignored, references are of capitals.',
        ).optional(),
      }),
      'The references of orders that it keeps as they are sent.',
    ),
    // A stock figure counts an order only if it is at least this much later than the order.
    longest_transaction: doc(
      duration('0s'),
      'How long a change may take to become visible, after the time that it says. Reads of changes go back so far.',
    ),
    deletions: doc(
      z.enum(['told', 'by-list']),
      'Whether a deleted record is shown as deleted, or is missing from a whole list.',
    ),
    partial_shipments: doc(
      flag(),
      'Its orders say of each line what was shipped, and what never will be. With false, a shipped order is taken for shipped whole.',
    ),
    payments: doc(access, 'Whether its payments can be listed, and made.'),
    customers: doc(access, 'Whether its customers can be listed, and made.'),
    lots: doc(flag(), 'It lists the lots that its stock lies in.'),
    products: doc(flag(), 'Products can be made there, and found by their SKU.'),
    approvals: doc(flag(), 'Its orders show its verdicts on purchase orders.'),
    transports: doc(flag(), 'Its orders keep what became of their transports.'),
    tracking: doc(flag(), 'Its transports keep when they are expected, and their tracking numbers.'),
    order_details: doc(
      flag(),
      'Its orders take a ship-to address, a delivery date, and of each line its id on the marketplace and the units in a case.',
    ),
  })
  .partial();

export type CapabilitiesFile = z.output<typeof capabilitiesSection>;

type Stated = { readonly [Name in keyof CapabilitiesFile]-?: Exclude<CapabilitiesFile[Name], undefined> };

/**
 * What an ERP can do. Later sources win: the defaults of contract version 1, the ping, the configuration with its
 * preset.
 */
export interface Capabilities extends Camelled<Omit<Stated, 'decimals' | 'longest_transaction' | 'reference'>> {
  /** null: unlimited. */
  readonly decimals: { readonly price: number | null; readonly quantity: number | null };
  readonly longestTransactionMs: number;
  /** `length` null: unlimited. */
  readonly reference: {
    readonly length: number | null;
    readonly characters: 'any' | 'letters-and-digits';
    readonly letterCase: 'kept' | 'ignored';
  };
}

export type StatedCapabilities = Partial<Capabilities>;

export const OF_VERSION_1: Capabilities = {
  totals: 'stored',
  editing: 'in-place',
  chargeEdits: true,
  decimals: { price: null, quantity: null },
  uniqueReference: false,
  longestTransactionMs: 0,
  reference: { length: null, characters: 'any', letterCase: 'kept' },
  deletions: 'by-list',
  partialShipments: true,
  payments: 'write',
  customers: 'write',
  lots: false,
  products: false,
  approvals: false,
  transports: false,
  tracking: false,
  orderDetails: false,
};

/** The last source that states a capability wins. */
export function capabilitiesOf(...said: readonly StatedCapabilities[]): Capabilities {
  return said.reduce<Capabilities>((before, next) => ({ ...before, ...next }), OF_VERSION_1);
}

export function resolveCapabilities(file: CapabilitiesFile): StatedCapabilities {
  const { decimals: most, longest_transaction: longest, reference, ...same } = file;
  return onlyKnown({
    ...camelled(same),
    reference: reference && {
      length: reference.length ?? null,
      characters: reference.characters ?? 'any',
      letterCase: reference.case ?? 'kept',
    },
    decimals: most && { price: most.price ?? null, quantity: most.quantity ?? null },
    longestTransactionMs: longest === undefined ? undefined : durationMs(longest),
  });
}

/** The order details that the described writes send. */
export function detailsNamedIn(...writes: readonly unknown[]): Pick<Capabilities, 'tracking' | 'orderDetails'> {
  const text = JSON.stringify(writes);
  return {
    tracking: text.includes('expected_at') && text.includes('tracking'),
    orderDetails: /ship_to|delivery_date|unit_multiplier|\bline\.key\b/.test(text),
  };
}

/** The capabilities in a ping. An unknown value is ignored, since an ERP may be newer than this program. */
export const pingCapabilities = z.record(z.string(), z.unknown()).transform((said) =>
  resolveCapabilities(
    Object.fromEntries(
      Object.entries(capabilitiesSection.shape).flatMap(([key, schema]) => {
        const read = schema.safeParse(said[key]);
        return read.success && read.data !== undefined ? [[key, read.data]] : [];
      }),
    ),
  ),
);

/** All capabilities in a ping. `totals` and `can` are the older form. */
export function statedIn({
  totals,
  can = [],
  capabilities = {},
}: {
  readonly totals?: Capabilities['totals'] | undefined;
  readonly can?: readonly ('approvals' | 'lots' | 'products' | 'transports')[] | undefined;
  readonly capabilities?: StatedCapabilities | undefined;
}): StatedCapabilities {
  const able = Object.fromEntries(can.map((what) => [what, true]));
  return { ...(totals === undefined ? {} : { totals }), ...able, ...capabilities };
}
