import { Unfit } from '../../http/rows.ts';
import type { MappedRow } from '../rows/mapping.ts';
import { BOUNDS } from './bounds.ts';

/** A row of the contract with the file line at which it begins. */
export interface Placed {
  readonly line: number;
  readonly row: MappedRow | Unfit;
}

interface Group {
  readonly line: number;
  readonly head: string;
  readonly row: MappedRow | Unfit;
  /** In the order of the file. */
  readonly lines: unknown[];
  problem: string | null;
}

/**
 * Groups a file with one row per order line. Rows with the same reference, or else the same id, are one order, and must
 * agree in its other fields.
 */
export function groupedOrders(rows: Iterable<Placed>): Placed[] {
  const orders = new Map<string, Group>();
  const alone: Placed[] = [];
  for (const { line, row } of rows) {
    const key = row instanceof Unfit ? nameOf(row.row) : nameOf(row);
    if (key === null) {
      alone.push({ line, row });
      continue;
    }
    const known = orders.get(key);
    if (known === undefined) orders.set(key, { line, head: headOf(row), row, lines: linesOf(row), problem: null });
    else join(known, row, line);
  }
  return [...alone, ...Array.from(orders.values(), placed)];
}

function join(order: Group, row: MappedRow | Unfit, line: number): void {
  if (order.row instanceof Unfit || order.problem !== null) return;
  if (row instanceof Unfit) order.problem = `line ${line}: ${row.problem}`;
  else if (headOf(row) !== order.head) order.problem = `line ${line} says something else of the order`;
  else for (const one of linesOf(row)) order.lines.push(one);
  if (order.lines.length > BOUNDS.lines) order.problem = `it has more than ${BOUNDS.lines} lines`;
}

function placed({ line, row, lines, problem }: Group): Placed {
  if (row instanceof Unfit) return { line, row };
  return { line, row: problem === null ? { ...row, lines } : new Unfit(problem, { ...row, lines: [] }) };
}

function nameOf(row: unknown): string | null {
  const { reference, id } = (row ?? {}) as Readonly<Record<string, unknown>>;
  const name = reference ?? id;
  return typeof name === 'string' || typeof name === 'number' ? String(name) : null;
}

function headOf(row: MappedRow | Unfit): string {
  return row instanceof Unfit ? '' : JSON.stringify({ ...row, lines: undefined });
}

function linesOf(row: MappedRow | Unfit): unknown[] {
  if (row instanceof Unfit || row['lines'] === undefined) return [];
  return Array.isArray(row['lines']) ? [...(row['lines'] as unknown[])] : [row['lines']];
}
