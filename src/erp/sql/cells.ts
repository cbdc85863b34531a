import { parseDecimal } from '../../domain/decimal.ts';
import { decimalText, parseJson, withTexts } from '../../http/json.ts';
import { FLAGS } from '../rows/rows.ts';
import type { Column, Rows } from './database.ts';
import { instantOf } from './times.ts';

/**
 * Columns become fields of the contract by their names: `price.amount` is the amount in the price. Some fields hold JSON, some
 * are flags that databases write as 1 and 0, and some times come without a zone.
 */

/** A row of the contract, as far as its columns tell it. */
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
/** The date that MariaDB and MySQL write where no time is known. */
const NO_TIME = /^0000-00-00/;

/** The problem and the mend of the first column without exact values; null when every column has exact values. */
export function columnProblem(columns: readonly Column[]): string | null {
  for (const { name, kind } of columns) {
    if (kind === 'float')
      return `its column ${name} is a floating-point number, which loses digits: cast it to a decimal`;
    if (kind === 'bytes') return `its column ${name} holds bytes: cast it to text`;
  }
  return null;
}

/** @param zone the zone of times that name none */
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
  // An attribute stays a number. In other fields a number may be a name, such as a SKU of digits.
  if (kind === 'whole' && name.startsWith('attributes.') && Number.isSafeInteger(Number(text))) return Number(text);
  return text;
}

/** JSON that is nested deeper stays text: a later reader of the record would fail on it, and other records with it. */
const MAX_DEPTH = 64;

function jsonOf(text: string): unknown {
  try {
    const value = parseJson(text);
    return depthOf(value) > MAX_DEPTH ? text : withTexts(value);
  } catch {
    return text;
  }
}

/** @throws RangeError when the value is nested too deeply for the call stack */
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

/** Adds the time of the read and the available quantity to a stock row that has no columns for them. */
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
