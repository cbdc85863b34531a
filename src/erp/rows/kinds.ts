import type { z } from 'zod';
import type {
  ErpCustomer,
  ErpCustomerDraft,
  ErpOrder,
  ErpOrderDraft,
  ErpPayment,
  ErpPaymentDraft,
  ErpProduct,
  ErpProductDraft,
} from '../connector.ts';
import { customerBody, orderBody, paymentBody, productBody } from './bodies.ts';
import { customerRow } from './customers.ts';
import { orderRow, paymentRow, productRow } from './rows.ts';

/** Look-ups of single records: the list to search, and the name of the wanted value. */
export const FINDS = {
  'products-by-sku': { list: 'products', parameter: 'sku' },
  'orders-by-reference': { list: 'orders', parameter: 'reference' },
  'order-by-id': { list: 'orders', parameter: 'id' },
  'stock-by-sku': { list: 'stock', parameter: 'skus' },
  'customers-by-marketplace-id': { list: 'customers', parameter: 'marketplace_id' },
  'payments-by-marketplace-id': { list: 'payments', parameter: 'marketplace_id' },
} as const;

/** Records that are listed, created, and found by the marketplace's key. */
export interface RecordKind<T, Draft, Key extends keyof T & keyof Draft> {
  readonly list: 'products' | 'orders' | 'customers' | 'payments';
  readonly row: z.ZodType<T>;
  readonly find: Exclude<keyof typeof FINDS, 'stock-by-sku' | 'order-by-id'>;
  readonly key: Key;
  readonly keyName: string;
  readonly create: 'product-create' | 'order-create' | 'customer-create' | 'payment-create';
  /** As in "when asked to create the product with SKU A-1". */
  readonly creating: string;
  readonly body: (draft: Draft) => Readonly<Record<string, unknown>>;
}

export const PRODUCTS: RecordKind<ErpProduct, ErpProductDraft, 'sku'> = {
  list: 'products',
  row: productRow,
  find: 'products-by-sku',
  key: 'sku',
  keyName: 'SKU',
  create: 'product-create',
  creating: 'create the product',
  body: productBody,
};
export const ORDERS: RecordKind<ErpOrder, ErpOrderDraft, 'reference'> = {
  list: 'orders',
  row: orderRow,
  find: 'orders-by-reference',
  key: 'reference',
  keyName: 'reference',
  create: 'order-create',
  creating: 'create the order',
  body: orderBody,
};
export const CUSTOMERS: RecordKind<ErpCustomer, ErpCustomerDraft, 'marketplaceId'> = {
  list: 'customers',
  row: customerRow,
  find: 'customers-by-marketplace-id',
  key: 'marketplaceId',
  keyName: 'marketplace id',
  create: 'customer-create',
  creating: 'create the customer',
  body: customerBody,
};
export const PAYMENTS: RecordKind<ErpPayment, ErpPaymentDraft, 'marketplaceId'> = {
  list: 'payments',
  row: paymentRow,
  find: 'payments-by-marketplace-id',
  key: 'marketplaceId',
  keyName: 'marketplace id',
  create: 'payment-create',
  creating: 'record the payment',
  body: paymentBody,
};

/** A search by key. `fits` checks each row, since a filter may be ignored or compare loosely. */
export function searchFor<T, Draft, Key extends keyof T & keyof Draft>(
  { list, key: field, keyName }: RecordKind<T, Draft, Key>,
  key: Draft[Key],
  creating?: string,
) {
  const wanted: unknown = key;
  return {
    purpose: `${creating ?? `find the ${list}`} with ${keyName} ${String(key)}`,
    fits: (row: T): boolean => row[field] === wanted,
  };
}
