/** Bounds for untrusted files, far above any real export. */
export const BOUNDS = {
  rows: 2_000_000,
  columns: 1_000,
  /** Values of a JSON file. */
  values: 8_000_000,
  /** Characters of a cell, and of a raw row. */
  cell: 100_000,
  row: 1_000_000,
  /** Lines of one order. */
  lines: 10_000,
  /** Files in one folder. */
  files: 100_000,
  /** The largest ratio of unpacked to packed size. */
  unpacked: 20,
  /** Bytes of a workbook's texts and styles, which stay in memory. */
  kept: 128_000_000,
  texts: 4_000_000,
  styles: 65_536,
  /** Characters of a number format, as in Excel. */
  format: 255,
  /** Parts of a workbook, and attributes of an element. */
  parts: 1_000,
  /** Nested XML elements. */
  depth: 64,
} as const;

export interface FileRow {
  readonly line: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** Why the cells do not fit the header; null: they fit. */
  readonly problem: string | null;
}
