import { compileExpression } from '../../expressions/expression.ts';
import { durationMs } from '../../settings/scalars.ts';
import { createMapping } from '../rows/mapping.ts';
import { splitPath } from './exchange.ts';
import { globRegex } from './glob.ts';
import { declaredFiles, type FilesSection, formatOf, type ListFile, type OrdersOutFile } from './schema.ts';

/** The lists of files, in the order of taking them: acknowledgements and orders come before the stock that counts them. */
export const LISTS = ['acknowledgements', 'orders', 'customers', 'payments', 'lots', 'products', 'stock'] as const;
export type ListName = (typeof LISTS)[number];

export type FilesSettings = ReturnType<typeof filesSettings>;

export function filesSettings(section: FilesSection) {
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

/** One kind of file that the ERP writes. */
export type Source = ReturnType<typeof sourceOf>;

function sourceOf(list: ListName, file: ListFile, sectionZone: string) {
  const { folder, name } = splitPath(file.files);
  const zone = file.zone ?? sectionZone;
  const { from, pattern = '', column = '', export_takes: takes } = file.time;
  const time = from === 'name' ? { from, style: { pattern, zone } } : from === 'column' ? { from, column } : { from };
  return {
    ...file,
    list,
    folder,
    fits: globRegex(name),
    kind: list === 'acknowledgements' ? 'delta' : file.kind,
    format: formatOf(file) ?? 'csv',
    time,
    exportTakesMs: durationMs(takes ?? (from === 'mtime' ? MTIME_EXPORT : '0s')),
    zone,
    dates: file.dates === undefined ? null : { pattern: file.dates, zone },
    /** The condition of the rows that count; null: all rows count. */
    where: file.where === undefined ? null : compileExpression(file.where),
    mapping: createMapping(file.row),
  };
}

export type OrdersOut = ReturnType<typeof ordersOutOf>;

function ordersOutOf(file: OrdersOutFile) {
  return {
    ...file,
    files: withRevision(file),
    format: formatOf(file) === 'csv' ? 'csv' : 'json',
    /** The names of the cells, and the rules that make them; null: the order as the contract has it. */
    cells: file.row === undefined ? null : { names: Object.keys(file.row), mapping: createMapping(file.row) },
  };
}

/** The pattern of the name. A name gets the revision where each change is a further file. */
function withRevision({ files, changes }: OrdersOutFile): string {
  if (changes !== 'revision' || files.includes('{revision}')) return files;
  return files.replace('{reference}', '{reference}-r{revision}');
}
