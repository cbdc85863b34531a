import { z } from 'zod';
import { explainEntity } from '../../use/explain/explain.ts';
import { KINDS } from '../../use/mapping/ids.ts';
import { ofAccount, route, shownCause } from './route.ts';

const text = z.string();
const texts = text.nullable();
const instant = text.meta({ description: 'An instant' });
const instants = texts.meta({ description: 'An instant' });
const kind = z.enum(KINDS);
const fields = z.record(text, z.union([text, z.boolean(), z.array(text)]).nullable()).nullable();
const side = z.object({ fields, readAt: instants });

const ledgerRow = z.object({
  order: texts.meta({ description: 'null: no known order explains it' }),
  status: texts,
  quantity: text,
  there: z.enum(['reserved', 'consumed', 'none']).meta({ description: 'Where the marketplace counts it' }),
  counted: z.boolean().meta({ description: "The ERP's figure counts it already" }),
  adds: text.meta({ description: 'To the figure' }),
  why: text,
});

const stock = z.object({
  strategy: text,
  field: z.enum(['quantity', 'available_inventory']),
  erp: z.object({ onHand: texts, reserved: texts, available: text, asOf: instant }),
  buffer: text,
  lines: z.array(ledgerRow),
  available: text.meta({ description: 'The units that buyers may take; below zero, more is sold than there is' }),
  figure: text.meta({ description: 'The figure that is written' }),
  shown: texts.meta({ description: 'The figure that the marketplace shows in that field' }),
  written: z.object({ figure: text, at: instant }).nullable(),
});

const facility = z.object({
  facility: z.int(),
  batch: z.int(),
  erpName: text,
  rows: z.array(z.object({ name: text, adds: text, why: text })),
  available: text.meta({ description: 'The units that buyers may take there; below zero, more is sold than there is' }),
  reserved: text,
  figure: text.meta({ description: 'The units on hand that are written' }),
  shown: texts.meta({ description: 'The units on hand that the marketplace shows' }),
});

const write = z.object({
  action: text,
  target: text,
  before: texts,
  after: texts,
  why: text,
  stoppedBy: shownCause.nullable(),
});

const flow = z.object({
  flow: text,
  key: text,
  state: z.enum(['in-step', 'to-write', 'held', 'failed', 'in-doubt']),
  isWaiting: z.boolean(),
  writes: z.array(write),
  holds: z.array(shownCause),
  alerts: z.array(shownCause),
  since: instants,
  job: z.int().nullable(),
  doubts: z.array(z.object({ id: z.int(), evidence: shownCause.nullable(), choices: z.array(text) })),
});

const happening = z.object({
  at: instant,
  kind: z.enum(['event', 'read', 'write', 'note', 'act']),
  id: text,
  flow: texts,
  what: text,
  before: texts,
  after: texts,
  why: text,
  outcome: texts,
  answer: text,
  who: texts,
});

const explanation = z.object({
  account: text,
  kind,
  name: text,
  marketplaceId: texts,
  erpId: texts,
  at: instant,
  isPast: z.boolean(),
  answer: text,
  sides: z.object({ marketplace: side, erp: side, base: fields, differing: z.array(text) }),
  link: z.object({ state: text, how: text }).nullable(),
  stock: stock.nullable(),
  facilities: z.array(facility),
  flows: z.array(flow),
  story: z.array(happening).meta({ description: 'Newest first' }),
  hasMore: z.boolean(),
  recordedFrom: instants.meta({ description: 'Nothing is on record from before' }),
  unknown: z.array(text).meta({ description: 'The facts that cannot be told of the past' }),
  related: z.array(z.object({ kind, name: text, text })),
});

export const EXPLAIN_ROUTES = [
  route({
    method: 'GET',
    path: '/explain',
    summary: 'Why an entity is as it is, now or at a moment of the past',
    query: ofAccount.extend({
      name: z
        .string()
        .min(1)
        .max(200)
        .meta({ description: 'A SKU, a number or an id of either side, or the beginning of one' }),
      kind: kind.optional(),
      at: z.iso.datetime({ offset: true }).optional(),
    }),
    answer: explanation,
    run: (opened, { query: { at, ...asked } }) =>
      explainEntity(opened, { ...asked, atMs: at === undefined ? undefined : Date.parse(at) }),
  }),
];
