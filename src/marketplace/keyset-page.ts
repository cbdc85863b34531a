import { instantNs } from '../domain/instant.ts';

/** One answer of a list that was asked for `ordering=FIELD&FIELD__gte=from&page=page`. */
export interface KeysetPage {
  /** Every row, whether it fits or not. */
  readonly raw: readonly unknown[];
  /** Rows in the whole answer set. */
  readonly count: number;
  /** More rows follow this page. */
  readonly more: boolean;
}

/** The fields that a collection is read by, such as `modified` and `number`. */
export interface KeysetFields {
  readonly field: string;
  readonly key: string;
}

/** The facts of a page that the reader needs. */
export interface PageView {
  readonly rows: number;
  readonly count: number;
  readonly more: boolean;
  /**
   * `line`: sorted, and within the asked range. `unsorted`: `ordering` was not obeyed, or no row carries the field.
   * `filter-ignored`: rows from before the asked instant.
   */
  readonly order: 'line' | 'unsorted' | 'filter-ignored';
  /** The last row's instant as the server sent it, and the latest one on the page. */
  readonly last: string | null;
  readonly latest: string | null;
  /** Rows of this and the pages after it that are not before `last`. */
  readonly fromLast: number;
  /** Keys of the rows that are not after `from`. */
  readonly tied: readonly string[];
}

/** Keys are kept in memory while their rows are counted. No real key is so long. */
const MAX_KEY_CHARS = 200;

/** Servers that compare whole seconds give rows from up to a second before the asked instant. */
const FILTER_GRAIN_NS = 1_000_000_000n;

export function viewPage(page: KeysetPage, from: string | null, { field, key }: KeysetFields): PageView {
  const fromNs = from === null ? null : instantNs(from);
  const instants: { text: string; ns: bigint }[] = [];
  const tied: string[] = [];
  for (const row of page.raw) {
    const text = valueOf(row, field);
    const ns = typeof text === 'string' ? instantNs(text) : null;
    if (typeof text === 'string' && ns !== null) instants.push({ text, ns });
    if (ns === null || (fromNs !== null && ns <= fromNs))
      tied.push(JSON.stringify([valueOf(row, key)]).slice(0, MAX_KEY_CHARS));
  }
  const lastNs = instants.at(-1)?.ns ?? null;
  const atLast = instants.filter(({ ns }) => lastNs !== null && ns >= lastNs).length;
  return {
    rows: page.raw.length,
    count: page.count,
    more: page.more,
    order: orderOf(page, instants, fromNs),
    last: instants.at(-1)?.text ?? null,
    latest: instants.toSorted((a, b) => (a.ns < b.ns ? -1 : a.ns > b.ns ? 1 : 0)).at(-1)?.text ?? null,
    fromLast: page.count - page.raw.length + atLast,
    tied,
  };
}

/** A single row without a readable instant does not send every reading around the whole collection. */
function orderOf(page: KeysetPage, instants: readonly { ns: bigint }[], fromNs: bigint | null): PageView['order'] {
  if (page.raw.length > 0 && instants.length === 0) return 'unsorted';
  if (instants.some(({ ns }, index) => ns < (instants[index - 1]?.ns ?? ns))) return 'unsorted';
  return fromNs !== null && instants.some(({ ns }) => ns < fromNs - FILTER_GRAIN_NS) ? 'filter-ignored' : 'line';
}

function valueOf(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>)[field] : undefined;
}
