import { CONTRADICTION, contradictingNames } from '../../domain/contradicted.ts';
import { stockRowName } from '../../domain/erp-place.ts';
import type { InvalidRow } from '../connector.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly invalidRows: readonly InvalidRow[];
}

/** A stock row is identified by its place, any other row by its id. */
interface Named {
  readonly id?: string;
  readonly productId?: string;
  readonly sku?: string | null;
  readonly location?: string;
  readonly batch?: string;
}

/**
 * Rows of one page that share a name and differ become invalid, since none can be believed. An invalid row differs from
 * any other of its name. Equal rows count once.
 */
export function withoutContradictions<T>({ items, invalidRows }: Page<T>): Page<T> {
  const unfit = new Set(
    invalidRows.flatMap(({ id, ...place }) => (id === null ? [] : stockRowName({ ...place, productId: id }))),
  );
  const twice = contradictingNames(items, nameOf);
  for (const row of unfit.size === 0 ? [] : items) if (unfit.has(nameOf(row))) twice.add(nameOf(row));
  if (twice.size === 0) return { items, invalidRows };
  const { believed = [], unlike = [] } = Object.groupBy(items, (row) =>
    twice.has(nameOf(row)) ? 'unlike' : 'believed',
  );
  const told = new Map(unlike.map((row) => [nameOf(row), row]));
  return {
    items: believed,
    invalidRows: [...invalidRows, ...[...told].map(([name, row]) => contradictingRow(row, name))],
  };
}

/** The row's unique name in its list. */
export function nameOf(row: unknown): string {
  const { id, productId, ...place } = row as Named;
  return id ?? stockRowName({ ...place, productId: productId ?? '' });
}

export function isStock(row: unknown): boolean {
  return (row as Named).id === undefined;
}

export function contradictingRow(row: unknown, what: string): InvalidRow {
  const { id, productId, sku, location, batch } = row as Named;
  const place = { ...(location === undefined ? {} : { location }), ...(batch === undefined ? {} : { batch }) };
  const message = `${CONTRADICTION}: let the list have one row for it, such as by a subquery in place of a join`;
  return { what, id: id ?? productId ?? null, sku: sku ?? null, ...place, path: '', message, contradicts: true };
}
