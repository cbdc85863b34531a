import { z } from 'zod';
import { PRODUCT_FIELDS } from './products.ts';

const money = z.strictObject({ amount: z.string().regex(/^\d+(\.\d+)?$/), currency: z.string().min(1) });
const quantity = z.union([z.int(), z.string().regex(/^\d+(\.\d{1,4})?$/)]);

export const itemSchema = z.strictObject({
  product: z.int(),
  /** In units or cases, by setting. */
  quantity,
  /** Per sold-in unit. By default the product's own price. */
  price: money.optional(),
  salePrice: money.optional(),
});
export type OrderedItem = z.infer<typeof itemSchema>;

export const placementSchema = z.strictObject({
  customer: z.int(),
  items: z.array(itemSchema),
  /** Any text; by default Submitted. */
  status: z.string().min(1).optional(),
  discount: z.string().optional(),
  shipping: z.string().optional(),
  externalId: z.string().optional(),
  /** Other fields, such as notes. */
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Accepts more than is available. */
  oversell: z.boolean().optional(),
});
export type OrderPlacement = z.infer<typeof placementSchema>;

export const lineChangeSchema = itemSchema.omit({ product: true }).extend({ salePrice: money.nullable() }).partial();
export type LineChange = z.infer<typeof lineChangeSchema>;

export const customerSchema = z.strictObject({
  name: z.string().min(1),
  /** Of the delivery address: CA. */
  state: z.string(),
  archived: z.boolean().optional(),
  /** Decimal text in whole currency units. */
  shippingCharge: z.string().optional(),
  fields: z.record(z.string(), z.unknown()).optional(),
});
export type CustomerDraft = z.infer<typeof customerSchema>;

/** Stock on hand at one facility and batch. */
export const placedSchema = z.strictObject({
  facility: z.int().min(1),
  batch: z.int().min(1),
  onHand: quantity,
  held: quantity.optional(),
  archived: quantity.optional(),
});
export type PlacedQuantity = z.infer<typeof placedSchema>;

export const fieldsSchema = z.record(z.string(), z.unknown());

/** An unknown field is probably misspelled, so it must be in `fields`. */
export const productSchema = z
  .strictObject({
    ...Object.fromEntries(PRODUCT_FIELDS.map((name) => [name, z.unknown().optional()])),
    /** A deployment's other fields. */
    fields: fieldsSchema.optional(),
  })
  .transform(({ fields, ...own }) => ({ ...fields, ...own }));
