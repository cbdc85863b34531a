import { compileExpression } from '../../expressions/expression.ts';
import { durationMs } from '../../settings/scalars.ts';
import { createMapping } from '../rows/mapping.ts';
import { splitPath } from './exchange.ts';
import { globRegex } from './glob.ts';
import { declaredFiles, type FilesSection, formatOf, type ListFile, type OrdersOutFile } from './schema.ts';

/** In import order: acknowledgements and orders before the stock that counts them. */
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
    /** The condition for a row to count; null: all count. */
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
    /** The cells and their rules; null: the order in the contract's form. */
    cells: file.row === undefined ? null : { names: Object.keys(file.row), mapping: createMapping(file.row) },
  };
}

/** A name gets the revision if each change is a new file. */
function withRevision({ files, changes }: OrdersOutFile): string {
  if (changes !== 'revision' || files.includes('{revision}')) return files;
  return files.replace('{reference}', '{reference}-r{revision}');
}
