import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { durationMs } from '../../settings/scalars.ts';
import { createMapping, type Mapping } from '../rows/mapping.ts';
import type { NumberStyle } from './cells.ts';
import type { CsvStyle } from './csv.ts';
import type { Encoding } from './decode.ts';
import { splitPath } from './exchange.ts';
import { globRegex } from './glob.ts';
import { declaredFiles, type FilesSection, formatOf, type ListFile, type OrdersOutFile } from './schema.ts';
import type { DateStyle } from './times.ts';

/** The lists of files, in the order of taking them: acknowledgements and orders come before the stock that counts them. */
export const LISTS = ['acknowledgements', 'orders', 'customers', 'payments', 'lots', 'products', 'stock'] as const;
export type ListName = (typeof LISTS)[number];

/** One kind of file that the ERP writes. */
export interface Source {
  readonly list: ListName;
  readonly folder: string;
  /** The pattern of the names, as the configuration has it. */
  readonly files: string;
  readonly fits: RegExp;
  readonly kind: 'snapshot' | 'delta';
  readonly format: 'csv' | 'json' | 'xlsx';
  readonly csv: CsvStyle;
  readonly json: { readonly rows: string; readonly count: string | null };
  readonly sheet: string | null;
  readonly done: boolean;
  readonly every: string | null;
  readonly time:
    | { readonly from: 'mtime' }
    | { readonly from: 'name'; readonly style: DateStyle }
    | { readonly from: 'column'; readonly column: string };
  readonly exportTakesMs: number;
  readonly zone: string;
  readonly dates: DateStyle | null;
  readonly style: NumberStyle;
  readonly numbers: readonly string[];
  /** The condition of the rows that count; null: all rows count. */
  readonly where: Expression | null;
  readonly mapping: Mapping;
}

export interface OrdersOut {
  readonly files: string;
  readonly format: 'csv' | 'json';
  readonly encoding: Encoding;
  readonly separator: string;
  readonly quote: string | null;
  readonly style: NumberStyle;
  readonly changes: OrdersOutFile['changes'];
  /** The names of the cells, and the rules that make them; null: the order as the contract has it. */
  readonly cells: { readonly names: readonly string[]; readonly mapping: Mapping } | null;
  readonly acknowledgedWithin: string;
}

export interface FilesSettings {
  readonly archive: string;
  readonly stableForMs: number;
  readonly maxBytes: number;
  readonly sources: readonly Source[];
  readonly ordersOut: OrdersOut;
}

export function filesSettings(section: FilesSection): FilesSettings {
  const declared = declaredFiles(section);
  return {
    archive: section.archive.replace(/\/+$/, ''),
    stableForMs: durationMs(section.stable_for),
    maxBytes: section.max_size,
    sources: LISTS.flatMap((name) => declared.filter(({ list }) => list === name)).map(({ list, file }) =>
      sourceOf(list, file, section.zone),
    ),
    ordersOut: ordersOutOf(section.orders_out),
  };
}

const MTIME_EXPORT = '10m';

function sourceOf(list: ListName, file: ListFile, sectionZone: string): Source {
  const { folder, name } = splitPath(file.files);
  const zone = file.zone ?? sectionZone;
  const { from, pattern, column, export_takes: takes } = file.time;
  return {
    list,
    folder,
    files: file.files,
    fits: globRegex(name),
    kind: list === 'acknowledgements' ? 'delta' : file.kind,
    format: formatOf(file) ?? 'csv',
    csv: {
      encoding: file.encoding,
      separator: file.separator,
      quote: file.quote,
      header: file.header ?? null,
      trailer: file.trailer ?? null,
      openEnd: file.open_end,
      skip: file.skip,
    },
    json: { rows: file.rows, count: file.count ?? null },
    sheet: file.sheet ?? null,
    done: file.done,
    every: file.every ?? null,
    time:
      from === 'name'
        ? { from, style: { pattern: pattern ?? '', zone } }
        : from === 'column'
          ? { from, column: column ?? '' }
          : { from },
    exportTakesMs: durationMs(takes ?? (from === 'mtime' ? MTIME_EXPORT : '0s')),
    zone,
    dates: file.dates === undefined ? null : { pattern: file.dates, zone },
    style: { decimal: file.decimal, thousands: file.thousands },
    numbers: file.numbers,
    where: file.where === undefined ? null : compileExpression(file.where),
    mapping: createMapping(file.row),
  };
}

function ordersOutOf(file: OrdersOutFile): OrdersOut {
  const format = formatOf(file) === 'csv' ? 'csv' : 'json';
  const cells = file.row === undefined ? null : { names: Object.keys(file.row), mapping: createMapping(file.row) };
  return {
    files: withRevision(file),
    format,
    encoding: file.encoding,
    separator: file.separator,
    quote: file.quote,
    style: { decimal: file.decimal, thousands: '' },
    changes: file.changes,
    cells,
    acknowledgedWithin: file.acknowledged_within,
  };
}

/** The pattern of the name. A name gets the revision where each change is a further file. */
function withRevision({ files, changes }: OrdersOutFile): string {
  if (changes !== 'revision' || files.includes('{revision}')) return files;
  return files.replace('{reference}', '{reference}-r{revision}');
}
