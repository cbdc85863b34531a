import { CallFailure } from '../../domain/failure.ts';
import type { ErpCustomer, ErpCustomers, ErpPayment, ErpPayments } from '../connector.ts';
import { customerBody, paymentBody } from '../rows/bodies.ts';
import { customerRow } from '../rows/customers.ts';
import { paymentRow } from '../rows/rows.ts';
import { type Compiled, findOf, listOf, missing, plain, writeOf } from './compiled.ts';
import { findRows, firstFound } from './find.ts';

export function customersOf(of: Compiled): ErpCustomers {
  const shape = { row: customerRow };
  const list = listOf(of, 'customers', shape);
  const byId = findOf(of, 'customers-by-marketplace-id', shape);
  const create = writeOf(of, 'customer-create', 'customers', customerRow);
  const found = (id: number, purpose: string, signal: AbortSignal | undefined) => {
    const fits = (customer: ErpCustomer) => customer.marketplaceId === id;
    return findRows(of.caller, byId, { given: { id }, purpose, fits }, signal);
  };
  return {
    ...(list === null
      ? {}
      : {
          listCustomers: (changedSince: string | null, signal?: AbortSignal) =>
            list({ changedSince, given: {}, purpose: 'list the customers' }, signal),
        }),
    findCustomers: (id, signal) => found(id, `find the customers with marketplace id ${id}`, signal),
    async createCustomer(draft, signal) {
      const id = draft.marketplaceId;
      const purpose = `create the customer with marketplace id ${id}`;
      const read = async () => firstFound(await found(id, purpose, signal));
      return (await create({ given: { draft: plain(customerBody(draft)) }, purpose, read }, signal)).row;
    },
  };
}

export function paymentsOf(of: Compiled): ErpPayments {
  const shape = { row: paymentRow };
  const list = listOf(of, 'payments', shape) ?? missing<ErpPayment>('lists.payments');
  const byId = findOf(of, 'payments-by-marketplace-id', shape);
  const create = writeOf(of, 'payment-create', 'payments', paymentRow);
  const found = (id: string, purpose: string, signal: AbortSignal | undefined) => {
    const fits = (payment: ErpPayment) => payment.marketplaceId === id;
    return findRows(of.caller, byId, { given: { id }, purpose, fits }, signal);
  };
  return {
    listPayments: (changedSince, signal) => list({ changedSince, given: {}, purpose: 'list the payments' }, signal),
    findPayments: (id, signal) => found(id, `find the payments with marketplace id ${id}`, signal),
    async createPayment(draft, signal) {
      const id = draft.marketplaceId;
      const purpose = `record marketplace payment ${id} for the order with reference ${draft.reference}`;
      const read = async () => firstFound(await found(id, purpose, signal));
      try {
        return (await create({ given: { draft: plain(paymentBody(draft)) }, purpose, read }, signal)).row;
      } catch (error) {
        if (error instanceof CallFailure && error.kind === 'not-found') throw takesNone(error);
        throw error;
      }
    },
  };
}

/** Adds the mend for an ERP that takes no payments to the failure. */
function takesNone(cause: CallFailure): CallFailure {
  const { side, kind, outcome, status } = cause;
  const mend = 'An ERP that takes no payments (POST /v1/payments) needs payments.to_erp: false.';
  return new CallFailure(`${cause.message} ${mend}`, { side, kind, outcome, status, cause });
}
