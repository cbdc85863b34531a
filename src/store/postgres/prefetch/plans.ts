import type { ObserveStore } from '../../observe.ts';
import { observeReads } from '../../sql/observe.ts';
import type { PrefetchPlan } from '../prefetch-plan.ts';
import { customerIn, customerOut, linkedCustomers } from './customers.ts';
import { approvalOut, orderIn, orderOut, transportIn } from './orders.ts';
import { paymentIn, paymentOut } from './payments.ts';
import { assignments, images, product, productIn } from './products.ts';
import type { Of } from './questions.ts';
import { batchOut, facilityStock, stock } from './stock.ts';

const OBSERVATIONS: { readonly [Name in keyof ObserveStore]: Of<Name> } = {
  orderIn,
  orderOut,
  approvalOut,
  transportIn,
  product,
  productIn,
  images,
  assignments,
  linkedCustomers,
  stock,
  facilityStock,
  batchOut,
  customerIn,
  customerOut,
  paymentIn,
  paymentOut,
};

export const PREFETCH_PLANS: ReadonlyMap<unknown, PrefetchPlan<readonly unknown[]>> = new Map(
  Object.entries(OBSERVATIONS).map(([name, tell]) => [
    observeReads[name as keyof ObserveStore],
    tell as PrefetchPlan<readonly unknown[]>,
  ]),
);
