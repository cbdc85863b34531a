import { Unfit } from '../../http/rows.ts';
import type { Encoding } from './decode.ts';
import type { OrderBody, OrderBodyLine } from './order-state.ts';
import type { OrdersOut } from './settings.ts';

/** The content of an order's file. @throws Error naming the cell whose rule fails */
export async function orderFile(out: OrdersOut, body: OrderBody, revision: number): Promise<Uint8Array> {
  const order = { ...body, revision };
  return encode(out.format === 'csv' ? await csvText(out, order) : await jsonText(out, order), out.encoding);
}

type Order = OrderBody & { readonly revision: number };

async function jsonText(out: OrdersOut, order: Order): Promise<string> {
  const [content] = out.cells === null ? [order] : await made(out, [order]);
  return `${JSON.stringify(content, null, 2)}\n`;
}

const PLAIN_CELLS = [
  'reference',
  'revision',
  'status',
  'customer_id',
  'customer',
  'currency',
  'sku',
  'quantity',
  'unit_price',
  'discount',
  'shipping',
  'tax',
  'total',
  'note',
] as const;

async function csvText(out: OrdersOut, order: Order): Promise<string> {
  const lines: readonly (OrderBodyLine | undefined)[] = order.lines.length === 0 ? [undefined] : order.lines;
  const inputs = lines.map((line) => ({ ...withDecimals(order, out), line: line && withDecimals(line, out) }));
  const rows = out.cells === null ? inputs.map(plainRow) : await made(out, inputs);
  const names = out.cells?.names ?? PLAIN_CELLS;
  const text = [names, ...rows.map((row) => names.map((name) => row[name]))];
  return text.map((cells) => `${cells.map((cell) => quoted(cell, out)).join(out.separator)}\r\n`).join('');
}

function plainRow(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { id, name } = (input['customer'] ?? {}) as { readonly id?: string; readonly name?: string };
  return { ...input, ...(input['line'] as object | undefined), customer_id: id, customer: name };
}

async function made(out: OrdersOut, inputs: readonly object[]): Promise<Readonly<Record<string, unknown>>[]> {
  const rows = (await out.cells?.mapping.map(inputs as Readonly<Record<string, unknown>>[])) ?? [];
  return rows.map((row) => {
    if (row instanceof Unfit) throw new Error(`orders_out.row: ${row.problem}`);
    return row;
  });
}

const DECIMALS = new Set(['quantity', 'unit_price', 'unit_multiplier', 'discount', 'shipping', 'tax', 'total']);

function withDecimals(fields: object, { decimal }: OrdersOut): object {
  if (decimal === '.') return fields;
  const entries = Object.entries(fields).map(([name, value]) => {
    const known: unknown = value;
    return [name, DECIMALS.has(name) && typeof known === 'string' ? known.replace('.', decimal) : known] as const;
  });
  return Object.fromEntries(entries) as object;
}

/** A text that a spreadsheet would run as a formula. A signed number is not one. */
const FORMULA = /^[=+\-@\t\r\n](?![\d.,]+$)/;

function quoted(cell: unknown, { separator, quote, formulas }: OrdersOut): string {
  const written = typeof cell === 'string' ? cell : cell === undefined || cell === null ? '' : JSON.stringify(cell);
  const text = formulas === 'defused' && FORMULA.test(written) ? `'${written}` : written;
  if (quote === null) return text.replace(/[\r\n]+/g, ' ').replaceAll(separator, ' ');
  if (!text.includes(separator) && !text.includes(quote) && !/[\r\n]/.test(text)) return text;
  return quote + text.replaceAll(quote, quote + quote) + quote;
}

/** A character missing from the encoding becomes a question mark, so that no order waits for it. */
function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text);
  if (encoding === 'utf-16le') return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(`\ufeff${text}`, 'utf16le').swap16();
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const places = new Map(Array.from(new TextDecoder(encoding).decode(bytes), (char, byte) => [char, byte] as const));
  return Uint8Array.from(text, (char) => places.get(char) ?? 63);
}
