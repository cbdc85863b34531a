import { z } from 'zod';
import { AWAITED } from '../../domain/failure.ts';
import { doc, duration, flag, freely, text, wholeNumber } from '../../settings/scalars.ts';
import { capabilitiesSection } from '../capabilities.ts';
import { ERP_LISTS } from '../connector.ts';
import { FINDS } from '../rows/kinds.ts';
import { auth } from './auth/schema.ts';
import { paging, TELLS } from './paging-schema.ts';
import { ELSEWHERE, expression, mappingExpression, requestSection, rule, template } from './texts.ts';

/**
 * The description of an ERP with REST, GraphQL or JSON-RPC. These keys may be in a preset; `kind.ts` adds those of the
 * configuration.
 */

const since = z.strictObject({
  format: doc(
    z
      .enum(['iso', 'local', 'seconds', 'milliseconds'], {
        error:
          'expected iso, local, seconds or milliseconds. Another way is written by "as": $local($since, "Europe/Berlin", "yyyyMMddHHmmss")',
      })
      .prefault('iso'),
    'How {{ $since }} is written: 2026-01-31T08:30:00.000Z, 2026-01-31T08:30:00 in the zone, or since 1970.',
  ),
  zone: doc(text(60).prefault('UTC'), 'The time zone of the format local, such as Europe/Berlin.'),
  as: doc(expression('$since'), 'Over {{ $since }} in its format: another way to write it.').optional(),
  overlap: doc(duration('0s').prefault('0s'), 'So much earlier is asked for, for rows that become visible late.'),
  witness: doc(
    expression(),
    'Over a row of the ERP: the time by which the ERP filters, with its zone. Rows from before are dropped, for a server that ignores the filter at times. No row is dropped when left out.',
  ).optional(),
});

const items = doc(
  text(200),
  'Where the rows are in the answer: a path of names, such as data.orders.edges; with .* at its end, the rows are the values of an object. The answer itself when left out.',
).optional();

const empty = doc(
  expression('$status'),
  'Over an answer that lacks the rows, an error too: this holds when there are none. Without it, such an answer is a failure.',
).optional();

/** A further list that is read with the rows. Their mapping knows it as `$name`. */
const beside = z.strictObject({
  per: doc(
    z.enum(['list', 'page', 'row']).prefault('page'),
    'Read once for the list, for each page (of its {{ $rows }}), or for each row (of its {{ $row }}).',
  ),
  // The template's names depend on the lists read before: see `readable.ts`.
  request: requestSection(ELSEWHERE),
  items,
  empty,
  paging: doc(paging.prefault({ by: 'none' }), 'How its pages are read.'),
  of: doc(
    expression(),
    'Over what was read: the key, or the list of keys, by which it belongs to rows. All of it when left out.',
  ).optional(),
  is: doc(expression(), 'Over a row of the list: that key; a list of keys is each of them.').optional(),
});

export type JoinSection = z.output<typeof beside>;

/** A name that expressions write with `$`. */
const named = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'expected a name for $NAME: small letters, digits and "_", such as price_list');

const mapping = {
  with: doc(
    z.record(named, beside),
    'Further lists that are read beside the rows. The mapping knows each as $NAME.',
  ).optional(),
  each: doc(
    mappingExpression(),
    'Over a row of the ERP: the parts of it that are rows, such as its variants.',
  ).optional(),
  where: doc(mappingExpression(), 'Over a row of the ERP: false leaves it out.').optional(),
  row: doc(
    rule,
    'The row of the contract, field by field, each an expression over a row of the ERP. As it is when left out.',
  ).optional(),
};

const as_of = doc(
  expression('$headers'),
  "Over the answer without its rows: the ERP's clock at the start of the read.",
).optional();

const listPart = z.strictObject({
  request: requestSection('$since', '$cursor', '$page', '$offset', '$size'),
  items,
  empty,
  paging: doc(paging.prefault({ by: 'none' }), 'How its pages are read.'),
  since: doc(
    since,
    'How changes alone are asked for, by {{ $since }}. Without it, the list is read whole at each poll, and each row is compared with what is known, whatever its changed_at.',
  ).optional(),
  as_of,
  complete: doc(
    expression(...TELLS),
    'Over the last answer without its rows: the ERP itself says that this is all. Without it, the paging tells.',
  ).optional(),
  ...mapping,
});

