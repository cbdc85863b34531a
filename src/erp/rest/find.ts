import type { z } from 'zod';
import type { Given } from '../../expressions/bundle.ts';
import { firstIssue } from '../../http/misfit.ts';
import { servedAt } from '../../http/retry-after.ts';
import { Unfit } from '../../http/rows.ts';
import { withoutFuture } from '../rows/times.ts';
import type { About, Answer, Caller } from './caller.ts';
import type { Mapper, ReadList } from './list.ts';
import type { Request } from './request.ts';

/** The most rows of a find. A reference has one order, or by mistake several. A server that ignores the filter shows many. */
const MAX_FOUND = 20_000;

/**
 * Every row of a small list that fits.
 *
 * @param fits checks each row again: a server that does not know the filter answers with every row that it has
 * @throws CallFailure of kind `misfit` when a row does not fit, and `incomplete` when the ERP does not say that this is all:
 * "none" would be a guess.
 */
export async function findRows<T>(
  caller: Caller,
  list: ReadList<T>,
  { given, purpose, fits }: { readonly given: Given; readonly purpose: string; readonly fits: (row: T) => boolean },
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const about = { purpose, write: false };
  const rows: T[] = [];
  let seen = 0;
  let complete = false;
  for await (const page of list({ changedSince: null, given, purpose }, signal)) {
    const [misfit] = page.misfits;
    if (misfit !== undefined) {
      throw caller.misfit(about, { path: `items.${misfit.path}`, message: `${misfit.what}: ${misfit.message}` });
    }
    for (const row of page.items) if (fits(row)) rows.push(row);
    seen += page.items.length;
    if (seen > MAX_FOUND)
      throw caller.misfit(about, { path: 'items', message: `more than ${MAX_FOUND} rows where a few were asked for` });
    complete = page.complete;
  }
  if (!complete) throw caller.incomplete(about);
  return rows;
}

/** One record, as the ERP has it and as a row of the contract. */
export interface Found<T> {
  readonly row: T;
  readonly mapped: unknown;
  readonly raw: unknown;
}

export function firstFound<T>([row]: readonly T[]): Found<T> | null {
  return row === undefined ? null : { row, mapped: row, raw: row };
}

export interface One<T> {
  readonly request: Request;
  readonly mapper: Mapper;
  readonly shape: z.ZodType<T>;
}

/** The record in an answer; null when there is none. @throws CallFailure `misfit` when the record does not fit */
export async function recordIn<T>(
  caller: Caller,
  { mapper, shape }: Omit<One<T>, 'request'>,
  answer: Answer,
  given: Given,
  about: About,
  signal: AbortSignal | undefined,
): Promise<Found<T> | null> {
  const { found } = answer;
  const raw = Array.isArray(found)
    ? (found as unknown[])
    : found === null || found === undefined || found === false
      ? []
      : [found];
  const fail = (path: string, message: string) => caller.misfit(about, { path, message });
  if (raw.length > 1) throw fail('', `${raw.length} records where one was asked for`);
  const at = servedAt(answer.headers, caller.now());
  const kept = await mapper.once(caller, about, signal);
  const [mapped, more] = await mapper.rows(
    caller,
    raw,
    { kept, given: { ...given, from: null, as_of: at } },
    about,
    signal,
  );
  if (mapped === undefined) return null;
  if (more !== undefined) throw fail('', 'several records where one was asked for');
  if (mapped instanceof Unfit) throw fail(mapped.path, mapped.problem);
  const parsed = shape.safeParse(mapped);
  if (!parsed.success) {
    const { path, message } = firstIssue(parsed.error);
    throw fail(path, message);
  }
  return { row: withoutFuture(parsed.data, at, at).row, mapped, raw: raw[0] };
}
