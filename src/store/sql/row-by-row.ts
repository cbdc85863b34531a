import { type Cause, cause } from '../../domain/causes/cause.ts';
import { EveryRowFails, StoreError } from '../store-error.ts';
import type { WriteAt } from './part.ts';

/** The fate of the rows of a page. */
export interface Storing<Row, Stored> {
  /** Stores some of the rows, in the caller's transaction. */
  readonly store: (rows: readonly Row[]) => readonly Stored[];
  /** Sets a row aside that cannot be stored. */
  readonly setAside: (row: Row, problem: Cause) => void;
}

/**
 * Stores the rows of a page together. When that fails, the page is halved until the row that is at fault stands alone. That row is
 * set aside, and all others are stored.
 * @throws the error of a disk or a server that fails: no row is at fault
 * @throws EveryRowFails when our own code fails on each of several rows. The caller's transaction keeps nothing.
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
  if (first !== undefined && second !== undefined && ours.length === rows.length) throw new EveryRowFails(first);
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
 * The rows of a page in their order, in as few parts as show each entity once. A page may show one twice, and its second row is
 * compared with what the first has made of it.
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

/** Stores each of the rows by itself, where nothing is answered. */
export function eachOf<Row>(store: (row: Row) => void): (rows: readonly Row[]) => readonly Row[] {
  return (rows) => {
    for (const row of rows) store(row);
    return rows;
  };
}

/** The reason for a look at the entity of a row that was set aside. */
export const UNSTORED = 'a row of it cannot be stored';

const RULES = {
  unique: 'row-part-twice',
  missing: 'row-part-missing',
  'too-large': 'row-part-too-large',
  value: 'row-part-refused',
} as const;

/** null: the row is not at fault. An error that is none of the store is one of the rules by which the row changes the shadow. */
function problemOfRow(error: unknown): Cause | null {
  if (!(error instanceof StoreError)) {
    return error instanceof Error ? cause('row-not-understood', { problem: error.message }) : null;
  }
  if (error.rule === null) return null;
  const { kind, table, column } = error.rule;
  return cause(RULES[kind], { table: table ?? '', column: column ?? '' });
}
