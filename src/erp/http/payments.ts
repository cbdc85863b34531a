import { CallFailure } from '../../domain/failure.ts';
import type { ErpPaymentDraft, ErpPayments } from '../connector.ts';
import type { Caller } from './call.ts';
import { listPages, listWhole } from './list.ts';
import { since } from './reads.ts';
import { paymentRow } from './rows.ts';

export function paymentsOf(caller: Caller): ErpPayments {
  return {
    listPayments(changedSince, signal) {
      const [params, purpose] = [since(changedSince), 'list the payments'];
      return listPages(caller, { path: '/v1/payments', params, purpose, row: paymentRow, idField: 'id' }, signal);
    },

    async findPayments(marketplaceId, signal) {
      const params = { marketplace_id: marketplaceId };
      const purpose = `find the payments with marketplace id ${marketplaceId}`;
      const request = { path: '/v1/payments', params, purpose, row: paymentRow, idField: 'id' } as const;
      // A server that does not know the filter answers with every payment there is.
      return (await listWhole(caller, request, signal)).filter((found) => found.marketplaceId === marketplaceId);
    },

    async createPayment(draft, signal) {
      const purpose = `record marketplace payment ${draft.marketplaceId} for the order with reference ${draft.reference}`;
      const call = {
        method: 'POST',
        path: '/v1/payments',
        body: draftBody(draft),
        purpose,
        answer: paymentRow,
      } as const;
      try {
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

function draftBody({ reference, amount, currency, method, receivedAt, marketplaceId }: ErpPaymentDraft) {
  return {
    reference,
    amount: amount.toFixed(),
    currency,
    ...(method === null ? {} : { method }),
    ...(receivedAt === null ? {} : { received_at: receivedAt }),
    marketplace_id: marketplaceId,
  };
}
