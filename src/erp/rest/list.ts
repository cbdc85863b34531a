import { isAhead } from '../../domain/ahead.ts';
import { earlier, instantNs, minusMs } from '../../domain/instant.ts';
import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { localOf } from '../../expressions/moments.ts';
import { servedAt } from '../../http/retry-after.ts';
import { durationMs } from '../../settings/scalars.ts';
import type { ErpPage } from '../connector.ts';
import { withoutContradictions } from '../rows/contradictions.ts';
import { rowsOf, type Shape } from '../rows/page.ts';
import { withoutFuture } from '../rows/times.ts';
import type { Answer, Call, Caller } from './caller.ts';
import { compileJoinedLists } from './joined-lists.ts';
import { compileMapping } from './mapping.ts';
import type { Place } from './place.ts';
import { compileListing, lastOf } from './reader.ts';
import { compileRequest, type Request } from './request.ts';
import type { FindSection, ListSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

/** Reads a list as rows of the contract, page by page. */
export type ReadList<T> = (ask: ListAsk, signal: AbortSignal | undefined) => AsyncGenerator<ErpPage<T>>;

export interface ListAsk {
  readonly changedSince: string | null;
  readonly given: Given;
  readonly purpose: string;
}

/** The call that reads the ERP's clock, if answers do not include the time. */
export interface Clock {
  readonly request: Request;
  readonly time: Expression;
}

const NAMES = ['since', 'reference', 'id', 'sku', 'skus', 'cursor', 'page', 'offset', 'size'] as const;

interface Around {
  readonly at: string;
  readonly caller: Caller;
  readonly clock: Clock | null;
}

/**
 * A list may consist of several requests, and is complete when each is. They run in their described order, so that a
 * record that moves to a later one is seen at least once.
 * @throws ExpressionError for an invalid expression
 */
export function compileList<T>(section: ListSection | FindSection, shape: Shape<T>, around: Around): ReadList<T> {
  const { also = [], ...own } = section;
  const first = compilePart(own, shape, around);
  if (also.length === 0) return first;
  const others = also.map((part, index) => compilePart(part, shape, { ...around, at: `${around.at}.also.${index}` }));
  return async function* union(ask, signal) {
    let asOf: string | null = null;
    let complete = true;
    for (const [index, part] of [first, ...others].entries()) {
      let isWhole = false;
      for await (const page of part(ask, signal)) {
        asOf = asOf === null ? page.asOf : earlier(asOf, page.asOf);
        isWhole = page.complete;
        yield { ...page, asOf, complete: isWhole && complete && index === others.length };
      }
      complete &&= isWhole;
    }
  };
}

function compilePart<T>(
  section: Omit<ListSection, 'also'> | Omit<FindSection, 'also'>,
  shape: Shape<T>,
  parts: Around,
): ReadList<T> {
  const { at, caller, clock } = parts;
  const paging = section.paging ?? { by: 'none' as const };
  const request = compileRequest(section.request, NAMES, caller.place(`${at}.request`));
  const read = compileListing({ request, section, paging, at });
  const mapper = compileMapper(section, at, caller.place);
  const asOf = section.as_of === undefined ? null : compileExpression(section.as_of, [...ALWAYS, 'headers']);
  const complete =
    section.complete === undefined
      ? null
      : compileExpression(section.complete, [...ALWAYS, 'last', 'rowcount', 'headers']);
  const since = 'since' in section ? section.since : undefined;
  const format = since?.as === undefined ? null : compileExpression(since.as, [...ALWAYS, 'since']);

  async function sinceGiven(from: string | null, call: Call): Promise<Given> {
    if (since === undefined || from === null) return {};
    const own = { since: writtenAs(from, since) };
    return format === null ? own : { since: await call.tell(format, {}, own, `${at}.since.as`) };
  }

  return async function* list({ changedSince, given, purpose }, signal) {
    const call = caller.reading(purpose, signal);
    const overlapMs = since === undefined ? 0 : durationMs(since.overlap);
    const from = changedSince === null || overlapMs === 0 ? changedSince : earlierBy(changedSince, overlapMs);
    const own = { ...given, ...(await sinceGiven(from, call)) };
    const before = clock === null || asOf !== null ? null : await timeOf(call, clock);
    const mapped = await mapper(call, given);
    let earliest: string | null = null;
    let allKnown = true;
    for await (const page of read(call, own)) {
      const { began, stamp } = await beganAt(call, { at, asOf }, page.answer, before ?? earliest);
      earliest = earliest === null ? began : earlier(earliest, began);
      const made = await mapped(page.rows, { ...given, from, as_of: began });
      const { items: rows, invalidRows } = withoutContradictions(await rowsOf(made, shape));
      const served = servedAt(page.answer.headers, caller.now());
      const dated = rows.map((row) => withoutFuture(row, served, began));
      allKnown &&= invalidRows.every((invalidRow) => invalidRow.id !== null);
      const ahead = [...(stamp === null ? [] : [{ row: 'as_of', stamp }]), ...dated.flatMap((one) => one.ahead)];
      const whole = page.last && page.whole && allKnown && (await isComplete(page.answer, page.rows, call));
      yield { items: dated.map(({ row }) => row), invalidRows, asOf: earliest, complete: whole, ahead };
    }
  };

  async function isComplete(answer: Answer, rows: readonly unknown[], call: Call): Promise<boolean> {
    if (complete === null) return true;
    const own = { last: lastOf(rows), rowcount: rows.length, headers: answer.headers };
    return (await call.tell(complete, answer.beside, own, `${at}.complete`)) === true;
  }
}

const NO_TIME = 'expected a time like 2030-01-31T08:30:00.000Z';

/** When a read began, on the ERP's clock. `stamp`: the ERP's own time, if it is in the future. */
async function beganAt(
  call: Call,
  { at, asOf }: { readonly at: string; readonly asOf: Expression | null },
  answer: Answer,
  before: string | null,
): Promise<{ readonly began: string; readonly stamp: string | null }> {
  if (asOf !== null) {
    const stamp = await call.tell(asOf, answer.beside, { headers: answer.headers }, `${at}.as_of`);
    if (typeof stamp !== 'string' || instantNs(stamp) === null) {
      throw call.invalidAnswer(asOf.text, stamp === undefined ? 'is missing' : NO_TIME);
    }
    const late = isAhead(stamp, servedAt(answer.headers, call.now()), true);
    if (late && answer.began === null) throw call.invalidAnswer(asOf.text, 'it lies in the future');
    return { began: late ? servedAt(answer.headers, call.now()) : stamp, stamp: late ? stamp : null };
  }
  if (before !== null) return { began: before, stamp: null };
  if (answer.began !== null) return { began: answer.began, stamp: null };
  throw call.invalidAnswer('', 'it has no header Date: describe as_of or clock');
}

/**
 * Maps pages of the ERP's rows to rows of the contract. The mapping also sees the lists of `lists.NAME.with`; those
 * read once are read first.
 */
export type Mapper = (
  call: Call,
  given: Given,
) => Promise<(rows: readonly unknown[], given: Given) => Promise<unknown[]>>;

/** @throws ExpressionError for an invalid expression */
export function compileMapper(
  section: Partial<Pick<ListSection, 'with' | 'each' | 'where' | 'row' | 'since'>>,
  at: string,
  place: Place,
): Mapper {
  const beside = compileJoinedLists(section.with ?? {}, at, place);
  const witness = section.since?.witness;
  // A server that ignores the filter returns older rows too.
  const fresh = witness === undefined ? undefined : `$not($before((${witness}\n), $from))`;
  const where =
    section.where === undefined || fresh === undefined ? (section.where ?? fresh) : `(${section.where}\n) and ${fresh}`;
  const names = [...ALWAYS, ...beside.names, 'from', 'as_of', 'reference', 'id', 'sku', 'skus'];
  const mapping = compileMapping(
    { each: section.each, where, row: section.row },
    { names, rowNames: beside.rowNames, place: (path) => place([at, ...path].join('.')) },
  );
  return async (call, asked) => {
    const kept = await beside.once(call, asked);
    return async (rows, given) => {
      const read = await beside.of(call, rows, { kept, given: asked });
      return mapping.rows(read.rows, { ...call.given, ...given, ...read.given });
    };
  };
}

async function timeOf(call: Call, { request, time }: Clock): Promise<string> {
  const answer = await call.ask({ request, given: {} });
  const told = await call.tell(time, answer.beside, { headers: answer.headers }, 'clock.time');
  if (typeof told === 'string' && instantNs(told) !== null) return told;
  throw call.invalidAnswer('clock.time', NO_TIME);
}

/** In whole milliseconds, since many servers read no more digits. */
function earlierBy(instant: string, ms: number): string {
  return new Date(minusMs(instant, ms)).toISOString();
}

function writtenAs(instant: string, { format, zone }: NonNullable<ListSection['since']>): unknown {
  const ms = Date.parse(instant);
  switch (format) {
    case 'iso':
      return instant;
    case 'local':
      return localOf(instant, zone);
    case 'seconds':
      return Math.floor(ms / 1_000);
    case 'milliseconds':
      return ms;
  }
}
