import type { Look, ReadContext } from './context.ts';
import { readCustomers, sweepCustomers } from './read-customers.ts';
import { listErpProducts, readErpOrders, readErpPayments, readErpProducts } from './read-erp.ts';
import { listErpCustomers, readErpCustomers } from './read-erp-customers.ts';
import { listErpStock, readErpStock } from './read-erp-stock.ts';
import { readImages } from './read-images.ts';
import { readMeasurements } from './read-measurements.ts';
import { readNames } from './read-names.ts';
import { readLateOrders, readOrders } from './read-orders.ts';
import { readPayments, sweepPayments } from './read-payments.ts';
import { readProducts, sweepProducts } from './read-products.ts';

type Read = (context: ReadContext, look: Look) => Promise<unknown>;

/** Every read of the two sides, by the name of its job. */
export const READS = {
  'read:orders': readOrders,
  'read:late-orders': readLateOrders,
  'read:products': readProducts,
  'read:all-products': sweepProducts,
  'read:erp-products': readErpProducts,
  'read:all-erp-products': listErpProducts,
  'read:erp-stock': readErpStock,
  'read:all-erp-stock': listErpStock,
  'read:measurements': readMeasurements,
  'read:erp-orders': readErpOrders,
  'read:customers': readCustomers,
  'read:all-customers': sweepCustomers,
  'read:erp-customers': readErpCustomers,
  'read:all-erp-customers': listErpCustomers,
  'read:payments': readPayments,
  'read:all-payments': sweepPayments,
  'read:erp-payments': readErpPayments,
  'read:names': readNames,
  'read:images': readImages,
} as const satisfies Record<string, Read>;

export type ReadName = keyof typeof READS;
