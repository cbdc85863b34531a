import { customerChecks } from './conformance/customers.ts';
import { listChecks } from './conformance/lists.ts';
import { approvalChecks, changeChecks, orderChecks, shippingChecks, transportChecks } from './conformance/orders.ts';
import { paymentChecks } from './conformance/payments.ts';
import type { ErpDescription } from './conformance/probe.ts';
import { lotChecks, stockChecks } from './conformance/stock.ts';
import type { ErpConnector } from './connector.ts';

export interface ConformanceCheck {
  /** The promise that is checked, as a sentence. */
  readonly promise: string;
  /** @throws AssertionError that says how the promise is broken, or the failure of a call. */
  readonly run: () => Promise<void>;
}

/**
 * Checks that a connector keeps the promises of `ErpConnector`. They run one after the other, make orders and a customer
 * with references beginning `conformance-`, and cancel the orders again: meant for a test system.
 */
export function conformanceChecks(erp: ErpConnector, has: ErpDescription): ConformanceCheck[] {
  const checks = {
    ...listChecks(erp, has),
    ...stockChecks(erp, has),
    ...orderChecks(erp, has),
    ...changeChecks(erp, has),
    ...(has.approve === undefined ? {} : approvalChecks(erp, has, has.approve)),
    ...(has.addLot === undefined ? {} : lotChecks(erp, has, has.addLot)),
    ...(has.transports ? transportChecks(erp, has) : {}),
    ...(has.ship === undefined ? {} : shippingChecks(erp, has, has.ship)),
    ...(has.payments ? paymentChecks(erp, has) : {}),
    ...customerChecks(erp),
  };
  return Object.entries(checks).map(([promise, run]) => ({ promise, run }));
}
