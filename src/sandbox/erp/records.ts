import { z } from 'zod';

/** The wire records of the ERP HTTP contract, version 1. */

export const decimalText = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,10})?$/, 'expected a decimal in a string, like "12.5000"');

const productFacts = z.object({
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  deleted: z.boolean(),
  /** Per sold-in unit. */
  price: z.object({ amount: decimalText, currency: z.string() }),
  unit_multiplier: decimalText,
  attributes: z.record(z.string(), z.unknown()),
});

export interface ProductRecord extends z.infer<typeof productFacts> {
  id: string;
  sku: string;
  changed_at: string;
}

export interface StockRecord {
  sku: string;
  product_id: string;
  /** For a product with places. */
  location?: string;
  batch?: string;
  on_hand: string;
  reserved: string;
  available: string;
  as_of: string;
}

const lotAttributes = z.record(z.string(), z.unknown());
export const lotDraft = z.object({
  sku: z.string().min(1),
  batch: z.string().min(1),
  attributes: lotAttributes.default({}),
});
export type LotDraft = z.output<typeof lotDraft>;
export const lotChange = z.object({ batch: z.string().min(1).optional(), attributes: lotAttributes.optional() });
export type LotChange = z.infer<typeof lotChange>;

export interface LotRecord {
  id: string;
  product_id: string;
  /** As `batch` in stock rows. */
  batch: string;
  attributes: Record<string, unknown>;
  changed_at: string;
}

export const orderStatus = z.enum(['draft', 'reserved', 'shipped', 'cancelled']);

export interface OrderRecord extends Omit<OrderDraft, 'origin' | 'status' | 'lines'> {
  id: string;
  lines: (OrderDraft['lines'][number] & LineShipment)[];
  origin: 'marketplace' | 'erp';
  status: z.infer<typeof orderStatus>;
  /** Other fields, such as the sales channel. */
  attributes: Record<string, unknown>;
  /** On the purchase order. */
  approval?: Approval;
  /** As sent by the marketplace. */
  transports?: z.infer<typeof transport>[];
  created_at: string;
  changed_at: string;
}

/** Unknown fields are omitted, except `id` and `name`. */
export interface CustomerRecord extends Omit<CustomerDraft, 'marketplace_id'> {
  id: string;
  marketplace_id: number | null;
  changed_at: string;
}

/** `marketplace_id` is set for a payment from the marketplace. */
export interface PaymentRecord extends PaymentDraft {
  id: string;
  order_id: string;
  voided: boolean;
  changed_at: string;
}

const quantity = decimalText.refine((text) => Number(text) > 0, 'expected more than zero');

export const orderLine = z.object({
  sku: z.string().min(1),
  quantity,
  unit_price: decimalText,
  description: z.string().optional(),
  key: z.string().optional(),
  unit_multiplier: decimalText.optional(),
});

/** Units that left the warehouse, and units that never will. */
export const lineShipment = z.object({
  shipped: decimalText.optional(),
  given_up: decimalText.optional(),
});
export type LineShipment = z.infer<typeof lineShipment>;

/** As sent by the marketplace. */
const transport = z.object({
  id: z.string().min(1),
  status: z.enum(['planned', 'shipped', 'delivered']),
  shipped_at: z.string().optional(),
  delivered_at: z.string().optional(),
  expected_at: z.string().optional(),
  tracking: z.string().optional(),
});

/** The status is any text, since ERPs may have others. */
export const approval = z.object({
  status: z.string().min(1),
  message: z.string().optional(),
  decided_at: z.iso.datetime({ offset: true, error: 'expected a time' }).optional(),
});
export type Approval = z.infer<typeof approval>;

const customer = z.object({
  id: z.string().optional(),
  marketplace_id: z.int().optional(),
  name: z.string().optional(),
});

const address = z.object({
  address: z.string().optional(),
  unit_number: z.string().optional(),
  city: z.string().optional(),
  county: z.string().optional(),
  state: z.string().optional(),
  zipcode: z.string().optional(),
});

