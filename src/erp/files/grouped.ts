import { Unfit } from '../../http/rows.ts';
import type { MappedRow } from '../rows/mapping.ts';

/** A row of the contract, and the line of the file that it begins at. */
export interface Placed {
  readonly line: number;
  readonly row: MappedRow | Unfit;
}

/**
 * Orders of a file that has one row for each line of an order: rows with the same reference, or else id, are one order. What
 * they say of the order has to be the same in each.
 */
export function groupedOrders(rows: Iterable<Placed>): Placed[] {
  const orders = new Map<string, { readonly line: number; readonly head: string; row: MappedRow | Unfit }>();
  const alone: Placed[] = [];
  for (const { line, row } of rows) {
    const key = row instanceof Unfit ? nameOf(row.row) : nameOf(row);
    if (key === null) {
      alone.push({ line, row });
      continue;
    }
    const known = orders.get(key);
    if (known === undefined) {
      orders.set(key, { line, head: headOf(row), row: row instanceof Unfit ? row : { ...row, lines: linesOf(row) } });
    } else known.row = joined(known, row, line);
  }
  return [...alone, ...orders.values()].map(({ line, row }) => ({ line, row }));
}

function joined(
  order: { readonly head: string; readonly row: MappedRow | Unfit },
  row: MappedRow | Unfit,
  line: number,
) {
  if (order.row instanceof Unfit) return order.row;
  if (row instanceof Unfit) return new Unfit(`line ${line}: ${row.problem}`, order.row);
  if (headOf(row) !== order.head) return new Unfit(`line ${line} says something else of the order`, order.row);
  return { ...order.row, lines: [...linesOf(order.row), ...linesOf(row)] };
}

function nameOf(row: unknown): string | null {
  const { reference, id } = (row ?? {}) as Readonly<Record<string, unknown>>;
  const name = reference ?? id;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}

function headOf(row: MappedRow | Unfit): string {
  return row instanceof Unfit ? '' : JSON.stringify({ ...row, lines: undefined });
}

function linesOf({ lines }: MappedRow): readonly unknown[] {
  if (lines === undefined) return [];
  return Array.isArray(lines) ? (lines as unknown[]) : [lines];
}
