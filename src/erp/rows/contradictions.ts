import { contradicted, TWICE } from '../../domain/contradicted.ts';
import { stockRowName } from '../../domain/erp-place.ts';
import type { Misfit } from '../connector.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly misfits: readonly Misfit[];
}

/** The fields that tell rows apart: a stock row has a place, every other row an id. */
interface Named {
  readonly id?: string;
  readonly productId?: string;
  readonly sku?: string | null;
  readonly location?: string;
  readonly batch?: string;
}

/**
 * Sets aside the rows of a page that share a name and differ: a page is one answer, so none of them can be believed. Equal rows
 * of one name count as one row.
 */
export function withoutContradictions<T>({ items, misfits }: Page<T>): Page<T> {
  const twice = contradicted(items, nameOf);
  if (twice.size === 0) return { items, misfits };
  const { believed = [], unlike = [] } = Object.groupBy(items, (row) =>
    twice.has(nameOf(row)) ? 'unlike' : 'believed',
  );
  const told = new Map(unlike.map((row) => [nameOf(row), row]));
  return { items: believed, misfits: [...misfits, ...[...told].map(([name, row]) => comesTwice(row, name))] };
}

function nameOf(row: unknown): string {
  const { id, productId, ...place } = row as Named;
  return id ?? stockRowName({ ...place, productId: productId ?? '' });
}

function comesTwice(row: unknown, what: string): Misfit {
  const { id, productId, sku, location, batch } = row as Named;
  const place = { ...(location === undefined ? {} : { location }), ...(batch === undefined ? {} : { batch }) };
  return { what, id: id ?? productId ?? null, sku: sku ?? null, ...place, path: '', message: TWICE };
}