const list = listPart.extend({
  also: doc(
    z.array(listPart).min(1).max(5),
    'Further requests whose rows are of this list too, each with its own paging and mapping: the places that a record moves on to, in that order, such as orders that began as drafts. The place where records begin comes first, so that none is missed while it moves.',
  ).optional(),
});
export type ListSection = z.output<typeof list>;

const findPart = z.strictObject({
  request: requestSection('$reference', '$id', '$sku', '$skus', '$cursor', '$page', '$offset', '$size'),
  items,
  empty,
  paging: doc(paging, 'How its pages are read; by none when left out.').optional(),
  batch: doc(wholeNumber(1, 100).prefault(100), 'For stock: the number of SKUs that one request asks for.'),
  separator: doc(text(1), 'For stock: the separator between SKUs; a SKU with it is asked for alone.').optional(),
  as_of,
  complete: doc(expression(...TELLS), 'As in a list.').optional(),
  ...mapping,
});

const find = findPart.extend({
  also: doc(
    z.array(findPart).min(1).max(5),
    'Further requests that look for it too, in the same order as those of the list. A mapping that is left out is that of the same request of the list.',
  ).optional(),
});
export type FindSection = z.output<typeof find>;

/** The names for the steps of writes. */
export const OF_WRITES = ['draft', 'change', 'order', 'row', 'kept', 'id', 'item', 'sent_at'] as const;
const KNOWN = OF_WRITES.map((name) => `$${name}`);
const step = z.strictObject({
  name: doc(text(60), 'The name of the step, for messages.'),
  when: doc(expression(...KNOWN), 'The step is taken when this holds; always when left out.').optional(),
  done: doc(
    expression(...KNOWN),
    'Over the order as it is read ($order mapped, $row as it came): true once the step has taken effect. Evaluated before the step, which is left out when this is true, and after it.',
  ).optional(),
  each: doc(expression(...KNOWN), 'A list: the step is taken for each {{ $item }} of it.').optional(),
  reads: doc(
    flag(),
    'It only reads, as a search that is sent by POST does, or leaves nothing that anybody sees, such as an empty cart. A GET always does.',
  ).optional(),
  request: requestSection(...KNOWN),
  empty: doc(
    expression(...KNOWN, '$status'),
    'Over an error: this holds when it only says that nothing is found. The answer is an empty list then.',
  ).optional(),
  must: doc(
    expression(...KNOWN, '$headers'),
    'Over the answer: true, or the text why the write cannot go on, such as a product that is not found.',
  ).optional(),
  keep: doc(
    z.record(named, expression(...KNOWN, '$headers')),
    'Values of the answer, and of its $headers, that later steps know as $kept.NAME. A create keeps the id of the new record as id.',
  ).optional(),
});
export type StepSection = z.output<typeof step>;

const write = z.strictObject({
  steps: doc(z.array(step).min(1).max(20), 'One after the other. None is ever repeated.'),
  result: doc(
    z.enum(['read', 'answer']).prefault('read'),
    'The row in the end: read by its find, or the last answer, mapped as a row.',
  ),
  items: doc(text(200), 'With result answer: the path to the row in the answer.').optional(),
  gone: doc(
    z.literal('cancelled'),
    'For order-update: an order that is gone after its cancellation counts as cancelled.',
  ).optional(),
});
export type WriteSection = z.output<typeof write>;

