import { instantNs } from '../domain/instant.ts';
import type { ListPage, RowMisfit } from '../marketplace/page.ts';
import { decimalText } from '../marketplace/operations/wire.ts';

const PAGE_SIZE = 500;

export function listQuery(page: number, ordering: string) {
  return { ordering, page, page_size: PAGE_SIZE };
}

/** A row of a list as the server sent it, and what is wrong with it. */
export interface ListedRow {
  readonly value: unknown;
  readonly misfit: RowMisfit | null;
}

/** The rows that fit apart from those that do not. */
export function pageOf<Row>(rows: readonly ListedRow[]): Pick<ListPage<Row>, 'rows' | 'misfits'> {
  return {
    rows: rows.filter((row) => row.misfit === null).map((row) => row.value as Row),
    misfits: rows.flatMap((row) => (row.misfit === null ? [] : [row.misfit])),
  };
}

/** Each row with what is wrong with it, in the server's order. */
export function listedRows({ raw, misfits, count, more }: ListPage<unknown>) {
  const wrong = new Map(misfits.map((misfit) => [misfit.index, misfit]));
  return { count, more, rows: raw.map((value, index): ListedRow => ({ value, misfit: wrong.get(index) ?? null })) };
}

/** A field of a row that need not fit, as text; null where there is none. */
export function fieldOf(row: unknown, name: string): string | null {
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return null;
  return decimalText((row as Record<string, unknown>)[name]);
}

/** A field that is an instant, as sent; null where it is missing or none. */
export function instantField(row: unknown, name: string): string | null {
  const text = fieldOf(row, name);
  return text === null || instantNs(text) === null ? null : text;
}
