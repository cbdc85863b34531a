import { z } from 'zod';
import { type Ahead, isAhead, namesZone, UNDATED } from '../domain/ahead.ts';
import { CONTRADICTION, contradictingNames } from '../domain/contradicted.ts';
import { firstIssue, type ShapeIssue } from '../http/issues.ts';
import { Unfit } from '../http/rows.ts';
import { createTurns } from '../http/turns.ts';
import { type RecordDialect, sentPlace, toOurRecord } from './dialect.ts';
import { envelope, type Operation } from './operations/operation.ts';
import type { Deployed } from './request.ts';

/** Spec 1, List response envelope. */
export interface ListPage<Row> {
  /** Entries in the whole collection. */
  readonly count: number;
  readonly more: boolean;
  /** The valid rows, with every field, under our names. */
  readonly rows: readonly Row[];
  readonly invalidRows: readonly InvalidRow[];
  /** The other fields of the envelope, such as `next` and `current_page`. */
  readonly beside?: Readonly<Record<string, unknown>>;
  /** Every row in the server's order, valid or not. Future times are null. */
  readonly raw: readonly unknown[];
  /** When the page was requested, by our clock. */
  readonly askedAtMs?: number | undefined;
  /** The marketplace's clock at its answer. */
  readonly servedAt?: string;
  /** The times of this page name their zones. */
  readonly namesZones?: boolean;
  readonly ahead?: readonly Ahead[];
}

export interface InvalidRow {
  readonly index: number;
  /** The row's `number` or `id`, if any. */
  readonly id: string | null;
  /** `results[3].line_items[0].quantity` */
  readonly path: string;
  readonly message: string;
  readonly raw: unknown;
}

const DEFAULT_PAGE_SIZE = 50;

export const EMPTY_PAGE: ListPage<never> = { count: 0, more: false, rows: [], invalidRows: [], raw: [] };

/**
 * Is a 404 for the first page an empty collection (spec 1, Errors: beyond the last page), or is there no API? The
 * collection is empty if the answer is JSON (gateways send none), and its body mentions a page or another call has
 * succeeded.
 */
export function isEmptyCollection(answer: { status: number; body: Buffer }, hasAnswered: boolean): boolean {
  if (answer.status !== 404) return false;
  const body = answer.body.toString();
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null && (hasAnswered || /\bpage\b/i.test(body));
  } catch {
    return false;
  }
}

interface ListQuery {
  readonly page?: unknown;
  readonly page_size?: unknown;
  readonly limit?: unknown;
  readonly offset?: unknown;
  readonly [filter: string]: unknown;
}

const MAX_ROWS_AT_ONCE = 200_000;
/** A server may exceed the requested size, but not by a multiple. */
const MARGIN_ROWS = 500;

export function maxRows({ paging }: Operation, { page_size, limit }: ListQuery): number {
  return paging === 'array' ? MAX_ROWS_AT_ONCE : Number(page_size ?? limit ?? DEFAULT_PAGE_SIZE) + MARGIN_ROWS;
}

/** Reads a page row by row. An invalid envelope gives one issue and no page. */
export async function readPage(
  operation: Deployed,
  query: ListQuery,
  answer: unknown,
  servedAt: string,
): Promise<{ readonly page: ListPage<unknown> } | { readonly issue: ShapeIssue }> {
  const wrapped = envelope.safeParse(operation.paging === 'array' ? enveloped(answer) : answer);
  if (!wrapped.success) return { issue: firstIssue(wrapped.error) };
  const { count, results, ...beside } = wrapped.data;
  const { next } = beside;
  const more = isMore(next, count, seenBefore(operation, query), results.length);
  if (more && operation.paging === 'array') {
    return { issue: { path: '', message: `expected all rows at once, and got ${results.length} of ${count}` } };
  }
  const all = results.map((row) => (row instanceof Unfit ? row.row : row));
  const clock = clockOf(servedAt, all, query);
  const fields = all.map((row) => fieldsAhead(row, clock));
  const fitting = new Map<number, unknown>();
  const invalidRows: InvalidRow[] = [];
  const turn = createTurns();
  for (const [index, row] of results.entries()) {
    await turn();
    if (row instanceof Unfit) {
      invalidRows.push({ index, id: idOf(row.row), path: `results[${index}]`, message: row.problem, raw: row.row });
      continue;
    }
    const read: unknown = toOurRecord(operation.spoken, row);
    const checked = operation.answer.safeParse(read);
    if (checked.success) fitting.set(index, read);
    else invalidRows.push(invalidRowOf(checked.error, index, row, operation.spoken));
  }
  const twice = contradictingNames(
    [...fitting.keys()].map((index) => all[index]),
    keyOf,
  );
  const { believed = [], unlike = [] } = Object.groupBy(fitting.keys(), (index) =>
    twice.has(keyOf(all[index]) ?? '') ? 'unlike' : 'believed',
  );
  for (const index of unlike)
    invalidRows.push({
      index,
      id: idOf(all[index]),
      path: `results[${index}]`,
      message: CONTRADICTION,
      raw: all[index],
    });
  const rows = believed.map((index) => dated(fitting.get(index), fields[index] ?? []));
  const ahead = all.flatMap((row, index) =>
    (fields[index] ?? []).map((field) => ({ row: idOf(row) ?? '', stamp: String(timeIn(row, field)) })),
  );
  const raw = ahead.length === 0 ? all : all.map((row, index) => dated(row, fields[index] ?? [], null));
  return { page: { count, more, rows, invalidRows, beside, raw, servedAt, namesZones: clock.zoned.length > 0, ahead } };
}

