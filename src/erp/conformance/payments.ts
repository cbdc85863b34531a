import { deepStrictEqual, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Decimal } from '../../domain/decimal.ts';
import type { ErpConnector, ErpPayment, ErpPaymentDraft } from '../connector.ts';
import { asOf, type Checks, cancel, draftOf, type ErpDescription, failureOf, idsOf } from './probe.ts';

function paymentOf({ currency }: ErpDescription, reference: string): ErpPaymentDraft {
  const [amount, receivedAt] = [new Decimal('12.30'), '2030-01-31T08:30:00.000Z'];
  return { reference, amount, currency, method: 'Cash', receivedAt, marketplaceId: `conformance-${randomUUID()}` };
}

function factsOf(payment: ErpPaymentDraft | ErpPayment): unknown {
  const { reference, amount, currency, method, receivedAt, marketplaceId } = payment;
  return { reference, amount: amount.toFixed(), currency, method, receivedAt, marketplaceId };
}

/** For ERPs that take payments: they make a few, of orders that they cancel again. */
export function paymentChecks(erp: ErpConnector, has: ErpDescription): Checks {
  return {
    'a payment is kept digit by digit, and found by the id it has on the marketplace and among what changed':
      async () => {
        const before = asOf(await Array.fromAsync(erp.listPayments(null)));
        const order = await erp.createOrder(draftOf(has, 'draft', '1'));
        const draft = paymentOf(has, order.reference);
        deepStrictEqual(await erp.findPayments(draft.marketplaceId), [], 'found before it was made');
        const made = await erp.createPayment(draft);
        deepStrictEqual(factsOf(made), factsOf(draft));
        deepStrictEqual((await erp.findPayments(draft.marketplaceId)).map(factsOf), [factsOf(draft)]);
        const since = idsOf(await Array.fromAsync(erp.listPayments(before)));
        ok(since.includes(made.id), `payment ${made.id} was made after ${before} and is not listed since then`);
        await cancel(erp, order);
      },
    'two equal payments are two': async () => {
      const order = await erp.createOrder(draftOf(has, 'draft', '1'));
      const draft = paymentOf(has, order.reference);
      const made = [await erp.createPayment(draft), await erp.createPayment(draft)];
      const found = await erp.findPayments(draft.marketplaceId);
      deepStrictEqual(found.map(({ id }) => id).sort(), made.map(({ id }) => id).sort());
      await cancel(erp, order);
    },
    'a payment of an order that is not there is a definite no': async () => {
      const failure = await failureOf(erp.createPayment(paymentOf(has, `conformance-${randomUUID()}`)));
      deepStrictEqual(failure.outcome, 'not-applied');
    },
  };
}
