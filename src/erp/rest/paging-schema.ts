import { z } from 'zod';
import { doc, text, wholeNumber } from '../../settings/scalars.ts';
import { expression } from './texts.ts';

/** Every paged read of a list ends as "complete" or "not complete", never as a guess. */
const size = doc(wholeNumber(1, 10_000).prefault(100), 'Rows of a page; requests send it as {{ $size }}.');
const key = doc(
  expression().prefault('id'),
  'Over a row of the ERP: what makes it itself. A row without it counts by all of its fields.',
);
export const TELLS = ['$last', '$rowcount', '$headers'] as const;
const more = doc(
  expression(...TELLS),
  'Over the answer without its rows: is there a next page? Without it, pages are read until an empty one comes.',
).optional();
const total = doc(
  expression(...TELLS),
  'Over the answer without its rows: how many rows there are in all. Any other number of rows read is not complete.',
).optional();

export const paging = z.discriminatedUnion('by', [
  z.strictObject({
    by: doc(z.literal('none'), 'One answer holds all rows.'),
    total,
    limit: doc(
      wholeNumber(1, 10_000),
      'The most rows that the ERP answers with: an answer with so many may be cut, and is not complete.',
    ).optional(),
  }),
  z.strictObject({
    by: doc(z.literal('page'), 'Pages have numbers, sent as {{ $page }}. A list of several pages is read twice.'),
    first: doc(wholeNumber(0, 1).prefault(1), 'The number of the first page.'),
    size,
    key,
    more,
    total,
  }),
  z.strictObject({
    by: doc(z.literal('offset'), 'Pages begin at a row, sent as {{ $offset }}. Each page repeats the row before it.'),
    size: doc(wholeNumber(2, 10_000).prefault(100), 'Rows of a page; requests send it as {{ $size }}.'),
    key,
    more,
    total,
  }),
  z.strictObject({
    by: doc(z.literal('cursor'), 'Each answer names the cursor of the next page, sent as {{ $cursor }}.'),
    next: doc(expression(...TELLS), 'Over the answer without its rows: the next cursor; nothing at the end.'),
    size,
    total,
  }),
  z.strictObject({
    by: doc(z.literal('link'), 'The header Link names the address of the next page, below that of the ERP.'),
    rel: doc(text(40).prefault('next'), 'The relation of that link.'),
    size,
    total,
  }),
  z.strictObject({
    by: doc(z.literal('next-link'), 'Each answer holds the address of the next page (OData), below that of the ERP.'),
    next: doc(
      expression(...TELLS).prefault('`@odata.nextLink`'),
      'Over the answer without its rows: that address; nothing at the end.',
    ),
    size,
    total,
  }),
  z.strictObject({
    by: doc(z.literal('keyset'), 'Rows are sorted by a key; each page asks for those after {{ $cursor }}.'),
    key: doc(expression(), 'Over a row of the ERP: its key, such as its id. Unique, and in the order of the rows.'),
    size,
    more,
  }),
]);
export type Paging = z.output<typeof paging>;
