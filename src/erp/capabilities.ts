import { z } from 'zod';
import { doc, duration, durationMs, flag, wholeNumber } from '../settings/scalars.ts';

/**
 * What an ERP can. The program asks this and never the name of a connector. It comes from three places, of which the later
 * wins: the defaults (an ERP that speaks version 1 of the contract and says no more), the ping, and the configuration, with
 * the preset that it extends.
 */
export interface Capabilities {
  /** It keeps the totals of an order as they are sent, or computes them with its own rounding. */
  readonly totals: 'stored' | 'computed';
  /** in-place: an order may be changed until it is shipped. until-picked: until the ERP picks it. no: never. */
  readonly editing: 'in-place' | 'until-picked' | 'no';
  /** The most decimals that a price and a quantity may have; null: any number. */
  readonly decimals: { readonly price: number | null; readonly quantity: number | null };
  /** A second create with the same reference is refused, or answered with the first, so one that may be under way does no harm. */
  readonly uniqueReference: boolean;
  /**
   * A row may become visible so long after the time that it says it changed: its longest transaction. Reads of changes go back
   * as far, and an order counts in a stock figure only when the figure is so much later.
   */
  readonly longestTransactionMs: number;
  /** told: a deleted record is shown as deleted. by-list: it is missing from a whole list. */
  readonly deletions: 'told' | 'by-list';
  /** Its orders say of each line what was shipped and what was given up; where not, what they say of it is not believed. */
  readonly partialShipments: boolean;
  readonly payments: Access;
  readonly customers: Access;
  /** It lists the lots that its stock lies in. */
  readonly lots: boolean;
  /** Products can be made there. */
  readonly products: boolean;
  /** Its orders show its verdicts on purchase orders. */
  readonly approvals: boolean;
  /** Its orders keep what became of their transports. */
  readonly transports: boolean;
  /** Its transports keep when they are expected, and their tracking numbers; and they may be planned only. */
  readonly tracking: boolean;
  /** Its orders take an address and a day of delivery, and its lines their key and the units in a case. */
  readonly orderDetails: boolean;
}

/** none: it has no such records. read: they can be listed. write: and made. */
export type Access = 'none' | 'read' | 'write';

/** What somebody said of an ERP. */
export type Said = Partial<Capabilities>;

export const OF_VERSION_1: Capabilities = {
  totals: 'stored',
  editing: 'in-place',
  decimals: { price: null, quantity: null },
  uniqueReference: false,
  longestTransactionMs: 0,
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

/** What is said later wins, one by one. */
export function capabilitiesOf(...said: readonly Said[]): Capabilities {
  return said.reduce<Capabilities>((before, next) => ({ ...before, ...next }), OF_VERSION_1);
}

const access = z.enum(['none', 'read', 'write']);
const decimals = doc(wholeNumber(0, 15), 'The most decimals; any number when left out.').optional();

/** The section `capabilities` of a configuration and of a ping. */
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
    decimals: doc(
      z.strictObject({ price: decimals, quantity: decimals }),
      'The most decimals that a price and a quantity may have there.',
    ),
    unique_reference: doc(
      flag(),
      'It makes one order of a reference: a second create is refused, or answered with the first order.',
    ),
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

export function resolveCapabilities(file: CapabilitiesFile): Said {
  const { decimals: most, unique_reference, longest_transaction, partial_shipments, order_details, ...same } = file;
  return known({
    ...same,
    decimals: most && { price: most.price ?? null, quantity: most.quantity ?? null },
    uniqueReference: unique_reference,
    longestTransactionMs: longest_transaction === undefined ? undefined : durationMs(longest_transaction),
    partialShipments: partial_shipments,
    orderDetails: order_details,
  });
}

/** What a description takes of an order's details: those that its writes name. */
export function detailsNamedIn(...writes: readonly unknown[]): Pick<Capabilities, 'tracking' | 'orderDetails'> {
  const text = JSON.stringify(writes);
  return {
    tracking: text.includes('expected_at') && text.includes('tracking'),
    orderDetails: /ship_to|delivery_date|unit_multiplier|\bline\.key\b/.test(text),
  };
}

/** What a ping says. What cannot be read is not said: an ERP may be newer than this program. */
export const saidInPing = z.record(z.string(), z.unknown()).transform((said) =>
  resolveCapabilities(
    Object.fromEntries(
      Object.entries(capabilitiesSection.shape).flatMap(([key, schema]) => {
        const read = schema.safeParse(said[key]);
        return read.success && read.data !== undefined ? [[key, read.data]] : [];
      }),
    ),
  ),
);

/** What a ping says: `totals` and `can` are the older ways to say it. */
export function saidIn({
  totals,
  can = [],
  capabilities = {},
}: {
  readonly totals?: Capabilities['totals'] | undefined;
  readonly can?: readonly ('approvals' | 'lots' | 'products' | 'transports')[] | undefined;
  readonly capabilities?: Said | undefined;
}): Said {
  const able = Object.fromEntries(can.map((what) => [what, true]));
  return { ...(totals === undefined ? {} : { totals }), ...able, ...capabilities };
}

type Loose = { [Name in keyof Capabilities]?: Capabilities[Name] | undefined };

function known(said: Loose): Said {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
