/** The bounds of every file from outside. No real export comes near them. */
export const BOUNDS = {
  rows: 2_000_000,
  columns: 1_000,
  /** Values of a JSON file. */
  values: 8_000_000,
  /** Characters of a cell, and of a row as it stands in its file. */
  cell: 100_000,
  row: 1_000_000,
  /** Lines of an order that has a row for each. */
  lines: 10_000,
  /** Files in one folder. */
  files: 100_000,
  /** The factor by which unpacking may enlarge a file. */
  unpacked: 20,
  /** Bytes of the parts of a book that stay in memory: its texts and styles. */
  kept: 128_000_000,
  texts: 4_000_000,
  styles: 65_536,
  /** Characters of the format of a number. Excel has the same bound. */
  format: 255,
  /** Parts of a book, and attributes of an element. */
  parts: 1_000,
  /** Elements of XML inside each other. */
  depth: 64,
} as const;

/** A row as it came, with its line. */
export interface FileRow {
  readonly line: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** The reason why the cells do not fit the header; null when they fit. */
  readonly problem: string | null;
}
