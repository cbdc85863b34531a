/** One record of a CSV file, and the line it begins in, from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The text is no CSV (RFC 4180). */
export class CsvError extends Error {
  override readonly name = 'CsvError';
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** The beginning of a cell, up to its end: quoted with doubled quotes inside, or plain. */
const CELL = /"((?:[^"]|"")*)"|([^",\r\n]*)/y;
const END = /,|\r?\n|\r|$/y;

/** @throws CsvError with the line where a cell does not end as it should */
export function parseCsv(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  let cells: string[] = [];
  let began = line;
  while (at < text.length || cells.length > 0) {
    const cell = matchAt(CELL, text, at);
    const whole = cell?.[0] ?? '';
    const end = matchAt(END, text, at + whole.length);
    if (end === null) throw new CsvError(line, 'a quote is not closed, or stands inside a cell that is not quoted');
    cells.push(cell?.[1]?.replaceAll('""', '"') ?? cell?.[2] ?? '');
    at += whole.length + end[0].length;
    line += linesIn(whole);
    if (end[0] === ',') continue;
    // An empty line is no record.
    if (cells.length > 1 || cells[0] !== '') records.push({ line: began, cells });
    cells = [];
    line += 1;
    began = line;
  }
  return records;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function linesIn(cell: string): number {
  return cell.split('\n').length - 1;
}

/** One line, without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}
