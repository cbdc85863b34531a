import { DAY_MS } from '../../domain/day.ts';
import { Decimal } from '../../domain/decimal.ts';
import { decimalText, rawNumber } from '../../http/json.ts';
import { BOUNDS, type FileRow } from './bounds.ts';
import type { FileEnd } from './csv.ts';
import { FileFault, fault } from './fault.ts';
import type { ListFile } from './schema.ts';
import { type Book, bounded, keptPart, openBook, readPart, unreadable } from './xlsx-book.ts';
import { type NumberFormat, numberFormats, paddedText } from './xlsx-formats.ts';

type Cells = ReadonlyMap<number, unknown>;

/**
 * Streams a sheet's rows; the first row not skipped is the header. Numbers are exact text as Excel displays them (15
 * digits, with padding zeros), dates ISO 8601 without a zone. A workbook that unpacks to far more than its size is
 * refused.
 * @throws FileFault also for a formula, whose stored value may be outdated
 */
export async function* xlsxRows(
  path: string,
  { sheet, skip }: Pick<ListFile, 'sheet' | 'skip'>,
  maxBytes: number,
  needed: readonly string[],
): AsyncGenerator<FileRow, FileEnd> {
  const book = await openBook(path, maxBytes);
  try {
    let header: readonly string[] | null = null;
    let rows = 0;
    const [texts, formats] = [await sharedTexts(book), await numberFormats(book)];
    for await (const { line, cells } of sheetRows(book, await sheetPath(book, sheet), texts, formats)) {
      if (line <= skip) continue;
      if (header === null) {
        header = headerOf(cells, needed);
        continue;
      }
      bounded(rows, BOUNDS.rows, 'rows');
      rows += 1;
      yield { line, row: Object.fromEntries(header.map((name, at) => [name, cells.get(at)] as const)), problem: null };
    }
    return { told: null };
  } catch (error) {
    throw error instanceof FileFault ? error : unreadable(error);
  } finally {
    book.zip.close();
  }
}

async function sheetPath(book: Book, wanted: string | undefined): Promise<string> {
  const sheets: { readonly name: string; readonly id: string }[] = [];
  const targets = new Map<string, string>();
  await keptPart(book, 'xl/workbook.xml', {
    open(tag, at) {
      if (tag !== 'sheet') return;
      bounded(sheets.length, BOUNDS.parts, 'sheets');
      sheets.push({ name: at['name'] ?? '', id: at['r:id'] ?? '' });
    },
  });
  await keptPart(book, 'xl/_rels/workbook.xml.rels', {
    open(tag, at) {
      if (tag !== 'Relationship') return;
      bounded(targets.size, BOUNDS.parts, 'parts');
      targets.set(at['Id'] ?? '', at['Target'] ?? '');
    },
  });
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (sheet === undefined) {
    throw fault('erp-file-columns', { missing: [`the sheet ${wanted ?? ''}`], shown: sheets.map(({ name }) => name) });
  }
  const target = targets.get(sheet.id) ?? 'worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

async function sharedTexts(book: Book): Promise<readonly string[]> {
  const texts: string[] = [];
  let current: string | null = null;
  let reads = false;
  await keptPart(book, 'xl/sharedStrings.xml', {
    open(tag) {
      if (tag === 'si') current = '';
      // Phonetic readings are not part of the text.
      if (tag === 't') reads = true;
    },
    text(text) {
      if (reads && current !== null) current = ofCell(current + text);
    },
    close(tag) {
      if (tag === 't') reads = false;
      if (tag !== 'si') return;
      bounded(texts.length, BOUNDS.texts, 'texts');
      texts.push(current ?? '');
      current = null;
    },
  });
  return texts;
}

async function* sheetRows(
  book: Book,
  part: string,
  texts: readonly string[],
  formats: readonly NumberFormat[],
): AsyncGenerator<{ readonly line: number; readonly cells: Cells }> {
  let done: { line: number; cells: Map<number, unknown> }[] = [];
  let row: { line: number; cells: Map<number, unknown> } = { line: 0, cells: new Map() };
  let cell: { place: string; type: string; style: number } | null = null;
  let value = '';
  let reads = false;
  const read = readPart(book, part, {
    open(tag, at) {
      if (tag === 'row') row = { line: Number(at['r'] ?? row.line + 1), cells: new Map() };
      if (tag === 'c') {
        cell = { place: at['r'] ?? '', type: at['t'] ?? 'n', style: Number(at['s'] ?? 0) };
        value = '';
      }
      if (tag === 'f') throw fault('erp-file-unreadable', { problem: `${cell?.place} holds a formula: export values` });
      if (tag === 'v' || tag === 't') reads = true;
    },
    text(text) {
      if (reads) value = ofCell(value + text);
    },
    close(tag) {
      if (tag === 'v' || tag === 't') reads = false;
      if (tag === 'c' && cell !== null) {
        const shown = valueOf(cell.type, value, formats[cell.style], texts);
        const at = columnOf(cell.place) ?? row.cells.size;
        bounded(at, BOUNDS.columns, 'columns');
        if (typeof shown === 'string') book.unpacked(shown.length);
        if (shown !== undefined) row.cells.set(at, shown);
      }
      if (tag === 'row' && row.cells.size > 0) done.push(row);
    },
  });
  for await (const _ of read) {
    const rows = done;
    done = [];
    yield* rows;
  }
  yield* done;
}

function ofCell(text: string): string {
  bounded(text.length - 1, BOUNDS.cell, 'characters in a cell');
  return text;
}

function valueOf(type: string, value: string, format: NumberFormat | undefined, texts: readonly string[]): unknown {
  if (value === '') return undefined;
  switch (type) {
    case 's':
      return texts[Number(value)];
    case 'b':
      return value === '1';
    case 'n': {
      if (!NUMBER.test(value)) return value;
      const shown = new Decimal(value).toSignificantDigits(15);
      if (format?.isDate === true) return serialDate(shown.toNumber());
      return (format === undefined ? null : paddedText(shown.toFixed(), format)) ?? rawNumber(shown.toFixed());
    }
    default:
      // Texts, ISO dates, and errors such as #N/A, which fit no field.
      return value;
  }
}

/** A longer exponent, written out, would fill the memory with zeros. */
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$/;

/** Excel's day 0, shifted because it counts 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);

/** Without a zone, to the second. A whole number is a day. */
function serialDate(serial: number): string {
  const date = new Date(EPOCH_MS + Math.round((serial * DAY_MS) / 1_000) * 1_000);
  if (Number.isNaN(date.getTime())) return String(serial);
  const text = date.toISOString().slice(0, 19);
  return Number.isInteger(serial) ? text.slice(0, 10) : text;
}

/** From 0: `B7` is in column 1. */
function columnOf(place: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  if (letters === undefined) return null;
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function nameIn(value: unknown): string {
  return typeof value === 'string' ? value.trim() : (decimalText(value) ?? '');
}

function headerOf(cells: Cells, needed: readonly string[]): readonly string[] {
  const width = Math.max(...cells.keys()) + 1;
  const shown = Array.from({ length: width }, (_, at) => nameIn(cells.get(at)));
  const missing = needed.filter((name) => !shown.includes(name));
  if (missing.length > 0) throw fault('erp-file-columns', { missing, shown: shown.slice(0, 20) });
  return shown;
}
