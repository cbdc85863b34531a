import { CsvError, parse } from 'csv-parse/sync';
import { numberText } from '../files/cells.ts';
import type { Encoding } from '../files/decode.ts';
import { DraftFault } from './shape.ts';

/** Detects the style of a CSV file and reads its first rows. Pure. */

export interface CsvStyle {
  readonly encoding: Encoding;
  readonly separator: string;
  readonly decimal: '.' | ',';
  readonly thousands: '' | '.' | ',';
  /** null: a quotation mark is an ordinary character. */
  readonly quote: '"' | null;
  readonly skip: number;
}

export interface Sheet {
  readonly style: CsvStyle;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const ROWS_MAX = 200;
const SEPARATORS = [';', ',', '\t', '|'];

/** @param bytes the beginning of a file; its last line may be cut @throws DraftFault */
export function readCsv(bytes: Uint8Array, isWhole: boolean): Sheet {
  const { text, encoding } = decoded(bytes);
  if (text.includes('\0')) throw new DraftFault('it is no text');
  const whole = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  const best = SEPARATORS.map((separator) => ({ separator, table: tableOf(whole, separator) })).sort(
    (one, other) => other.table.columns - one.table.columns,
  )[0];
  if (best === undefined || best.table.columns < 2) throw new DraftFault('it has no line with several columns');
  const { separator, table } = best;
  const [header = [], ...rows] = table.records;
  const fitting = rows.filter((row) => row.length === header.length);
  return {
    style: { encoding, separator, quote: table.quote, ...numbersOf(fitting.flat()), skip: table.skip },
    header: header.map((name) => name.trim()),
    rows: fitting,
  };
}

function decoded(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const marks: readonly (readonly [Encoding, number, number])[] = [
    ['utf-16le', 0xff, 0xfe],
    ['utf-16be', 0xfe, 0xff],
  ];
  const [marked] = marks.find(([, first, second]) => bytes[0] === first && bytes[1] === second) ?? [];
  if (marked !== undefined) return { text: new TextDecoder(marked).decode(bytes), encoding: marked };
  try {
    // A character may be cut at the end of the bytes.
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

interface Parsed {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

interface Table {
  readonly columns: number;
  readonly quote: '"' | null;
  readonly skip: number;
  /** Begins with the header. */
  readonly records: readonly (readonly string[])[];
}

/** Without quotes if quotation marks turn out to be part of the texts. */
function tableOf(text: string, delimiter: string): Table {
  for (const quote of ['"', null] as const) {
    try {
      const shared = { relax_column_count: true, skip_empty_lines: true, info: true, max_record_size: 100_000 };
      const options = { ...shared, delimiter, quote: quote ?? false, to: ROWS_MAX };
      return { quote, ...fromNames(parse(text, options) as unknown as Parsed[]) };
    } catch (error) {
      if (!(error instanceof CsvError)) throw error;
    }
  }
  return { columns: 0, quote: null, skip: 0, records: [] };
}

/** The header is the first row as wide as most rows: a title above it is narrower. */
function fromNames(all: readonly Parsed[]): Omit<Table, 'quote'> {
  const widths = Map.groupBy(all, ({ record }) => record.length);
  const [columns = 0] = [...widths].sort((one, other) => other[1].length - one[1].length || other[0] - one[0])[0] ?? [];
  const at = Math.max(
    0,
    all.findIndex(({ record }) => record.length === columns),
  );
  return {
    columns,
    skip: Math.max(0, (all[at]?.info.lines ?? 1) - 1),
    records: all.slice(at).map(({ record }) => record),
  };
}

function numbersOf(cells: readonly string[]): Pick<CsvStyle, 'decimal' | 'thousands'> {
  const count = (regex: RegExp) => cells.filter((cell) => regex.test(cell.trim())).length;
  const decimal = count(/^-?[\d.]*\d,\d+$/) > count(/^-?[\d,]*\d\.\d{1,2}$/) ? ',' : '.';
  const grouped = decimal === ',' ? /^-?\d{1,3}(\.\d{3})+(,\d+)?$/ : /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;
  return { decimal, thousands: count(grouped) === 0 ? '' : decimal === ',' ? '.' : ',' };
}

/** The cell in the usual notation, so that its type can be told. */
export function plainCell(cell: string, style: Pick<CsvStyle, 'decimal' | 'thousands'>): string {
  return numberText(cell, style) ?? cell.trim();
}
