import { isBefore } from '../domain/instant.ts';
import { laterOf } from './keyset-instants.ts';
import type { PageView } from './keyset-page.ts';

/**
 * States of a reading, as immutable values. `advance` is the only step. It knows neither time nor network.
 *
 *   line ──(a full page does not advance the line)──> group ──(read completely)──> line
 *    └──(not sorted, or not filtered)──> whole <──┘             line, group, whole ──> end
 */
export type Reading = Line | Group | Whole | End;

/**
 * Page 1 from `from`, repeatedly. Each answer is a snapshot of the lowest rows, so nothing below its last row is
 * missed.
 */
export interface Line {
  readonly at: 'line';
  readonly start: string | null;
  readonly from: string | null;
  /**
   * The previous page began at `from` and promised at least `rows` more rows. If there are fewer, rows disappeared or
   * the list is not sorted. That page is requested again; a second failure means that it is not sorted.
   */
  readonly check: { readonly from: string | null; readonly rows: number } | null;
  readonly again: boolean;
}

/**
 * A page or more of rows with the same instant `from`. Its pages are read upwards and then downwards, because a changed
 * row moves to the list's end and shifts others to lower pages. Complete when two walks saw the same rows, as many as
 * the page numbers imply.
 */
export interface Group {
  readonly at: 'group';
  readonly start: string | null;
  readonly from: string;
  readonly page: number;
  readonly direction: 'up' | 'down';
  readonly walk: number;
  readonly rowsPerPage: number;
  /** Keys seen in this walk and in the complete one before. */
  readonly seen: ReadonlySet<string>;
  readonly before: ReadonlySet<string> | null;
  readonly end: GroupEnd | null;
}

interface GroupEnd {
  readonly page: number;
  /** The size of the group, by the position of its last row. */
  readonly rows: number;
  /** The last instant on the first page beyond the group. The line continues there. null: no row follows. */
  readonly past: string | null;
}

/**
 * The server does not sort, so everything from the start is read up and down: a row that one walk misses appears in the
 * other. Earlier pages may have looked sorted by chance.
 */
export interface Whole {
  readonly at: 'whole';
  readonly from: string | null;
  readonly page: number;
  readonly direction: 'up' | 'down';
  readonly why: 'unsorted' | 'filter-ignored';
  /** The latest instant of the walk up. Later changes have a later one. */
  readonly latest: string | null;
}

export interface End {
  readonly at: 'end';
  /** Every row up to this instant was seen; null: an empty list. */
  readonly from: string | null;
}

/**
 * `unsorted`, `filter-ignored`: the server ignores `ordering` or `modified__gte`, so the whole list was read at the
 * cost of many calls. `tie-group`: a page or more share one instant. `unstable`: the rows kept changing, so the cursor
 * stays.
 */
export type Finding = Whole['why'] | 'tie-group' | 'unstable';

export interface Advance {
  readonly next: Reading;
  readonly finding: Finding | null;
}

const MAX_WALKS = 6;
/** 200,000 rows of one instant. The keys of two walks are in memory meanwhile. */
const MAX_GROUP_PAGES = 400;

/** @param page null: the server has no such page, because the collection shrank. */
export function advance(reading: Exclude<Reading, End>, page: PageView | null): Advance {
  if (reading.at === 'line') return advanceLine(reading, page);
  if (reading.at === 'whole') return advanceWhole(reading, page);
  if (reading.page > MAX_GROUP_PAGES) return { next: { at: 'end', from: reading.from }, finding: 'unstable' };
  return advanceGroup(reading, page);
}

function advanceLine(line: Line, page: PageView | null): Advance {
  const { start, from, check } = line;
  if (page === null) return { next: { at: 'end', from }, finding: null };
  const short = check !== null && page.count < check.rows;
  if (short && !line.again) return { next: lineFrom(start, check.from, null, true), finding: null };
  const order = short ? 'unsorted' : page.order;
  if (order !== 'line') {
    const whole = wholeFrom(start, order);
    return from === start ? advanceWhole(whole, page) : { next: whole, finding: order };
  }
  const last = laterOf(from, page.last);
  if (!page.more || page.rows === 0) return { next: { at: 'end', from: last }, finding: null };
  if (from === null || isBefore(from, last ?? from)) {
    return { next: lineFrom(start, last, { from, rows: page.fromLast }, check === null && line.again), finding: null };
  }
  const group = { at: 'group', start, from, walk: 1, rowsPerPage: page.rows, before: null } as const;
  return { next: { ...group, page: 2, direction: 'up', seen: new Set(), end: null }, finding: 'tie-group' };
}

export function lineFrom(start: string | null, from: string | null, check: Line['check'] = null, again = false): Line {
  return { at: 'line', start, from, check, again };
}

function advanceGroup(group: Group, page: PageView | null): Advance {
  if (page === null || page.rows === 0) return walkAgain(group, Math.max(1, group.page - 1), null);
  if (page.order !== 'line') return { next: wholeFrom(group.start, page.order), finding: page.order };
  const past = page.tied.length < page.rows;
  if (group.direction === 'up' && !past && page.more) {
    return { next: { ...group, page: group.page + 1 }, finding: 'tie-group' };
  }
  const seen = new Set([...group.seen, ...page.tied]);
  const lastPosition = (group.page - 1) * group.rowsPerPage + page.tied.length;
  const end = past
    ? { page: group.page, rows: lastPosition, past: page.last }
    : (group.end ?? { page: group.page, rows: page.count, past: null });
  const walked: Group = { ...group, direction: 'down', seen, end };
  return group.page > 1 ? { next: { ...walked, page: group.page - 1 }, finding: 'tie-group' } : judge(walked, end);
}

/** Decides after a complete walk down. */
function judge(group: Group, end: GroupEnd): Advance {
  const { seen, before } = group;
  const same = before !== null && before.size === seen.size && [...seen].every((key) => before.has(key));
  if (!same || seen.size !== end.rows) return walkAgain(group, end.page, seen);
  const { start, from } = group;
  const next: Reading = end.past === null ? { at: 'end', from } : lineFrom(start, end.past);
  return { next, finding: 'tie-group' };
}

function walkAgain(group: Group, page: number, before: Group['before']): Advance {
  if (group.walk === MAX_WALKS) return { next: { at: 'end', from: group.from }, finding: 'unstable' };
  const walk = group.walk + 1;
  return {
    next: { ...group, page, direction: 'up', walk, seen: new Set(), before, end: null },
    finding: 'tie-group',
  };
}

function wholeFrom(from: string | null, why: Whole['why']): Whole {
  return { at: 'whole', from, page: 1, direction: 'up', why, latest: null };
}

function advanceWhole(whole: Whole, page: PageView | null): Advance {
  const finding = whole.why;
  const gone = page === null || page.rows === 0;
  const latest = whole.direction === 'up' && !gone ? laterOf(whole.latest, page.latest) : whole.latest;
  if (whole.direction === 'up' && !gone && page.more) {
    return { next: { ...whole, page: whole.page + 1, latest }, finding };
  }
  if (whole.page > 1) return { next: { ...whole, page: whole.page - 1, direction: 'down', latest }, finding };
  return { next: { at: 'end', from: laterOf(whole.from, latest) }, finding };
}
