import { z } from 'zod';
import { type Figure, figure, parseDecimal } from '../../domain/decimal.ts';
import { instantNs } from '../../domain/instant.ts';
import { decimalText } from '../../http/json.ts';
import { type Camelled, camelled, type Known, onlyKnown } from '../../settings/names.ts';
import { pingCapabilities } from '../capabilities.ts';
import { ERP_CAN, type ErpLot, type ErpOrder, type ErpPayment, type ErpProduct, type StockRow } from '../connector.ts';

/**
 * Parses rows of the contract into the connector's types. Unknown fields are ignored. Deciding fields (flags, figures,
 * money) are required; a missing text is empty.
 */

export const FLAGS: ReadonlySet<string> = new Set(['active', 'deleted', 'voided', 'finished']);

/** In the terms of its field. */
export const decimal = z.unknown().transform((value, context): Figure<never> => {
  const digits = decimalText(value);
  const parsed = digits === null ? null : parseDecimal(digits);
  if (parsed !== null) return figure(parsed);
  context.addIssue({ code: 'custom', input: value, message: 'expected a decimal like "12.5000"' });
  return z.NEVER;
});

/** Ids are opaque texts; an ERP may send integers. */
export const identifier = z.union(
  [z.string().min(1).refine(isWellFormed), z.int().transform(String)],
  'expected an id, in whole characters',
);
const skuText = z.string().min(1).refine(isWellFormed, 'expected a SKU, in whole characters');

/** Absent and null mean unknown. An empty text is empty in the ERP. */
export function known<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

export const knownText = known(z.string());

/** An empty text means unknown. */
const filledText = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const attributes = known(z.record(z.string(), z.unknown()));

/** In camel case, without unknown fields. */
function row<Fields extends object>(fields: Fields): Known<Camelled<Fields>> {
  return onlyKnown(camelled(fields));
}

const idText = z.string().regex(/^\d{1,15}$/);
export const marketplaceId = z
  .union([z.int(), idText.transform(Number)], 'expected the id of a marketplace customer')
  .nullish();
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const currency = z.string().min(1);

/** ISO 8601, unchanged. */
export const time = z
  .string()
  .refine((value) => instantNs(value) !== null, 'expected a time like 2030-01-31T08:30:00.000Z');

export const productRow: z.ZodType<ErpProduct> = z
  .object({
    id: identifier,
    sku: skuText,
    name: text,
    description: text,
    active: z.boolean(),
    deleted: z.boolean(),
    price: z.object({ amount: decimal, currency }),
    unit_multiplier: decimal.refine((units) => units.greaterThan(0), 'expected a number of units above zero'),
    attributes: attributes.transform((fields) => fields ?? {}),
    changed_at: time,
  })
  .transform(row);

/** An ERP without locations or batches sends nothing, null or an empty text. */
const place = z
  .union([z.string(), z.int().transform(String)], 'expected a name or a number')
  .nullish()
  .transform((name) => name || undefined);

export const stockRow: z.ZodType<StockRow> = z
  .object({
    sku: skuText,
    product_id: identifier,
    location: place,
    batch: place,
    on_hand: decimal,
    reserved: decimal,
    available: decimal,
    as_of: time,
  })
  .transform(row);

export const lotRow: z.ZodType<ErpLot> = z
  .object({
    id: identifier,
    product_id: identifier,
    batch: identifier,
    attributes,
    changed_at: time,
  })
  .transform(({ attributes: more = {}, ...fields }) => ({ ...row(fields), attributesText: JSON.stringify(more) }));

const orderLine = z
  .object({
    sku: skuText,
    quantity: decimal,
    unit_price: decimal,
    description: filledText,
    shipped: known(decimal),
    given_up: known(decimal),
  })
  .transform(row);

const orderCustomer = z
  .object({ id: known(identifier), marketplace_id: known(marketplaceId), name: filledText })
  .transform(row)
  .nullish()
  .transform((customer) => customer ?? {});

const transport = z
  .object({
    id: identifier,
    status: z.enum(['planned', 'shipped', 'delivered']),
    shipped_at: known(time),
    delivered_at: known(time),
    expected_at: known(time),
    tracking: filledText,
  })
  .transform(row);

const approval = z.object({ status: z.string().min(1), message: filledText, decided_at: known(time) }).transform(row);

export const orderRow: z.ZodType<ErpOrder> = z
  .object({
    id: identifier,
    reference: identifier,
    origin: z.enum(['marketplace', 'erp']),
    status: z.string().min(1),
    customer: orderCustomer,
    currency,
    lines: z.array(orderLine),
    discount: decimal,
    shipping: decimal,
    tax: decimal,
    total: decimal,
    note: text,
    created_at: known(time),
    approval: known(approval),
    transports: known(z.array(transport)),
    attributes,
    finished: z
      .boolean()
      .nullish()
      .transform((is) => (is === false ? is : undefined)),
    counted_as_of: known(time),
    changed_at: time,
  })
  .transform(({ attributes: more, ...fields }) => ({
    ...row(fields),
    ...(more && { attributesText: JSON.stringify(more) }),
  }));

/** Many ERPs only know a payment's day, which counts from midnight. */
const receivedAt = z
  .union([time, z.iso.date().transform((day) => `${day}T00:00:00Z`)], 'expected a time or a date')
  .nullish();

export const paymentRow: z.ZodType<ErpPayment> = z
  .object({
    id: identifier,
    reference: identifier,
    amount: decimal,
    currency,
    method: filledText,
    received_at: receivedAt,
    marketplace_id: identifier.nullish(),
    voided: z.boolean().nullish(),
    changed_at: time,
  })
  .transform(({ method = null, received_at = null, marketplace_id = null, voided, ...fields }) => ({
    ...camelled({ ...fields, method, received_at, marketplace_id }),
    voided: voided ?? false,
  }));

export const pingAnswer = z.object({
  name: text,
  version: text,
  time,
  totals: known(z.enum(['stored', 'computed'])),
  capabilities: known(pingCapabilities),
  can: known(z.array(z.string()).transform((names) => ERP_CAN.filter((name) => names.includes(name)))),
});

/** Half a surrogate pair would be stored as another character and cannot be in an address. */
function isWellFormed(value: string): boolean {
  return value.isWellFormed();
}