export const orderDraft = z.object({
  reference: z.string().min(1),
  origin: z.literal('marketplace').optional(),
  status: z.enum(['draft', 'reserved'], 'expected draft or reserved'),
  customer,
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected a currency like USD'),
  lines: z.array(orderLine).min(1),
  discount: decimalText,
  shipping: decimalText,
  tax: decimalText,
  total: decimalText,
  note: z.string().default(''),
  ship_to: address.optional(),
  delivery_date: z.iso.date('expected a day').optional(),
});
export type OrderDraft = z.infer<typeof orderDraft>;

/** An order made in the ERP: by default reserved, without charges, with the total of its lines. */
export const ownOrder = orderDraft.omit({ reference: true, origin: true }).extend({
  status: orderDraft.shape.status.default('reserved'),
  customer: customer.default({}),
  currency: z.string().default('USD'),
  discount: decimalText.default('0.00'),
  shipping: decimalText.default('0.00'),
  tax: decimalText.default('0.00'),
  total: decimalText.optional(),
  attributes: z.record(z.string(), z.unknown()).default({}),
});
export type OwnOrder = z.input<typeof ownOrder>;

/** Nothing is recalculated: money fields change only if sent. */
export const orderChange = orderDraft
  .pick({ lines: true, discount: true, shipping: true, tax: true, total: true })
  .extend({
    status: z.enum(['draft', 'reserved', 'cancelled'], 'expected draft, reserved or cancelled'),
    note: z.string(),
    transports: z.array(transport),
  })
  .partial();
export type OrderChange = z.infer<typeof orderChange>;

const customerDetails = z.object({
  email: z.string(),
  phone: z.string(),
  license_number: z.string(),
  status: z.string(),
  active: z.boolean(),
  deleted: z.boolean(),
  addresses: z.object({ corporate: address.optional(), delivery: address.optional() }),
  /** Other fields, such as the price list. */
  attributes: z.record(z.string(), z.unknown()),
});

export const customerDraft = z.object({
  name: z.string().min(1),
  marketplace_id: z.int().nullable().default(null),
  ...customerDetails.partial().shape,
});
export type CustomerDraft = z.infer<typeof customerDraft>;

const { email, phone, license_number, status, active, deleted, addresses, attributes } = customerDetails.shape;
/** null removes a field. */
export const customerFields = z.object({
  name: z.string().min(1).optional(),
  marketplace_id: z.int().nullish(),
  email: email.nullish(),
  phone: phone.nullish(),
  license_number: license_number.nullish(),
  status: status.nullish(),
  active: active.nullish(),
  deleted: deleted.nullish(),
  addresses: addresses.nullish(),
  attributes: attributes.nullish(),
});
export type CustomerFields = z.infer<typeof customerFields>;

export const paymentDraft = z.object({
  reference: z.string().min(1),
  amount: decimalText,
  currency: z.string().regex(/^[A-Z]{3}$/, 'expected a currency like USD'),
  method: z.string().nullable().default(null),
  received_at: z.iso.datetime({ offset: true, error: 'expected a time' }).nullable().default(null),
  marketplace_id: z.string().nullable().default(null),
});
export type PaymentDraft = z.infer<typeof paymentDraft>;

/** By default received now, in the order's currency. */
export const ownPayment = z.object({
  order_id: z.string(),
  amount: decimalText,
  method: z.string().nullable().default('ACH'),
  currency: z.string().optional(),
  received_at: z.string().nullable().optional(),
});

/** People can correct a payment but not delete it. */
export const paymentChange = z.object({ amount: decimalText.optional(), voided: z.boolean().optional() });
export type PaymentChange = z.infer<typeof paymentChange>;

/** A product created through the contract. */
export const productDraft = productFacts
  .pick({ name: true, description: true, price: true, unit_multiplier: true })
  .partial()
  .extend({ sku: z.string().min(1) });

/** Missing fields of a new product are made up. */
export const productFields = productFacts.extend({ on_hand: decimalText }).partial();
export type ProductFields = z.infer<typeof productFields>;
