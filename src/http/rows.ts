import { parseJson } from './json.ts';
import { createTurns } from './turns.ts';

/** Limits of one row, and of an answer that is one entity, far above real ones. */
const MAX_ROW_CHARS = 4_000_000;
const MAX_ROW_VALUES = 50_000;
const MAX_DEPTH = 64;
/**
 * The most values in all rows. After that, only rows of at most an even share are read, so neither large nor many small
 * rows fill the memory, and a large row displaces no small one.
 */
const MAX_VALUES = 2_000_000;
/** How many characters are processed before other work gets its turn. */
const CHARS_A_TURN = 1_000_000;

/** A row that is not read, because it is too large, too deep or no JSON. */
export class Unfit {
  readonly problem: string;
  /** The row's own plain fields, which are enough to identify it. */
  readonly row: unknown;
  /** The path of the problem; empty: the row as a whole. */
  readonly path: string;

  constructor(problem: string, row: unknown, path = '') {
    this.problem = problem;
    this.row = row;
    this.path = path;
  }
}

export class TooManyRows extends Error {
  override readonly name = 'TooManyRows';
}

interface Extent {
  readonly from: number;
  to: number;
  values: number;
  depth: number;
}

/**
 * Parses a list row by row, with pauses for other work. A row that is too large or too deep becomes an `Unfit`.
 * @param rowsIn the field with the rows, or its path; an array is the rows itself
 * @param maxValues the most values read; twice as many if most rows are small
 * @throws SyntaxError, TypeError when it is no JSON in UTF-8; TooManyRows
 */
export async function parseRows(
  body: Uint8Array,
  rowsIn: string | readonly string[],
  maxRows: number,
  maxValues = MAX_VALUES,
): Promise<unknown> {
  const text = decoded(body);
  const path = typeof rowsIn === 'string' ? [rowsIn] : rowsIn;
  const turn = createTurns();
  const { extents, outline } = await outlined(text, path, maxRows);
  const beside = await extentOf(outline);
  const problem = problemOf({ ...beside, values: beside.values - extents.length });
  if (problem !== null) throw new SyntaxError(problem);
  const rows: unknown[] = [];
  const part = maxValues / maxRows;
  let valuesLeft = maxValues;
  for (const extent of extents) {
    const isKeptBack = extent.values > Math.max(valuesLeft, part) && problemOf(extent) === null;
    if (!isKeptBack && extent.values <= MAX_ROW_VALUES) valuesLeft -= extent.values;
    rows.push(await (isKeptBack ? keptBack(text, extent, part) : rowOf(text, extent)));
    await turn();
  }
  // The outline has each row's index in its place. Of a repeated field, the last one's rows count.
  const answer = parseJson(outline);
  const put = (places: unknown) => (Array.isArray(places) ? places.map((place) => rows[Number(place)]) : places);
  if (Array.isArray(answer)) return put(answer);
  return placed(answer, path, put);
}

function placed(answer: unknown, [name, ...rest]: readonly string[], put: (places: unknown) => unknown): unknown {
  if (name === undefined) return put(answer);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || !Object.hasOwn(answer, name))
    return answer;
  return { ...answer, [name]: placed((answer as Record<string, unknown>)[name], rest, put) };
}

/**
 * Parses an answer that is one entity.
 * @throws SyntaxError, TypeError when it is no JSON in UTF-8, or too large or too deep
 */
export async function parseEntity(body: Uint8Array): Promise<unknown> {
  const text = decoded(body);
  const entity = await rowOf(text, await extentOf(text));
  if (entity instanceof Unfit) throw new SyntaxError(entity.problem);
  return entity;
}

function decoded(body: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(body);
}

async function rowOf(text: string, extent: Extent): Promise<unknown> {
  const row = text.slice(extent.from, extent.to);
  const problem = problemOf(extent);
  return problem === null ? parseJson(row) : new Unfit(problem, await ownFields(row));
}

async function keptBack(text: string, { from, to, values }: Extent, part: number): Promise<Unfit> {
  const own = await ownFields(text.slice(from, to), part);
  return new Unfit(`it holds ${values} values, and the answer as a whole holds too many`, own);
}

function problemOf({ from, to, values, depth }: Extent): string | null {
  if (depth > MAX_DEPTH) return `it is nested more than ${MAX_DEPTH} levels deep`;
  if (to - from > MAX_ROW_CHARS) return `it is longer than ${MAX_ROW_CHARS} characters`;
  return values > MAX_ROW_VALUES ? `it holds more than ${MAX_ROW_VALUES} values` : null;
}

