import { z } from 'zod';
import { sentenceOf } from '../../domain/causes/cause.ts';
import type { OrderRow, PageKey, ProductRow, WorkState } from '../../store/browse.ts';
import { csvLine } from '../../use/mapping/csv.ts';
import { address, type Content, html } from './html.ts';
import { badge, cut } from './show.ts';

/* The parts that the tables of orders and products have in common. */

const LONGEST = 200;

export const tableQuery = z.object({
  search: z.string().trim().max(LONGEST).default(''),
  state: z.enum(['', 'stopped', 'held', 'failed', 'pending']).catch(''),
  sorted: z.string().max(1_000).optional(),
  id: z.string().max(300).optional(),
});

export const STATES = [
  ['', 'any'],
  ['stopped', 'held or failed'],
  ['held', 'held'],
  ['failed', 'failed'],
  ['pending', 'waiting'],
] as const;

const STATES_OF: Readonly<Record<z.output<typeof tableQuery>['state'], readonly WorkState[]>> = {
  '': [],
  stopped: ['held', 'failed'],
  held: ['held'],
  failed: ['failed'],
  pending: ['pending'],
};

export function choiceOf({ search, state, sorted, id }: z.output<typeof tableQuery>) {
  const after: PageKey | null = sorted === undefined || id === undefined ? null : { sorted, id };
  return { search, states: STATES_OF[state], after };
}

/** How far the work of a row is, and why it does not go on. */
export function stateOf({ state, heldFor }: OrderRow | ProductRow): Content {
  if (state === null) return badge('good', 'done');
  if (state === 'pending') return badge('quiet', 'waiting');
  const [first] = heldFor;
  return html`${badge(state === 'failed' ? 'bad' : 'wait', state)}${first === undefined ? null : html` <small>${cut(sentenceOf(first))}</small>`}`;
}

/** A file of CSV with a line for each row. */
export async function* csvLines<Row>(
  columns: readonly string[],
  rows: AsyncIterable<Row>,
  cellsOf: (row: Row) => readonly (string | null | undefined)[],
): AsyncGenerator<string> {
  yield `${csvLine(columns)}\n`;
  for await (const row of rows) yield `${csvLine(cellsOf(row).map((cell) => cell ?? ''))}\n`;
}

export function nextLink(path: string, filter: Readonly<Record<string, string>>, next: PageKey | null): Content {
  return next === null
    ? null
    : html`<a class="button second" rel="next" href="${address(path, { ...filter, ...next })}">Next page</a>`;
}

export function partlyNotice(isPartly: boolean): Content {
  return isPartly
    ? html`<p class="notice">Very many names begin like this, and only some of them were looked at: type more of it.</p>`
    : null;
}
