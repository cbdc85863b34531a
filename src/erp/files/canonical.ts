import { type Decimal, parseDecimal, sum } from '../../domain/decimal.ts';
import { decimalText, withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import { CellError, type MappedRow, type Mapping, type ReadCell } from '../rows/mapping.ts';
import { FLAGS } from '../rows/rows.ts';
import { flagOf, type NumberStyle, numberText } from './cells.ts';
import type { ListName, Source } from './settings.ts';
import { type FileTime, timeOf } from './times.ts';

const DECIMALS = new Set(
  `amount unit_multiplier on_hand reserved available quantity unit_price shipped given_up discount shipping tax
  total`.split(/\s+/),
);
const TIMES = new Set(
  'changed_at as_of created_at decided_at received_at shipped_at delivered_at counted_as_of'.split(' '),
);
/** A date without a time means the end of the day for these fields, and the start of the day for others. */
const LATEST = new Set(['changed_at', 'counted_as_of']);

/** Reads cells in the source's style. An empty cell has no value. */
export function cellReader({ dates, zone, ...style }: NumberStyle & Pick<Source, 'dates' | 'zone'>): ReadCell {
  return (value, field) => {
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') return exact(value, field);
    const text = value.trim();
    if (text === '') return undefined;
    if (DECIMALS.has(field)) return numberIn(text, style);
    if (FLAGS.has(field)) return flagOf(text) ?? text;
    if (!TIMES.has(field)) return text;
    const time = timeOf(text, dates, zone);
    if (time === null) throw new CellError(`${JSON.stringify(text)} is no time of this style`);
    return LATEST.has(field) ? time.to : time.from;
  };
}

/** A number of JSON or a sheet as exact text. A numeric name becomes text too. */
function exact(value: unknown, field: string): unknown {
  const digits = decimalText(value);
  if (digits === null) return withTexts(value);
  return FLAGS.has(field) ? (flagOf(digits) ?? digits) : digits;
}

function numberIn(text: string, style: NumberStyle): string {
  const number = numberText(text, style);
  if (number === null) throw new CellError(`${JSON.stringify(text.slice(0, 60))} is no number of this style`);
  return number;
}

/** Converts the declared number columns to plain decimals, for expressions. @throws CellError */
export function withNumbers(row: Readonly<Record<string, unknown>>, source: NumberStyle & Pick<Source, 'numbers'>) {
  if (source.numbers.length === 0) return row;
  const numbers = source.numbers.map((name) => {
    const value = row[name];
    return [name, typeof value === 'string' && value.trim() !== '' ? numberIn(value.trim(), source) : value];
  });
  return { ...row, ...Object.fromEntries(numbers) } as Readonly<Record<string, unknown>>;
}

/** Values of fields without a rule. A field whose rule finds nothing has no value. */
type Defaults = (row: MappedRow, time: FileTime) => Readonly<Record<string, unknown>>;

const DEFAULTS: Readonly<Record<ListName, Defaults>> = {
  products: (row, time) => ({
    id: row['sku'],
    active: true,
    deleted: false,
    unit_multiplier: '1',
    changed_at: time.from,
  }),
  stock: (row, time) => ({ product_id: row['sku'], reserved: '0', as_of: time.from }),
  orders: (row, time) => ({
    reference: row['id'],
    origin: 'erp',
    lines: [],
    discount: '0',
    shipping: '0',
    tax: '0',
    changed_at: time.to,
  }),
  acknowledgements: (_row, time) => ({ changed_at: time.to }),
  customers: (_row, time) => ({ changed_at: time.to }),
  payments: (row, time) => ({ id: row['marketplace_id'], changed_at: time.to }),
  lots: (row, time) => ({ id: row['batch'], changed_at: time.from }),
};

export function canonicalRow(
  list: ListName,
  row: MappedRow | Unfit,
  mapping: Mapping,
  time: FileTime,
): MappedRow | Unfit {
  if (row instanceof Unfit) return new Unfit(row.problem, namesIn(list, row.row, mapping, time));
  const filled: Record<string, unknown> = { ...row };
  for (const [field, value] of Object.entries(DEFAULTS[list](row, time))) {
    if (value !== undefined && !mapping.fields.has(field)) filled[field] = value;
  }
  return list === 'stock' ? withFigures(filled, mapping) : filled;
}

const NAMES = ['id', 'sku', 'product_id', 'location', 'batch', 'reference'] as const;

/** The identifying fields of a row with an unreadable field. */
function namesIn(list: ListName, raw: unknown, mapping: Mapping, time: FileTime): MappedRow {
  const cells = (raw ?? {}) as Readonly<Record<string, unknown>>;
  const names: Record<string, unknown> = {};
  for (const name of NAMES) {
    const column = mapping.fields.get(name);
    const value = column == null ? undefined : withTexts(cells[column]);
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== ''))
      names[name] = String(value).trim();
  }
  const defaults = DEFAULTS[list](names, time);
  for (const name of NAMES) if (!mapping.fields.has(name)) names[name] ??= defaults[name];
  return names;
}

/** Computes the missing one of on hand and available from the other two figures. */
function withFigures(row: Readonly<Record<string, unknown>>, { fields }: Mapping): MappedRow {
  const [onHand, reserved, available] = ['on_hand', 'reserved', 'available'].map((name) => figure(row[name]));
  if (!fields.has('available') && onHand != null && reserved != null) {
    return { ...row, available: onHand.minus(reserved).toFixed() };
  }
  if (!fields.has('on_hand') && available != null && reserved != null) {
    return { ...row, on_hand: available.plus(reserved).toFixed() };
  }
  return row;
}

function figure(value: unknown): Decimal | null {
  const text = decimalText(value);
  return text === null ? null : parseDecimal(text);
}

/** The total of an order without one: the sum of its lines and charges. */
export function totalOf(row: Readonly<Record<string, unknown>>): string | undefined {
  const lines = Array.isArray(row['lines']) ? (row['lines'] as readonly Readonly<Record<string, unknown>>[]) : [];
  const amounts = lines.map((line) => [figure(line['quantity']), figure(line['unit_price'])] as const);
  const charges = ['shipping', 'tax', 'discount'].map((name) => figure(row[name]));
  const [shipping, tax, discount] = charges;
  if (shipping == null || tax == null || discount == null) return undefined;
  const worth: Decimal[] = [];
  for (const [quantity, price] of amounts) {
    if (quantity === null || price === null) return undefined;
    worth.push(quantity.times(price));
  }
  return sum(worth).plus(shipping).plus(tax).minus(discount).toFixed();
}
