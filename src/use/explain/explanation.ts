import { z } from 'zod';
import { decimalOf } from '../../domain/decimal.ts';
import { casesText, unitCountText } from '../../domain/figure-text.ts';
import { KINDS } from '../mapping/ids.ts';
import { type JsonOf, shownCause, shownFields } from '../shapes.ts';

/* All JSON: instants are texts in UTC, quantities exact texts. */

const text = z.string();
const texts = text.nullable();
const instant = text.meta({ description: 'An instant' });
const instants = texts.meta({ description: 'An instant' });
const kind = z.enum(KINDS);

const away = z.object({ side: z.enum(['marketplace', 'erp', 'redis']), since: instant, refuses: z.boolean() });

/** `readAt`: the last read of the list; null: never. */
const side = z.object({ fields: shownFields, readAt: instants });

/** Both sides, and the state on which they last agreed. */
const sides = z.object({
  marketplace: side,
  erp: side,
  base: shownFields,
  /** Comparable fields with different values. */
  differing: z.array(text),
});

/** A live order line, or units without a known order. */
const ledgerRow = z.object({
  order: texts.meta({ description: 'null: no known order explains it' }),
  status: texts,
  /** In ERP units. */
  quantity: text,
  there: z.enum(['reserved', 'consumed', 'none']).meta({ description: 'Where the marketplace counts it' }),
  counted: z.boolean().meta({ description: "The ERP's figure counts it already" }),
  adds: text.meta({ description: 'To the figure' }),
  why: text,
});

/** `figure` is `erp.available` less `buffer` and the lines' units, at least zero. */
const stock = z.object({
  strategy: text,
  field: z.enum(['quantity', 'available_inventory']),
  /** `asOf`: on the ERP's clock. */
  erp: z.object({ onHand: texts, reserved: texts, available: text, asOf: instant }),
  buffer: text,
  lines: z.array(ledgerRow),
  available: text.meta({ description: 'The units that buyers may take; below zero, more is sold than there is' }),
  figure: text.meta({ description: 'The figure that is written' }),
  unitsIn: text.meta({
    description:
      'The ERP units that a figure of 1 on the marketplace stands for: 1, or those of a case where it counts cases',
  }),
  inCase: texts.meta({ description: 'The units in a case; null: the product is not sold by the case' }),
  shown: texts.meta({ description: 'The figure that the marketplace shows in that field' }),
  written: z.object({ figure: text, at: instant }).nullable(),
});

/** One facility and batch. The rows add up to `available`, which with `reserved` makes the `figure` on hand. */
const facility = z.object({
  facility: z.int(),
  batch: z.int(),
  /** The ERP's name of the place. */
  erpName: text,
  rows: z.array(z.object({ name: text, adds: text, why: text })),
  available: text.meta({ description: 'The units that buyers may take there; below zero, more is sold than there is' }),
  /** What the marketplace has reserved and subtracts itself, in units of `figure`. */
  reserved: text,
  unitsIn: text.meta({ description: 'The ERP units that a figure of 1 on the marketplace stands for' }),
  inCase: texts.meta({ description: 'The units in a case; null: the product is not sold by the case' }),
  figure: text.meta({ description: 'The units on hand that are written' }),
  /** null: the place is not listed. */
  shown: texts.meta({ description: 'The units on hand that the marketplace shows' }),
});

const write = z.object({
  action: text,
  target: text,
  before: texts,
  after: texts,
  why: text,
  /** Why the write would not be made: dry run, a pause, a brake. */
  stoppedBy: shownCause.nullable(),
});

/** A flow's state for an entity, and its next writes. */
const flow = z.object({
  flow: text,
  key: text,
  state: z.enum(['in-step', 'to-write', 'held', 'failed', 'in-doubt']),
  /** It waits for a look. */
  isWaiting: z.boolean(),
  writes: z.array(write),
  /** Why nothing (more) is written. */
  holds: z.array(shownCause),
  alerts: z.array(shownCause),
  /** Since when it is held or failed. */
  since: instants,
  /** The failed job, for a replay. */
  job: z.int().nullable(),
  plan: z.int().nullable().meta({ description: "The number of the brake's plan that has a write of it" }),
  /** Doubtful writes, with the commands to decide them. */
  doubts: z.array(z.object({ id: z.int(), evidence: shownCause.nullable(), choices: z.array(text) })),
});

/** An event in the record's words. */
const happening = z.object({
  at: instant,
  /**
   * event: a webhook. read: a side showed something new. write: a sent call. note: a link, an alert, a drift. act: of a
   * person.
   */
  kind: z.enum(['event', 'read', 'write', 'note', 'act']),
  /** A stable name: `journal:17`. */
  id: text,
  flow: texts,
  what: text,
  before: texts,
  after: texts,
  why: text,
  /** A write's outcome: written, refused, unknown, sent, dry-run. */
  outcome: texts,
  answer: text,
  who: texts,
});

const related = z.object({ kind, name: text, text });

/** All that is known of an entity at a moment, and why it is in its state. */
export const explanation = z
  .object({
    account: text,
    kind,
    /** The SKU, the order number or the customer's name. */
    name: text,
    marketplaceId: texts,
    erpId: texts,
    at: instant,
    isPast: z.boolean(),
    answer: text,
    /** The answer's parts, each possibly empty. */
    parts: z.object({
      what: text.meta({ description: 'The state of the entity' }),
      why: text.meta({ description: 'Why it does not go on' }),
      next: text.meta({ description: 'What comes next, or who has to do what' }),
    }),
    away: away
      .nullable()
      .meta({ description: 'The side that cannot be asked now: nothing is looked at; null: none is away' }),
    sides,
    pages: z
      .object({ marketplace: texts, erp: texts })
      .meta({ description: 'The addresses of its pages on both sides, by the section pages; null: none is known' }),
    link: z.object({ state: text, how: text }).nullable(),
    /** null: an entity without stock. */
    stock: stock.nullable(),
    /** Empty without stock by facility, and for the past. */
    facilities: z.array(facility),
    /** Its flows; empty for the past. */
    flows: z.array(flow),
    story: z.array(happening).meta({ description: 'Newest first' }),
    /** Older events are recorded but not shown. */
    hasMore: z.boolean(),
    recordedFrom: instants.meta({ description: 'Nothing is on record from before' }),
    unknown: z.array(text).meta({ description: 'The facts that cannot be told of the past' }),
    related: z.array(related),
  })
  .meta({ id: 'Explanation' });

export type Explanation = JsonOf<z.infer<typeof explanation>>;
export type Sides = Explanation['sides'];
export type SideShown = Sides['erp'];
export type StockSum = NonNullable<Explanation['stock']>;
export type LedgerRow = StockSum['lines'][number];
export type FacilitySum = Explanation['facilities'][number];
export type FlowNow = Explanation['flows'][number];
export type WriteNow = FlowNow['writes'][number];
export type Happening = Explanation['story'][number];
export type Related = Explanation['related'][number];

type Terms = Pick<StockSum, 'unitsIn' | 'inCase'>;

/** `20 cases of 12`, `240 units`, or `240` without cases. */
export function figureText(figure: string, { unitsIn, inCase }: Terms): string {
  return unitsIn === '1' ? inUnits(figure, { inCase }) : casesText(decimalOf(figure), decimalOf(unitsIn));
}

export function inUnits(figure: string, { inCase }: Pick<Terms, 'inCase'>): string {
  return inCase === null ? figure : unitCountText(figure);
}
