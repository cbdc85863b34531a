import { z } from 'zod';
import { decimalOf } from '../../domain/decimal.ts';
import { casesText, unitCountText } from '../../domain/figure-text.ts';
import { KINDS } from '../mapping/ids.ts';
import { type JsonOf, shownCause, shownFields } from '../shapes.ts';

/* The explanation of an entity. All of it is JSON: instants are texts in UTC, quantities are exact texts. */

const text = z.string();
const texts = text.nullable();
const instant = text.meta({ description: 'An instant' });
const instants = texts.meta({ description: 'An instant' });
const kind = z.enum(KINDS);

/** A side that cannot be asked now. */
const away = z.object({ side: z.enum(['marketplace', 'erp', 'redis']), since: instant, refuses: z.boolean() });

/** `readAt`: the last read of the list that shows the entity; null: never. */
const side = z.object({ fields: shownFields, readAt: instants });

/** Both sides, and the state on which they agreed last. */
const sides = z.object({
  marketplace: side,
  erp: side,
  base: shownFields,
  /** The names of the fields, among those that both sides show by the same name, that differ. */
  differing: z.array(text),
});

/** A live line of an order, or units that no known order explains. */
const ledgerRow = z.object({
  order: texts.meta({ description: 'null: no known order explains it' }),
  status: texts,
  /** In the ERP's units. */
  quantity: text,
  there: z.enum(['reserved', 'consumed', 'none']).meta({ description: 'Where the marketplace counts it' }),
  counted: z.boolean().meta({ description: "The ERP's figure counts it already" }),
  adds: text.meta({ description: 'To the figure' }),
  why: text,
});

/** The stock figure as a sum: `figure` is `erp.available` less `buffer` and the units of the lines, and never below zero. */
const stock = z.object({
  strategy: text,
  field: z.enum(['quantity', 'available_inventory']),
  /** `asOf` is on the ERP's clock. */
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
  /** The last write of the figure until the moment. */
  written: z.object({ figure: text, at: instant }).nullable(),
});

/** The figure of one facility and batch. The rows add up to `available`; `available` and `reserved` make the `figure` on hand. */
const facility = z.object({
  facility: z.int(),
  batch: z.int(),
  /** The ERP's name of this facility and batch. */
  erpName: text,
  rows: z.array(z.object({ name: text, adds: text, why: text })),
  available: text.meta({ description: 'The units that buyers may take there; below zero, more is sold than there is' }),
  /** The part that the marketplace has reserved there, and subtracts itself, in the terms of `figure`. */
  reserved: text,
  unitsIn: text.meta({ description: 'The ERP units that a figure of 1 on the marketplace stands for' }),
  inCase: texts.meta({ description: 'The units in a case; null: the product is not sold by the case' }),
  figure: text.meta({ description: 'The units on hand that are written' }),
  /** null: the marketplace does not list the place. */
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

/** The state of a flow for an entity, and its next writes. */
const flow = z.object({
  flow: text,
  key: text,
  state: z.enum(['in-step', 'to-write', 'held', 'failed', 'in-doubt']),
  /** The entity waits to be looked at. */
  isWaiting: z.boolean(),
  writes: z.array(write),
  /** The reasons why nothing (more) is written. */
  holds: z.array(shownCause),
  alerts: z.array(shownCause),
  /** Since when the entity is held, or its job has failed. */
  since: instants,
  /** The failed job, to replay it. */
  job: z.int().nullable(),
  plan: z.int().nullable().meta({ description: "The number of the brake's plan that has a write of it" }),
  /** The writes whose outcome a person has to decide, with the commands for it. */
  doubts: z.array(z.object({ id: z.int(), evidence: shownCause.nullable(), choices: z.array(text) })),
});

/** Something that happened, in the words of the record. */
const happening = z.object({
  at: instant,
  /** event: a webhook. read: a side showed something new. write: something was sent. note: a link, an alert, a drift. act: a person. */
  kind: z.enum(['event', 'read', 'write', 'note', 'act']),
  /** A name of the record that stays the same: `journal:17`. */
  id: text,
  flow: texts,
  what: text,
  before: texts,
  after: texts,
  why: text,
  /** The outcome of a write: written, refused, unknown, sent, dry-run. */
  outcome: texts,
  answer: text,
  /** The person who acted. */
  who: texts,
});

/** An entity that belongs to it, by a name that explains itself. */
const related = z.object({ kind, name: text, text });

/** Everything that is known of one entity as of a moment, and why it is as it is. */
export const explanation = z
  .object({
    account: text,
    kind,
    /** The name that people use: the SKU, the order's number, the customer's name. */
    name: text,
    marketplaceId: texts,
    erpId: texts,
    /** The moment that is explained. */
    at: instant,
    /** The explanation shows the records of then. */
    isPast: z.boolean(),
    /** The answer in a few sentences. */
    answer: text,
    /** The same in its parts. A part that has nothing to say is empty. */
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
    /** null for an entity without stock. */
    stock: stock.nullable(),
    /** Empty where stock is not kept by facility, and for a moment of the past. */
    facilities: z.array(facility),
    /** Each flow that brings it into step; empty for a moment of the past. */
    flows: z.array(flow),
    story: z.array(happening).meta({ description: 'Newest first' }),
    /** Older happenings are on record, but not in the story. */
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

/** A figure of the marketplace: `20 cases of 12`, `240 units`, or `240` where the product is not sold by the case. */
export function figureText(figure: string, { unitsIn, inCase }: Terms): string {
  return unitsIn === '1' ? inUnits(figure, { inCase }) : casesText(decimalOf(figure), decimalOf(unitsIn));
}

/** A figure in ERP units. */
export function inUnits(figure: string, { inCase }: Pick<Terms, 'inCase'>): string {
  return inCase === null ? figure : unitCountText(figure);
}
