import { instantNs } from '../domain/instant.ts';

/** An answer to `ordering=FIELD&FIELD__gte=from&page=page`. */
export interface KeysetPage {
  /** Every row, valid or not. */
  readonly raw: readonly unknown[];
  /** Rows in all pages. */
  readonly count: number;
  readonly more: boolean;
}

/** The fields by which a collection is read, such as `modified` and `number`. */
export interface KeysetFields {
  readonly field: string;
  readonly key: string;
}

export interface PageView {
  readonly rows: number;
  readonly count: number;
  readonly more: boolean;
  /**
   * `line`: sorted, and within the requested range. `unsorted`: the server ignored `ordering`, or no row has the field.
   * `filter-ignored`: some rows are older than requested.
   */
  readonly order: 'line' | 'unsorted' | 'filter-ignored';
  /** The instants of the last row and of the latest one, as the server sent them. */
  readonly last: string | null;
  readonly latest: string | null;
  /** Rows of this and later pages that are not before `last`. */
  readonly fromLast: number;
  /** Keys of the rows that are not after `from`. */
  readonly tied: readonly string[];
}

/** Longer than any real key. Keys are in memory while their rows are counted. */
const MAX_KEY_CHARS = 200;

/** Servers that compare whole seconds return rows up to a second too old. */
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

/**
 * One row without a readable instant does not make the list unsorted, which would cost a read of the whole collection.
 */
function orderOf(page: KeysetPage, instants: readonly { ns: bigint }[], fromNs: bigint | null): PageView['order'] {
  if (page.raw.length > 0 && instants.length === 0) return 'unsorted';
  if (instants.some(({ ns }, index) => ns < (instants[index - 1]?.ns ?? ns))) return 'unsorted';
  return fromNs !== null && instants.some(({ ns }) => ns < fromNs - FILTER_GRAIN_NS) ? 'filter-ignored' : 'line';
}

function valueOf(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null ? (row as Readonly<Record<string, unknown>>)[field] : undefined;
}
