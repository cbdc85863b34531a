import { stockRowName } from '../../domain/erp-place.ts';
import type { Misfit } from '../connector.ts';

interface Page<T> {
  readonly items: readonly T[];
  readonly misfits: readonly Misfit[];
}

/** As far as rows of every kind are told apart: stock by its place, everything else by its id. */
interface Named {
  readonly id?: string;
  readonly productId?: string;
  readonly sku?: string | null;
  readonly location?: string;
  readonly batch?: string;
}

/**
 * A page is one answer, so a row that stands in it twice, and not the same each time, is none to believe: all of them are set
 * aside. The same row twice is one.
 */
export function withoutContradictions<T>({ items, misfits }: Page<T>): Page<T> {
  const texts = new Map<string, string>();
  const twice = new Map<string, Misfit>();
  for (const row of items) {
    const name = nameOf(row);
    const text = JSON.stringify(row);
    if ((texts.get(name) ?? text) !== text) twice.set(name, comesTwice(row, name));
    texts.set(name, text);
  }
  if (twice.size === 0) return { items, misfits };
  return { items: items.filter((row) => !twice.has(nameOf(row))), misfits: [...misfits, ...twice.values()] };
}

function nameOf(row: unknown): string {
  const { id, productId, ...place } = row as Named;
  return id ?? stockRowName({ ...place, productId: productId ?? '' });
}

function comesTwice(row: unknown, what: string): Misfit {
  const { id, productId, sku, location, batch } = row as Named;
  const place = { ...(location === undefined ? {} : { location }), ...(batch === undefined ? {} : { batch }) };
  const message = 'it stands twice in one answer, and not the same each time';
  return { what, id: id ?? productId ?? null, sku: sku ?? null, ...place, path: '', message };
}
