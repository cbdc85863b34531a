/** Bounds of a file from outside, whatever it is. No real export comes near them. */
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
  /** How many times larger a packed file may become. */
  unpacked: 20,
  /** Bytes of a part of a book that stays in memory: its texts and styles. */
  kept: 128_000_000,
  texts: 4_000_000,
  styles: 65_536,
  /** Parts of a book, and attributes of an element. */
  parts: 1_000,
  /** Elements of XML inside each other. */
  depth: 64,
} as const;

/** A row as it came, and where. */
export interface FileRow {
  readonly line: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** The cells do not fit the header: why. */
  readonly problem: string | null;
}