const status = z.union(
  [wholeNumber(100, 599), z.string().regex(/^[1-5]xx$/)],
  'expected a status such as 404, or a class such as 4xx',
);
const errorRule = z
  .strictObject({
    when: doc(
      z.strictObject({
        status: doc(z.union([status, z.array(status).min(1)]), 'One of these statuses; any when left out.').optional(),
        html: doc(flag(), 'The answer is a page and no JSON, such as a login page.').optional(),
        body: doc(expression('$status', '$headers'), 'Over the answer without its rows: this holds.').optional(),
      }),
      'The answers that it is about. The first rule that fits counts.',
    ),
    kind: doc(
      z.enum([
        'unavailable',
        'rate-limited',
        'credentials',
        'forbidden',
        'not-found',
        'refused',
        'refused-for-now',
        'incomplete',
      ]),
      'The meaning of such an answer. By its status when left out; refused where that is 2xx. refused-for-now: a write is refused because of the present state of the ERP, and is tried again when that changes.',
    ).optional(),
    waits_for: doc(
      z.enum(AWAITED),
      'With kind refused-for-now: the change that may mend it. stock: more stock in the ERP. product: a change of the product in the ERP. time, as when left out: none that the ERP shows, so it is tried again every quarter of an hour, as the others are too.',
    ).optional(),
    skus: doc(
      expression('$status', '$headers'),
      'With waits_for, over the answer: the SKU or SKUs that it is about. Those of the write when left out.',
    ).optional(),
    applied: doc(
      z.enum(['no', 'yes', 'unknown']),
      'Whether a write with this answer was applied. By the status when left out; unknown where that is 2xx, and no for refused-for-now.',
    ).optional(),
    message: doc(expression('$status', '$headers'), 'Over the answer: what the ERP says.').optional(),
  })
  .refine(
    ({ kind, waits_for, skus }) => kind === 'refused-for-now' || (waits_for === undefined && skus === undefined),
    { path: ['waits_for'], error: 'waits_for and skus belong to a rule of kind refused-for-now' },
  );
export type ErrorRule = z.output<typeof errorRule>;

const ping = z.strictObject({
  request: requestSection(),
  name: doc(expression('$headers'), 'Over the answer: who it is.').optional(),
  version: doc(expression('$headers'), 'Over the answer: its version.').optional(),
  time: doc(expression('$headers'), 'Over the answer: its clock. That of the header Date when left out.').optional(),
  capabilities: doc(
    expression('$headers'),
    'Over the answer: what it says of itself, as the ping of the contract.',
  ).optional(),
});

const WRITE_NAMES = ['order-create', 'order-update', 'product-create', 'customer-create', 'payment-create'] as const;

/** Keys for both presets and the configuration. */
export const description = z.strictObject({
  headers: doc(z.record(text(100), template([])), 'Headers of every call.').optional(),
  auth: doc(auth, 'How the ERP knows us.').optional(),
  limits: doc(
    z.strictObject({
      per_second: doc(wholeNumber(1, 1_000), 'Most calls in a second.').optional(),
      per_minute: doc(wholeNumber(1, 100_000), 'Most calls in a minute.').optional(),
      concurrent: doc(
        wholeNumber(1, 64),
        'Most calls at a time; 16 when left out. Fewer are made while the ERP is slow.',
      ).optional(),
      concurrent_writes: doc(
        wholeNumber(1, 64),
        'Most writes at a time, of the calls that change something: 1 for an ERP that cannot number two orders at once. As concurrent when left out.',
      ).optional(),
    }),
    'How much the ERP takes. A call waits for its turn, at most as long as its time-out.',
  ).optional(),
  ping: doc(ping, 'A cheap call that shows that the ERP is there.').optional(),
  clock: doc(
    z.strictObject({ request: requestSection(), time: doc(expression('$headers'), 'Over the answer: its clock.') }),
    "How the ERP's clock is read at the start of a list, where its answers have no header Date.",
  ).optional(),
  lists: doc(z.partialRecord(z.enum(ERP_LISTS), list), 'The lists that are read.').optional(),
  finds: doc(
    z.partialRecord(z.enum(Object.keys(FINDS) as FindName[]), find),
    'The look-ups. A mapping that is left out is that of its list.',
  ).optional(),
  writes: doc(z.partialRecord(z.enum(WRITE_NAMES), write), 'The writes.').optional(),
  errors: doc(z.array(errorRule).max(50), 'The meaning of answers. The status decides where no rule fits.').optional(),
  capabilities: capabilitiesSection.optional(),
  settings: doc(
    z.record(text(60), freely()),
    'Values of your own, which the expressions read as $settings.NAME.',
  ).optional(),
});

export type Description = z.output<typeof description>;
export type FindName = keyof typeof FINDS;
export type WriteName = (typeof WRITE_NAMES)[number];
