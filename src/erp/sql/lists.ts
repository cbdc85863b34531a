import { MAX_BODY_BYTES } from '../../http/exchange.ts';
import type { ErpPage } from '../connector.ts';
import { withoutContradictions } from '../rows/contradictions.ts';
import { rowsOf, type Shape } from '../rows/page.ts';
import { withoutFuture } from '../rows/times.ts';
import { completeStock, type RawRow } from './cells.ts';
import { openList, type Session, type Sessions, type Statement } from './session.ts';
import { type Parameters, withFilter } from './statement.ts';

export interface List<T> extends Shape<T> {
  /** `orders` */
  readonly name: string;
  readonly query: string;
  /** The condition for changed rows; null: the list is always read whole. */
  readonly changed: string | null;
  /** The query for order lines, if they have their own. */
  readonly lines: string | null;
  /** Applies the expressions of `row` to the columns. A row whose expression fails becomes an `Unfit`. */
  readonly map: (rows: readonly RawRow[]) => Promise<readonly unknown[]>;
  /** Equal rows with the same key are one record. */
  readonly keyOf: (row: T) => string;
}

export interface Find {
  /** Its key below `erp`: `finds.orders-by-reference`. */
  readonly key: string;
  readonly condition: string;
}

const PAGE_ROWS = 500;
/** More than any list has. */
const MAX_PAGES = 20_000;
/** A find returns few rows; stock by location and batch has the most. */
const MAX_FOUND = 20_000;

/** The pages of a list in one snapshot. The last page is `complete` unless an invalid row has no known id. */
export async function* listPages<T>(
  sessions: Sessions,
  list: List<T>,
  changedSince: string | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<ErpPage<T>> {
  const { name } = list;
  const what = { operation: `list ${name}`, purpose: `list the ${name}`, kind: 'read' } as const;
  const condition = changedSince === null ? null : list.changed;
  const given = condition === null ? {} : { since: changedSince };
  const session = await openList(sessions, what, signal);
  const key = `lists.${name}.${condition === null ? 'query' : 'changed'}`;
  const statement = statementOf(session, list, condition, key);
  try {
    const read = reader(session, list);
    let allKnown = true;
    let before: ErpPage<T> | null = null;
    for await (const rows of rawPages(session, list, statement, given)) {
      if (before !== null) yield before;
      const page: Page<T> = await read(rows);
      allKnown &&= page.invalidRows.every((invalidRow) => invalidRow.id !== null);
      before = { ...page, complete: false };
    }
    if (before !== null) yield { ...before, complete: allKnown };
  } finally {
    await session.end();
  }
}

/** The most characters of a list kept in memory, since a database may answer without end. */
const MAX_KEPT = 4 * MAX_BODY_BYTES;

/** MariaDB and MySQL allow no second query during a list, so it is read to its end before the lines. */
async function* rawPages<T>(
  session: Session,
  { lines }: List<T>,
  statement: Statement,
  given: Parameters,
): AsyncGenerator<RawRow[]> {
  const pages = pagesWithEnd(session, statement, given);
  if (lines === null || session.dialect === 'postgres') {
    yield* pages;
    return;
  }
  const kept: RawRow[][] = [];
  let size = 0;
  for await (const page of pages) {
    size += page.reduce((sum, row) => sum + JSON.stringify(row).length, 0);
    if (size > MAX_KEPT)
      throw session.invalidAnswer(statement, '', `more than ${MAX_KEPT} characters, which are kept until its end`);
    kept.push(page);
  }
  yield* kept;
}

/** @throws CallFailure `invalid-answer` when the list does not end */
async function* pagesWithEnd(session: Session, statement: Statement, given: Parameters): AsyncGenerator<RawRow[]> {
  let count = 0;
  for await (const page of session.pages(statement, given, PAGE_ROWS)) {
    count += 1;
    if (count > MAX_PAGES) throw session.invalidAnswer(statement, '', `more than ${MAX_PAGES * PAGE_ROWS} rows`);
    yield page;
  }
}

export type Page<T> = Omit<ErpPage<T>, 'complete'>;

function reader<T>(session: Session, list: List<T>): (rows: readonly RawRow[]) => Promise<Page<T>> {
  const { asOf } = session;
  return async (raw) => {
    const withAll = list.idField === 'product_id' ? raw.map((row) => completeStock(row, asOf)) : raw;
    const mapped = await list.map(await withLines(session, list, withAll));
    const { items: rows, invalidRows } = withoutContradictions(await rowsOf(mapped, list));
    const dated = rows.map((row) => withoutFuture(row, asOf, asOf));
    return { items: dated.map(({ row }) => row), invalidRows, asOf, ahead: dated.flatMap(({ ahead }) => ahead) };
  };
}

async function withLines<T>(session: Session, list: List<T>, orders: readonly RawRow[]): Promise<readonly RawRow[]> {
  if (list.lines === null || orders.length === 0) return orders;
  const statement = { key: `lists.${list.name}.lines`, sql: list.lines };
  const ids = orders.map(({ id }) => String(id));
  const lines = Map.groupBy(await session.rows(statement, { ids }), ({ order_id: id }) => String(id));
  return orders.map((order) => ({ ...order, lines: lines.get(String(order['id'])) ?? [] }));
}

function statementOf<T>({ dialect }: Session, { query }: List<T>, condition: string | null, key: string): Statement {
  return { key, sql: withFilter(query, condition, dialect) };
}

/**
 * The rows of a condition. The caller compares again, since databases compare texts in their own way.
 * @throws CallFailure `invalid-answer` for more rows than a look-up can have
 */
export async function findIn<T>(
  session: Session,
  list: List<T>,
  { key, condition }: Find,
  given: Parameters,
): Promise<Page<T>> {
  const statement = statementOf(session, list, condition, key);
  const rows = await session.rows(statement, given);
  if (rows.length > MAX_FOUND)
    throw session.invalidAnswer(statement, '', `more than ${MAX_FOUND} rows for a look-up of a few`);
  const page = await reader(session, list)(rows);
  return { ...page, items: [...new Map(page.items.map((row) => [list.keyOf(row), row])).values()] };
}

/** @throws CallFailure `invalid-answer` for the first invalid row */
export function allFit<T>(session: Session, { key }: Find, { items, invalidRows }: Page<T>): readonly T[] {
  const [invalidRow] = invalidRows;
  if (invalidRow === undefined) return items;
  throw session.invalidAnswer({ key, sql: '' }, invalidRow.path, `${invalidRow.what}: ${invalidRow.message}`);
}
