import type { z } from 'zod';
import type { Given } from '../../expressions/bundle.ts';
import { firstIssue } from '../../http/issues.ts';
import { servedAt } from '../../http/retry-after.ts';
import { Unfit } from '../../http/rows.ts';
import { nameOf } from '../rows/contradictions.ts';
import { withoutFuture } from '../rows/times.ts';
import type { Answer, Call, Caller } from './caller.ts';
import type { Mapper, ReadList } from './list.ts';

/** A reference normally has one order. A server that ignores the filter returns many. */
const MAX_FOUND = 20_000;

/**
 * All fitting rows of a small list. If a record moves between pages during the read, the later row counts; twice on one
 * page counts twice.
 *
 * @param fits checks each row, since a server may ignore the filter
 * @throws CallFailure `invalid-answer` for an invalid row, and `incomplete` when rows may be missing, since "none"
 * would be a guess
 */
export async function findRows<T>(
  caller: Caller,
  list: ReadList<T>,
  { given, purpose, fits }: { readonly given: Given; readonly purpose: string; readonly fits: (row: T) => boolean },
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const call = caller.reading(purpose, signal);
  let rows: readonly T[] = [];
  let seen = 0;
  let complete = false;
  for await (const page of list({ changedSince: null, given, purpose }, signal)) {
    const [invalidRow] = page.invalidRows;
    if (invalidRow !== undefined)
      throw call.invalidAnswer(`items.${invalidRow.path}`, `${invalidRow.what}: ${invalidRow.message}`);
    const found = page.items.filter(fits);
    const later = new Set(found.map(nameOf));
    rows = [...rows.filter((row) => !later.has(nameOf(row))), ...found];
    seen += page.items.length;
    if (seen > MAX_FOUND) throw call.invalidAnswer('items', `more than ${MAX_FOUND} rows for a look-up of a few`);
    complete = page.complete;
  }
  if (!complete) throw call.incomplete();
  return [...rows];
}

/** One record, as it came and as a row of the contract. */
export interface Found<T> {
  readonly row: T;
  readonly mapped: unknown;
  readonly raw: unknown;
}

export function firstFound<T>([row]: readonly T[]): Found<T> | null {
  return row === undefined ? null : { row, mapped: row, raw: row };
}

/** null: no record. @throws CallFailure `invalid-answer` for an invalid record */
export async function recordIn<T>(
  call: Call,
  { mapper, shape }: { readonly mapper: Mapper; readonly shape: z.ZodType<T> },
  answer: Answer,
  given: Given,
): Promise<Found<T> | null> {
  const { found } = answer;
  const raw = Array.isArray(found)
    ? (found as unknown[])
    : found === null || found === undefined || found === false
      ? []
      : [found];
  if (raw.length > 1) throw call.invalidAnswer('', `${raw.length} records where one was asked for`);
  const at = servedAt(answer.headers, call.now());
  const map = await mapper(call, given);
  const [mapped, more] = await map(raw, { ...given, from: null, as_of: at });
  if (mapped === undefined) return null;
  if (more !== undefined) throw call.invalidAnswer('', 'several records where one was asked for');
  if (mapped instanceof Unfit) throw call.invalidAnswer(mapped.path, mapped.problem);
  const parsed = shape.safeParse(mapped);
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error);
    throw call.invalidAnswer(path, message);
  }
  return { row: withoutFuture(parsed.data, at, at).row, mapped, raw: raw[0] };
}
