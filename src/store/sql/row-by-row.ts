import { type Cause, cause } from '../../domain/causes/cause.ts';
import { PageError, StoreError } from '../store-error.ts';
import type { WriteAt } from './part.ts';

export interface Storing<Row, Stored> {
  readonly store: (rows: readonly Row[]) => readonly Stored[];
  readonly setAside: (row: Row, problem: Cause) => void;
}

/**
 * Stores a page's rows together. If that fails, the page is halved until the invalid row is found and set aside.
 * @throws the error of a failing disk or server: no row is at fault
 * @throws PageError when our code fails on each of several rows. The caller's transaction keeps nothing.
 */
export function storeRows<Row, Stored>(
  at: Pick<WriteAt, 'apart'>,
  rows: readonly Row[],
  storing: Storing<Row, Stored>,
): Stored[] {
  const ours: Error[] = [];
  const stored = storePart(at, rows, {
    ...storing,
    setAside(row, problem, error) {
      storing.setAside(row, problem);
      if (!(error instanceof StoreError)) ours.push(error);
    },
  });
  const [first, second] = ours;
  if (first !== undefined && second !== undefined && ours.length === rows.length) throw new PageError(first);
  return stored;
}

interface Dividing<Row, Stored> extends Pick<Storing<Row, Stored>, 'store'> {
  readonly setAside: (row: Row, problem: Cause, error: Error) => void;
}

function storePart<Row, Stored>(
  at: Pick<WriteAt, 'apart'>,
  rows: readonly Row[],
  dividing: Dividing<Row, Stored>,
): Stored[] {
  const [only, another] = rows;
  if (only === undefined) return [];
  try {
    return [...at.apart(() => dividing.store(rows))];
  } catch (error) {
    const problem = problemOfRow(error);
    if (problem === null || !(error instanceof Error)) throw error;
    if (another === undefined) {
      dividing.setAside(only, problem, error);
      return [];
    }
  }
  const half = Math.ceil(rows.length / 2);
  return [rows.slice(0, half), rows.slice(half)].flatMap((part) => storePart(at, part, dividing));
}

/**
 * The rows in order, in as few parts as contain each entity once: a second row of an entity is compared with the result
 * of its first.
 */
export function withoutRepeats<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number): Row[][] {
  const parts: Row[][] = [];
  let keys = new Set<string | number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (parts.length === 0 || keys.has(key)) {
      parts.push([]);
      keys = new Set();
    }
    parts.at(-1)?.push(row);
    keys.add(key);
  }
  return parts;
}

/** Stores each row separately and returns nothing. */
export function eachOf<Row>(store: (row: Row) => void): (rows: readonly Row[]) => readonly Row[] {
  return (rows) => {
    for (const row of rows) store(row);
    return rows;
  };
}

export const UNSTORED = 'a row of it cannot be stored';

const RULES = {
  unique: 'row-part-twice',
  missing: 'row-part-missing',
  'too-large': 'row-part-too-large',
  value: 'row-part-refused',
} as const;

/**
 * null: the row is not at fault. An error other than a StoreError comes from the rules that apply the row to the
 * shadow.
 */
function problemOfRow(error: unknown): Cause | null {
  if (!(error instanceof StoreError)) {
    return error instanceof Error ? cause('row-not-understood', { problem: error.message }) : null;
  }
  if (error.rule === null) return null;
  const { kind, table, column } = error.rule;
  return cause(RULES[kind], { table: table ?? '', column: column ?? '' });
}