/** The row without nested values; null: even the rest is too large. */
async function ownFields(row: string, maxValues = MAX_ROW_VALUES): Promise<unknown> {
  let kept = '';
  let depth = 0;
  let from = 0;
  await eachMark(row, (mark, at) => {
    if (OPENS.includes(mark)) {
      depth += 1;
      if (depth === 2) kept += `${row.slice(from, at)}null`;
    } else if (CLOSES.includes(mark)) {
      depth -= 1;
      if (depth === 1) from = at + 1;
    }
    return kept.length <= MAX_ROW_CHARS;
  });
  kept += row.slice(from);
  const { values } = await extentOf(kept);
  if (kept.length > MAX_ROW_CHARS || values > maxValues) return null;
  try {
    return parseJson(kept);
  } catch {
    return null;
  }
}

const [COMMA, COLON, QUOTE, BACKSLASH] = [44, 58, 34, 92];
const OPENS: readonly number[] = [91, 123];
const CLOSES: readonly number[] = [93, 125];
const MARKS = new Uint8Array(0x1_00_00);
for (const mark of [COMMA, COLON, ...OPENS, ...CLOSES]) MARKS[mark] = 1;

type See = (mark: number, at: number) => boolean;

/** Calls `see` with each bracket, comma and colon outside of strings, until it returns false. */
async function eachMark(text: string, see: See): Promise<void> {
  const turn = createTurns();
  let place: Place = { at: 0, isInText: false };
  while (place.at < text.length) {
    const next = marksUpTo(text, place, Math.min(text.length, place.at + CHARS_A_TURN), see);
    if (next === null) return;
    place = next;
    await turn();
  }
}

interface Place {
  readonly at: number;
  readonly isInText: boolean;
}

/** Scans up to `end`, which may be inside of a string. Returns where to continue; null: stop. */
function marksUpTo(text: string, { at: from, isInText: begun }: Place, end: number, see: See): Place | null {
  let [at, isInText] = [from, begun];
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) {
      // Whatever is escaped ends no string.
      if (code === BACKSLASH) at += 1;
    } else if (MARKS[code] === 1 && !see(code, at)) return null;
  }
  return { at, isInText };
}

async function extentOf(text: string): Promise<Extent> {
  const extent: Extent = { from: 0, to: text.length, values: 1, depth: 0 };
  let depth = 0;
  await eachMark(text, (mark) => {
    if (mark === COMMA) extent.values += 1;
    if (OPENS.includes(mark)) extent.depth = Math.max(extent.depth, (depth += 1));
    if (CLOSES.includes(mark)) depth -= 1;
    return true;
  });
  return extent;
}

/** Also returns the answer with a number in place of each row. */
async function outlined(
  text: string,
  path: readonly string[],
  maxRows: number,
): Promise<{ extents: Extent[]; outline: string }> {
  const isArray = /^\s*\[/.test(text);
  const extents: Extent[] = [];
  let outline = '';
  let [depth, keyFrom, copied] = [0, 0, 0];
  let inRows = false;
  let isRowsKey = false;
  let entered = 0;
  let row: Extent | null = null;
  const end = (at: number) => {
    if (row === null || text.slice(row.from, at).trim() === '') return;
    row.to = at;
    outline += `${text.slice(copied, row.from)}${extents.length}`;
    copied = at;
    extents.push(row);
    if (extents.length > maxRows) throw new TooManyRows(`more than ${maxRows} rows in one answer`);
  };
  const begin = (at: number): Extent => ({ from: at + 1, to: at + 1, values: 1, depth: 0 });
  const rowDepth = isArray ? 1 : path.length + 1;
  /** The text since the previous mark. No text is scanned twice. */
  const since = (at: number): string => {
    const between = text.slice(keyFrom, at).trim();
    keyFrom = at + 1;
    return between;
  };
  await eachMark(text, (mark, at) => {
    if (OPENS.includes(mark)) {
      depth += 1;
      if (row !== null) row.depth = Math.max(row.depth, depth - rowDepth);
      else if (since(at) === '' && (isArray || isRowsKey)) {
        if (depth === rowDepth && mark === OPENS[0]) {
          inRows = true;
          row = begin(at);
        } else if (!isArray && depth === entered + 2 && mark === OPENS[1] && depth < rowDepth) {
          entered += 1;
          isRowsKey = false;
        }
      }
    } else if (CLOSES.includes(mark)) {
      if (inRows && depth === rowDepth) {
        end(at);
        row = null;
        inRows = false;
      }
      depth -= 1;
      if (row === null && entered > 0 && depth === entered) {
        entered -= 1;
        isRowsKey = false;
      }
    } else if (mark === COMMA) {
      if (inRows && depth === rowDepth) {
        end(at);
        row = begin(at);
      } else if (row !== null) row.values += 1;
      else if (depth === entered + 1) {
        keyFrom = at + 1;
        isRowsKey = false;
      }
    } else if (row === null && depth === entered + 1) {
      // A key may be written with escapes, so it is parsed. An invalid key ends the reading with an error.
      isRowsKey = JSON.parse(since(at)) === path[entered];
    }
    return true;
  });
  return { extents, outline: outline + text.slice(copied) };
}
