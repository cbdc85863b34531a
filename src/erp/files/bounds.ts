/** Bounds of a file from outside, whatever it is. No real export comes near them. */
export const BOUNDS = {
  rows: 2_000_000,
  columns: 1_000,
  /** Characters of a cell, and of a row as it stands in its file. */
  cell: 100_000,
  row: 1_000_000,
  /** Files in one folder. */
  files: 100_000,
  /** How many times larger a packed file may become. */
  unpacked: 20,
} as const;

/** A row as it came, and where. */
export interface FileRow {
  readonly line: number;
  readonly row: Readonly<Record<string, unknown>>;
  /** The cells do not fit the header: why. */
  readonly problem: string | null;
}
