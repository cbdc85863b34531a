import { visible } from '../../domain/visible.ts';

/** A record and its first line, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Not valid CSV (RFC 4180). */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Bounds far above any real import. */
const MAX_RECORDS = 500_000;
const MAX_CELLS = 100;

const PLAIN = /[^",\r\n]*/y;
const END = /,|\r?\n|\r|$/y;

/** @throws CsvError with the line of a malformed cell, or of one above the bounds */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let cells: string[] = [];
  let began = line;
  while (at < text.length || cells.length > 0) {
    const whole = cellAt(text, at);
    const end = matchAt(END, text, at + whole.length);
    if (end === null) throw new CsvError(line, 'a quote is not closed, or stands inside a cell that is not quoted');
    cells.push(asWritten(whole.startsWith('"') ? whole.slice(1, -1).replaceAll('""', '"') : whole));
    at += whole.length + end[0].length;
    line += linesIn(whole);
    if (cells.length > MAX_CELLS) throw new CsvError(line, `it has more than ${MAX_CELLS} cells`);
    if (end[0] === ',') continue;
    if (cells.length > 1 || cells[0] !== '') records.push({ line: began, cells });
    if (records.length > MAX_RECORDS)
      throw new CsvError(began, `there are more than ${MAX_RECORDS} lines: split the file`);
    cells = [];
    line += 1;
    began = line;
  }
  return records;
}

/** A quoted or plain cell; empty: an unclosed quote. */
function cellAt(text: string, at: number): string {
  if (text[at] !== '"') return matchAt(PLAIN, text, at)?.[0] ?? '';
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? '' : text.slice(at, end + 1);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function linesIn(cell: string): number {
  return cell.split('\n').length - 1;
}

/**
 * One line without its end, for `parseCsv`. Terminal control characters are escaped, and a formula is marked as text
 * for spreadsheets.
 */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => quoted(harmless(cell))).join(',');
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A spreadsheet computes a cell with such a beginning, unless a quote precedes it. */
const FORMULA = /^'*[\t=+\-@\uff1d\uff0b\uff0d\uff20]/;
const SHOWN = /\\u([0-9a-f]{4})/g;

function harmless(cell: string): string {
  const told = cell
    .replaceAll(/\\(?=u[0-9a-f]{4})/g, String.raw`\u005c`)
    .split('\n')
    .map(visible)
    .join(String.raw`\u000a`);
  return FORMULA.test(told) ? `'${told}` : told;
}

function asWritten(cell: string): string {
  const told = cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
  return told.replaceAll(SHOWN, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
