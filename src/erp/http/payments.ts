import { CallFailure } from '../../domain/failure.ts';
import type { ErpPayments } from '../connector.ts';
import { paymentBody } from '../rows/bodies.ts';
import { paymentRow } from '../rows/rows.ts';
import type { Caller } from './call.ts';
import { collection } from './list.ts';

export function paymentsOf(caller: Caller): ErpPayments {
  const path = '/v1/payments';
  const { list, find } = collection(caller, { path, name: 'payments', row: paymentRow });
  return {
    listPayments: list,
    findPayments: (id, signal) => find(['marketplace_id', id], (payment) => payment.marketplaceId === id, signal),

    async createPayment(draft, signal) {
      const purpose = `record marketplace payment ${draft.marketplaceId} for the order with reference ${draft.reference}`;
      try {
        const call = { method: 'POST', path, body: paymentBody(draft), purpose, answer: paymentRow } as const;
        return await caller.call(call, signal);
      } catch (error) {
        if (error instanceof CallFailure && error.kind === 'not-found') throw takesNone(error);
        throw error;
      }
    },
  };
}

/** `POST /v1/payments` is an addition to the contract, which an ERP need not have. */
function takesNone(cause: CallFailure): CallFailure {
  const { side, kind, outcome, status } = cause;
  const mend = 'An ERP that takes no payments (POST /v1/payments) needs payments.to_erp: false.';
  return new CallFailure(`${cause.message} ${mend}`, { side, kind, outcome, status, cause });
}
