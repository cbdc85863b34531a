import type { ErpConnector } from '../connector.ts';
import { createCaller, type HttpErpOptions } from './call.ts';
import { customersOf } from './customers.ts';
import { paymentsOf } from './payments.ts';
import { readsOf } from './reads.ts';
import { writesOf } from './writes.ts';

/**
 * The connector for the ERP HTTP contract, version 1. No call is repeated here. Every failure is a `CallFailure`; rows
 * that do not fit the contract are set aside as misfits, and the rest goes on.
 */
export function createHttpErp(options: HttpErpOptions): ErpConnector {
  const caller = createCaller(options);
  return {
    ...readsOf(caller),
    ...writesOf(caller),
    ...customersOf(caller),
    ...paymentsOf(caller),
    close: caller.close,
  };
}
