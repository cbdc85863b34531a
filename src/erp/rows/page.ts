import type { z } from 'zod';
import { type ShapeIssue, wholeIssue } from '../../http/issues.ts';
import { Unfit } from '../../http/rows.ts';
import { createTurns } from '../../http/turns.ts';
import { onlyKnown } from '../../settings/names.ts';
import type { InvalidRow } from '../connector.ts';
import { fieldsOf } from './fields.ts';

export interface Shape<T> {
  readonly row: z.ZodType<T>;
  /** The field that identifies an otherwise unreadable row. The default is `id`. */
  readonly idField?: 'product_id';
}

/** Parses a page's rows. Those that do not fit become invalid rows. */
export async function rowsOf<T>(
  rows: readonly unknown[],
  request: Shape<T>,
): Promise<{ items: T[]; invalidRows: InvalidRow[] }> {
  const items: T[] = [];
  const invalidRows: InvalidRow[] = [];
  const idField = request.idField ?? 'id';
  const turn = createTurns();
  for (const [index, row] of rows.entries()) {
    await turn();
    if (row instanceof Unfit) {
      invalidRows.push(invalidRowOf(row.row, index, idField, { path: row.path, message: row.problem }));
      continue;
    }
    const parsed = request.row.safeParse(row);
    if (parsed.success) items.push(parsed.data);
    else invalidRows.push(invalidRowOf(row, index, idField, wholeIssue(parsed.error)));
  }
  return { items, invalidRows };
}

function invalidRowOf(row: unknown, index: number, idField: string, issue: ShapeIssue): InvalidRow {
  const id = nameIn(row, idField);
  const sku = nameIn(row, 'sku');
  const what = id ?? sku ?? `row ${index + 1} of a page`;
  if (idField !== 'product_id') return { what, id, sku, ...issue };
  const place = { location: nameIn(row, 'location') ?? undefined, batch: nameIn(row, 'batch') ?? undefined };
  return { what, id, sku, ...onlyKnown(place), ...issue };
}

function nameIn(row: unknown, field: string): string | null {
  const value = fieldsOf(row)[field];
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && value.isWellFormed() ? value : null;
}