function keyOf(row: unknown): string | null {
  const { number, id } = identified.safeParse(row).data ?? {};
  return number === undefined && id === undefined ? null : JSON.stringify([number, id]);
}

/** Wraps an array in an envelope. Any other answer stays and is reported as invalid. */
function enveloped(answer: unknown): unknown {
  return Array.isArray(answer) ? { count: answer.length, next: null, results: answer as unknown[] } : answer;
}

function invalidRowOf(error: z.ZodError, index: number, raw: unknown, spoken: RecordDialect | undefined): InvalidRow {
  const { path, message } = firstIssue(error);
  const place = sentPlace(spoken, path);
  return { index, id: idOf(raw), path: `results[${index}]${place === '' ? '' : `.${place}`}`, message, raw };
}

const identified = z.object({
  number: z.union([z.string(), z.int()]).optional().catch(undefined),
  id: z.union([z.string(), z.int()]).optional().catch(undefined),
});

function idOf(raw: unknown): string | null {
  const row = identified.safeParse(raw).data;
  const id = row?.number ?? row?.id;
  return id === undefined ? null : String(id);
}

/**
 * Entries before this page. A server that caps page_size has shown fewer; its `next` then tells whether more follow.
 */
function seenBefore(operation: Operation, query: ListQuery): number {
  if (operation.paging === 'offset') return Number(query.offset ?? 0);
  return (Number(query.page ?? 1) - 1) * Number(query.page_size ?? DEFAULT_PAGE_SIZE);
}

/**
 * `next` decides if sent. But a first page with fewer rows than `count` is never the last, because servers may cap the
 * page size, and limit/offset lists send no `next`. An empty page is always the last; otherwise a reading might never
 * end.
 */
function isMore(next: string | null | undefined, count: number, before: number, rows: number): boolean {
  if (rows === 0) return false;
  if (typeof next === 'string') return true;
  return before === 0 || next === undefined ? count > before + rows : false;
}

/** The field by which lists are read, in all spellings. */
const CHANGED = ['modified', 'modified_date'] as const;
const MADE = ['created_on', 'created_date'] as const;

type Fields = Readonly<Record<string, unknown>>;

interface Clock {
  readonly servedAt: string;
  /** The fields in which this list names zones. A row without one is in the same zone as the others. */
  readonly zoned: readonly string[];
}

/** @param query may have a start time, in the server's spelling */
export function clockOf(servedAt: string, rows: readonly unknown[], query: Fields): Clock {
  const zoned = [...CHANGED, ...MADE].filter((field) => {
    const from = query[`${field}__gte`];
    const times = from === UNDATED ? [] : [from];
    return [...times, ...rows.map((row) => timeIn(row, field))].some((at) => typeof at === 'string' && namesZone(at));
  });
  return { servedAt, zoned };
}

/**
 * Removes a row's future times, so that no reading begins there and no later answer counts as older.
 * @param ahead the names of these times
 * @param changed replaces the time of change, which may be required
 */
export function dated<T>(row: T, ahead: readonly string[], changed: string | null = UNDATED): T {
  if (ahead.length === 0) return row;
  const isMade = (field: string) => (MADE as readonly string[]).includes(field);
  return { ...row, ...Object.fromEntries(ahead.map((field) => [field, isMade(field) ? null : changed])) };
}

/** The names of a row's future times. */
export function fieldsAhead(row: unknown, { servedAt, zoned }: Clock): string[] {
  return [...CHANGED, ...MADE].filter((field) => {
    const value = timeIn(row, field);
    return typeof value === 'string' && isAhead(value, servedAt, zoned.includes(field));
  });
}

function timeIn(row: unknown, field: string): unknown {
  return typeof row === 'object' && row !== null && Object.hasOwn(row, field) ? (row as Fields)[field] : undefined;
}
