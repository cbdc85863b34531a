import { z } from 'zod';
import { type Decimal, sum, ZERO } from '../../domain/decimal.ts';
import { minusMs } from '../../domain/instant.ts';
import type { ErpOrder } from '../connector.ts';
import { orderRow } from '../rows/rows.ts';
import type { Books, Tryton } from './books.ts';
import { figuresOf, isGoods, type Line, lineRecord } from './lines.ts';
import type { Mapping } from './records.ts';
import type { TrytonSettings } from './settings.ts';
import { changedAt, cut, fieldsOf, figure, stamps } from './values.ts';

const stateOf = z.object({ id: z.int(), state: z.string() });

const saleRecord = z.object({
  id: z.int(),
  state: z.string(),
  reference: z.string().nullable(),
  comment: z.string().nullable(),
  create_uid: z.int().nullable(),
  tax_amount: figure,
  total_amount: figure,
  'party.': z.object({
    id: z.int(),
    name: z.string().nullable(),
    'identifiers.': z.array(z.object({ code: z.string().nullable() })),
  }),
  'currency.': z.object({ code: z.string() }),
  'lines.': z.array(lineRecord),
  'shipments.': z.array(stateOf),
  'invoices.': z.array(stateOf),
  /** Undefined without the module of amendments. */
  'amendments.': z.array(stateOf.extend({ create_uid: z.int().nullable() })).optional(),
  ...stamps,
});
export type Sale = z.output<typeof saleRecord>;

const FIELDS = fieldsOf(saleRecord);
const WITHOUT_AMENDMENTS = FIELDS.filter((field) => !field.startsWith('amendments.'));

/**
 * The sale's status in the contract. Tryton has no state for "shipped", nor for "cancelled after processing" (the sale
 * is done, its shipments cancelled and given up), so the moves decide.
 */
export function statusOf(sale: Pick<Sale, 'state' | 'lines.'>): string {
  if (sale.state === 'draft' || sale.state === 'quotation') return 'draft';
  if (!['confirmed', 'processing', 'done'].includes(sale.state)) return sale.state;
  const goods = sale['lines.'].filter(isGoods).map(figuresOf);
  const moved = sale['lines.'].some((line) => line['moves.'].length > 0);
  if (goods.length === 0 || !moved) return sale.state === 'done' ? 'shipped' : 'reserved';
  if (goods.some(({ open }) => open.greaterThan(0))) return 'reserved';
  return goods.some(({ shipped }) => shipped.greaterThan(0)) ? 'shipped' : 'cancelled';
}

/** Unfinished amendments of this sale that the program began. */
export function draftAmendments(sale: Sale, { userId }: Books): number[] {
  const drafts = sale['amendments.']?.filter((one) => one.state === 'draft' && one.create_uid === userId);
  return drafts?.map(({ id }) => id) ?? [];
}

/** The prefix of a party's code with its marketplace id. */
const MARKETPLACE_ID = 'marketplace:';

export function marketplaceIdOf(codes: readonly { readonly code: string | null }[]): number | undefined {
  const own = codes.map(({ code }) => code ?? '').find((code) => code.startsWith(MARKETPLACE_ID));
  const digits = own?.slice(MARKETPLACE_ID.length) ?? '';
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

export function marketplaceCode(id: number): string {
  return `${MARKETPLACE_ID}${id}`;
}

/** A charge is a line of the product that represents it, or a line without a product. */
type Charge = 'shipping' | 'discount' | null;

function chargeOf(line: Line, settings: TrytonSettings): Charge {
  const product = line['product.'];
  if (product === null) return (line.unit_price ?? ZERO).isNegative() ? 'discount' : 'shipping';
  if (product.code !== null && product.code === settings.shippingProduct) return 'shipping';
  return product.code !== null && product.code === settings.discountProduct ? 'discount' : null;
}

function amountOf(line: Line): Decimal {
  return (line.quantity ?? ZERO).times(line.unit_price ?? ZERO);
}

/** Only sales created by the program's user are orders of the marketplace, since anybody can type a reference. */
export async function orderMapping({ rpc, books, settings }: Tryton): Promise<Mapping<Sale, ErpOrder>> {
  const about = await books();
  return {
    row: orderRow,
    model: 'sale.sale',
    domain: [],
    record: saleRecord,
    fields: about.modules.has('sale_amendment') ? FIELDS : WITHOUT_AMENDMENTS,
    // A partial shipment changes the moves, and not always the sale.
    placesOfChange: ['', 'lines.', 'lines.moves.'],
    toRow: (sale) => rowOf(sale, about, settings, rpc.lastSeen()),
  };
}

function rowOf(sale: Sale, books: Books, settings: TrytonSettings, seenAt: string) {
  const lines = sale['lines.'].filter(
    ({ type, quantity }) => type === 'line' && quantity !== null && !quantity.isZero(),
  );
  const charged = (kind: Charge) => sum(lines.filter((line) => chargeOf(line, settings) === kind).map(amountOf));
  const isOurs = sale.create_uid === books.userId;
  const party = sale['party.'];
  return {
    id: String(sale.id),
    reference: (isOurs ? sale.reference : null) ?? String(sale.id),
    origin: isOurs ? 'marketplace' : 'erp',
    status: statusOf(sale),
    customer: {
      id: String(party.id),
      marketplace_id: marketplaceIdOf(party['identifiers.']),
      name: party.name,
    },
    currency: sale['currency.'].code,
    lines: lines.filter((line) => chargeOf(line, settings) === null).map(lineRow),
    discount: cut(charged('discount')).negated().toFixed(),
    shipping: cut(charged('shipping')).toFixed(),
    tax: sale.tax_amount.toFixed(),
    total: sale.total_amount.toFixed(),
    note: sale.comment,
    created_at: sale.create_date,
    // Stock read after this answer counts the sale. The answer's clock is cut to seconds.
    counted_as_of: minusMs(seenAt, -1_000),
    changed_at: changedAt([sale, ...sale['lines.'], ...sale['lines.'].flatMap((line) => line['moves.'])]),
  };
}

function lineRow(line: Line) {
  const { ordered, unitPrice, shipped, givenUp } = figuresOf(line);
  const product = line['product.'];
  return {
    key: String(line.id),
    sku: product?.code ?? `product ${product?.id}`,
    quantity: ordered.toFixed(),
    unit_price: unitPrice.toFixed(),
    description: line.description,
    unit: line['unit.']?.symbol,
    ...(isGoods(line) ? { shipped: cut(shipped).toFixed(), given_up: cut(givenUp).toFixed() } : {}),
  };
}
