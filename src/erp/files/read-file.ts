import { earlier, later, minusMs } from '../../domain/instant.ts';
import type { Expression } from '../../expressions/expression.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { inOrder } from '../../expressions/rule.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import { CellError } from '../rows/mapping.ts';
import type { FileRow } from './bounds.ts';
import { canonicalRow, cellReader, totalOf, withNumbers } from './canonical.ts';
import { csvRows, type FileEnd } from './csv.ts';
import { fault } from './fault.ts';
import { groupedOrders, type Placed } from './grouped.ts';
import { jsonRows } from './json.ts';
import type { Source } from './settings.ts';
import { type Between, type FileTime, timeIn, timeOf } from './times.ts';
import { xlsxRows } from './xlsx.ts';

export interface Fetched {
  readonly path: string;
  readonly name: string;
  readonly mtimeMs: number;
  /** The time of the list's latest imported file; null: none. */
  readonly known: string | null;
}

const ROWS_AT_ONCE = 500;

/** The time from the file's name or last change; null: a column tells it. @throws FileFault */
export function timeOfFile(file: Omit<Fetched, 'path'>, source: Source): FileTime | null {
  const { time } = source;
  if (time.from === 'column') return null;
  const between = betweenOf(file, source);
  const changed = between.until;
  const told = time.from === 'mtime' ? { from: changed, to: changed } : timeIn(file.name, time.style, between);
  if (told === null) throw fault('erp-file-timeless', {});
  return widened(told, source);
}

function betweenOf({ known, mtimeMs }: Omit<Fetched, 'path'>, { exportTakesMs }: Source): Between {
  return {
    after: known === null ? null : minusMs(known, -exportTakesMs),
    until: new Date(mtimeMs).toISOString(),
  };
}

/** The span widened by the duration of the export. Both ends have microseconds, so their texts compare as times. */
function widened({ from, to }: FileTime, { exportTakesMs }: Pick<Source, 'exportTakesMs'>): FileTime {
  return { from: minusMs(from, exportTakesMs), to: minusMs(to, 0) };
}

export interface FileContent {
  readonly time: FileTime;
  /** The row count that the file states; null: none. */
  readonly told: string | null;
  readonly rows: number;
}

/**
 * Reads a whole file and passes on its rows in the contract's form.
 * @param put called with some hundred rows at a time
 * @throws FileFault
 */
export async function readFile(
  file: Fetched,
  source: Source,
  maxBytes: number,
  put: (rows: readonly Placed[]) => void,
): Promise<FileContent> {
  const time = timeOfFile(file, source) ?? (await timeOfColumn(file, source, maxBytes));
  const groups = source.list === 'orders' || source.list === 'acknowledgements';
  const kept: Placed[] = [];
  let rows = 0;
  const end = await eachChunk(rowsOf(file.path, source, maxBytes), async (chunk) => {
    rows += chunk.length;
    const placed = await mapped(chunk, source, time);
    if (groups) kept.push(...placed);
    else put(placed);
  });
  if (groups) put(groupedOrders(kept).map((order) => withTotal(order, source)));
  return { time, told: end.told, rows };
}

function withTotal({ line, row }: Placed, { list, mapping }: Source): Placed {
  if (row instanceof Unfit || list !== 'orders' || mapping.fields.has('total')) return { line, row };
  const total = totalOf(row);
  return { line, row: total === undefined ? row : { ...row, total } };
}

function rowsOf(path: string, source: Source, maxBytes: number): AsyncGenerator<FileRow, FileEnd> {
  const { mapping, numbers, time } = source;
  const needed = [...new Set([...mapping.columns, ...numbers, ...(time.from === 'column' ? [time.column] : [])])];
  switch (source.format) {
    case 'csv':
      return csvRows(path, source, needed);
    case 'xlsx':
      return xlsxRows(path, source, maxBytes, needed);
    case 'json':
      return jsonRows(path, source);
  }
}

async function eachChunk(
  rows: AsyncGenerator<FileRow, FileEnd>,
  see: (chunk: readonly FileRow[]) => Promise<void>,
): Promise<FileEnd> {
  let chunk: FileRow[] = [];
  for (;;) {
    const next = await rows.next();
    if (next.done !== true) chunk.push(next.value);
    if (chunk.length > 0 && (next.done === true || chunk.length === ROWS_AT_ONCE)) {
      await see(chunk);
      chunk = [];
    }
    if (next.done === true) return next.value;
  }
}

async function mapped(chunk: readonly FileRow[], source: Source, time: FileTime): Promise<Placed[]> {
  const read = cellReader(source);
  const numbers = chunk.map((one) => numbered(one, source));
  const { where } = source;
  const given = where === null ? numbers : await inOrder(numbers.map(async (one) => counting(one, where)));
  const good = given.flatMap((one) => (one === null || one instanceof Unfit ? [] : [one]));
  const rows = await source.mapping.map(good, read);
  let at = 0;
  return given.flatMap((one, index) => {
    if (one === null) return [];
    const row = one instanceof Unfit ? one : (rows[at++] ?? {});
    return { line: chunk[index]?.line ?? 0, row: canonicalRow(source.list, row, source.mapping, time) };
  });
}

/** null: its condition does not hold. */
async function counting<Row extends object>(row: Row | Unfit, where: Expression): Promise<Row | Unfit | null> {
  if (row instanceof Unfit) return row;
  try {
    return (await where.evaluate(withTexts(row))) === true ? row : null;
  } catch (error) {
    if (error instanceof ExpressionError) return new Unfit(`where: ${error.message}`, row);
    throw error;
  }
}

function numbered({ row, problem }: FileRow, source: Source): Readonly<Record<string, unknown>> | Unfit {
  if (problem !== null) return new Unfit(problem, row);
  try {
    return withNumbers(row, source);
  } catch (error) {
    if (error instanceof CellError) return new Unfit(error.message, row);
    throw error;
  }
}

async function timeOfColumn(file: Fetched, source: Source, maxBytes: number): Promise<FileTime> {
  if (source.time.from !== 'column') throw new Error('the time of this file is not told by a column');
  const { column } = source.time;
  const between = betweenOf(file, source);
  const times: FileTime[] = [];
  await eachChunk(rowsOf(file.path, source, maxBytes), async (chunk) => {
    for (const { row } of chunk) {
      const told = typeof row[column] === 'string' ? timeOf(row[column], source.dates, source.zone, between) : null;
      if (told === null) continue;
      const [known = told] = times;
      times[0] = { from: earlier(told.from, known.from), to: later(told.to, known.to) };
    }
  });
  const [time] = times;
  if (time === undefined) throw fault('erp-file-timeless', {});
  return widened(time, source);
}
