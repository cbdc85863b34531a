import { parseDecimal } from '../../domain/decimal.ts';
import { decimalText, parseJson, withTexts } from '../../http/json.ts';
import { FLAGS } from '../rows/rows.ts';
import type { Column, Rows } from './database.ts';
import { instantOf } from './times.ts';

/**
 * Maps columns to fields of the contract by name: `price.amount` is the amount of the price. Handles fields with JSON,
 * flags stored as 1 and 0, and times without a zone.
 */

/** A row of the contract, as far as its columns go. */
export type RawRow = Readonly<Record<string, unknown>>;

const JSON_FIELDS = new Set([
  'price',
  'customer',
  'lines',
  'attributes',
  'addresses',
  'addresses.corporate',
  'addresses.delivery',
  'transports',
  'approval',
]);
const TRUE = new Set(['1', 't', 'true']);
const FALSE = new Set(['0', 'f', 'false']);
/** "Unknown" in MariaDB and MySQL. */
const NO_TIME = /^0000-00-00/;

/** The problem of the first column with inexact values, and its correction; null: none. */
export function columnProblem(columns: readonly Column[]): string | null {
  for (const { name, kind } of columns) {
    if (kind === 'float')
      return `its column ${name} is a floating-point number, which loses digits: cast it to a decimal`;
    if (kind === 'bytes') return `its column ${name} holds bytes: cast it to text`;
  }
  return null;
}

export function rawRows({ columns, rows }: Rows, zone: string): RawRow[] {
  const paths = columns.map(({ name }) => name.split('.'));
  return rows.map((cells) => {
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      put(row, paths[index] ?? [], valueOf(cells[index] ?? null, column, zone));
    }
    return withoutEmpty(row);
  });
}

function valueOf(text: string | null, { name, kind }: Column, zone: string): unknown {
  if (text === null) return null;
  if (kind === 'flag' || FLAGS.has(name)) return TRUE.has(text) ? true : FALSE.has(text) ? false : text;
  if (kind === 'instant' || kind === 'wall') return NO_TIME.test(text) ? null : (instantOf(text, zone) ?? text);
  if (kind === 'json' || JSON_FIELDS.has(name)) return jsonOf(text);
  // An attribute stays a number. Elsewhere digits may be a name, such as a SKU.
  if (kind === 'whole' && name.startsWith('attributes.') && Number.isSafeInteger(Number(text))) return Number(text);
  return text;
}

/** Deeper JSON stays text, since later readers of the record would fail on it. */
const MAX_DEPTH = 64;

function jsonOf(text: string): unknown {
  try {
    const value = parseJson(text);
    return depthOf(value) > MAX_DEPTH ? text : withTexts(value);
  } catch {
    return text;
  }
}

/** @throws RangeError when nested too deeply for the call stack */
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((most: number, part: unknown) => Math.max(most, depthOf(part)), 0);
}

function put(row: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    row[name] = value;
    return;
  }
  const before = row[name];
  const part = isRecord(before) ? before : {};
  row[name] = part;
  put(part, rest, value);
}

/** A part whose fields are all null becomes null. */
function withoutEmpty(row: Record<string, unknown>): RawRow {
  for (const [name, value] of Object.entries(row)) {
    if (isRecord(value) && name !== 'attributes' && Object.values(value).every((part) => part === null))
      row[name] = null;
  }
  return row;
}

/** Adds the read's time and the available quantity where there are no columns for them. */
export function completeStock(row: RawRow, asOf: string): RawRow {
  return { as_of: asOf, available: available(row), ...row };
}

function available({ on_hand: onHand, reserved }: RawRow): string | undefined {
  const [have, taken] = [onHand, reserved].map((value) => parseDecimal(decimalText(value) ?? ''));
  return have && taken ? have.minus(taken).toFixed() : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}
