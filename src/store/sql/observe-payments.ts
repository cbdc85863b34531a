import { formerIds } from '../../domain/shadow/payments.ts';
import { DELETED } from '../../domain/status.ts';
import type { ErpPayment } from '../../erp/connector.ts';
import { STANDS } from '../gone.ts';
import type { NamedPayment, ObserveStore, UnsettledPayments } from '../observe.ts';
import { cursorReads, findFact } from './cursors.ts';
import { erpOrderReads } from './erp-orders.ts';
import { goneOf } from './gone.ts';
import { intentReads } from './intents.ts';
import { invalidRowOfEntity, invalidRowReads } from './invalid-rows.ts';
import { mappingReads } from './mappings.ts';
import { factsOf, isUnsettled } from './observe-rows.ts';
import { orderReads } from './orders.ts';
import type { ReadAt, Reads } from './part.ts';
import {
  erpPaymentReads,
  erpPaymentsByReference,
  paymentReads,
  paymentsOfOrder,
  seenErpPayment,
  seenErpPaymentsByReference,
} from './payments.ts';

export const STANDS_IN_ERP = `${STANDS}erp-payments`;

export const observePayments = {
  paymentIn(at, account, id) {
    const payment = paymentReads.get(at, account, id);
    const mapping = mappingReads.byMarketplaceId(at, account, 'payment', id);
    const own = mapping?.state === 'linked' ? mapping.erpId : null;
    const isErpMissing = own !== null && erpPaymentReads.payment(at, account, own) === null;
    const order = payment === null ? null : mappingReads.byMarketplaceId(at, account, 'order', payment.orderNumber);
    const linked = order?.state === 'linked' && order.erpId !== null ? order.erpId : null;
    const references = payment === null ? [] : [payment.orderNumber, ...(order?.erpId == null ? [] : [order.erpId])];
    const isFree = ({ id: erpId }: { readonly id: string }) =>
      !isUnsettled(at, account, 'payment-out', erpId) && mappingReads.linkedTo(at, account, 'payment', erpId) === null;
    const unlinked = erpPaymentsByReference(at, account, references)
      .filter((each) => !each.voided && ['gone', null].includes(namedBy(at, account, each)))
      .filter(isFree);
    return {
      payment,
      invalidRow: invalidRowReads.get(at, account, 'payments', id),
      mapping,
      erpGone: isErpMissing ? goneOf(at, account, 'erp-payments', own) : null,
      createInDoubt: isUnsettled(at, account, 'payment-in', id),
      reference: linked === null ? null : (erpOrderReads.order(at, account, linked)?.reference ?? null),
      unlinked,
      former: new Map(unlinked.map(({ id: erpId }) => [erpId, formerOf(at, account, erpId)])),
      unsettled: unsettledPayments(at, account),
      recordedHere: (payment === null ? [] : paymentsOfOrder(at, account, payment.orderNumber)).flatMap((each) => {
        const of = mappingReads.byMarketplaceId(at, account, 'payment', each.id)?.erpId ?? null;
        return of !== null && isMade(at, account, 'payment-out', of) ? [{ payment: each, of }] : [];
      }),
      paymentsKnown: cursorReads.get(at, account, 'erp-payments') !== null,
    };
  },

  paymentOut(at, account, id, facts) {
    const payment = erpPaymentReads.payment(at, account, id);
    const linkedId = mappingReads.linkedTo(at, account, 'payment', id);
    const orderNumber = payment === null ? null : orderNumberOf(at, account, payment.reference);
    const ofOrder = orderNumber === null ? [] : paymentsOfOrder(at, account, orderNumber);
    const shown = linkedId === null ? null : paymentReads.get(at, account, linkedId);
    return {
      payment,
      linkedId,
      orderNumber,
      orderGone: orderNumber !== null && orderReads.get(at, account, orderNumber)?.order.status === DELETED,
      invalidErpRow: invalidRowOfEntity(at, account, 'erp-payments', id),
      shown,
      shownGone: linkedId !== null && shown === null ? goneOf(at, account, 'payments', linkedId) : null,
      named: linkedId === null ? namedBy(at, account, payment) : null,
      former: linkedId === null ? formerOf(at, account, id) : [],
      createInDoubt: isUnsettled(at, account, 'payment-out', id),
      unlinked: ofOrder.filter((each) => !isLinked(at, account, each.id)),
      left: ofOrder.flatMap((each) => {
        const of = leftBy(at, account, each.id);
        return of === null ? [] : [{ payment: each, of }];
      }),
      unsettled: unsettledPayments(at, account),
      recordedHere: (payment === null ? [] : erpPaymentsByReference(at, account, [payment.reference])).flatMap(
        (each) => {
          const of = mappingReads.linkedTo(at, account, 'payment', each.id);
          return of !== null && isMade(at, account, 'payment-in', of) ? [{ payment: each, of }] : [];
        },
      ),
      facts: factsOf(at, account, facts),
    };
  },
} satisfies Reads<Pick<ObserveStore, 'paymentIn' | 'paymentOut'>>;

/** The marketplace order of an ERP payment, whose reference is the order number or the linked ERP order's id. */
function orderNumberOf(at: ReadAt, account: string, reference: string): string | null {
  if (orderReads.get(at, account, reference) !== null) return reference;
  return mappingReads.linkedTo(at, account, 'order', reference);
}

/** Did our create make the linked payment? */
function isMade(at: ReadAt, account: string, kind: 'payment-in' | 'payment-out', key: string): boolean {
  return intentReads.of(at, { account, kind, key }).some(({ state }) => state === 'applied');
}

function isLinked(at: ReadAt, account: string, marketplaceId: string): boolean {
  return mappingReads.byMarketplaceId(at, account, 'payment', marketplaceId)?.state === 'linked';
}

/** The linked ERP payment of a marketplace payment, if it is gone. */
function leftBy(at: ReadAt, account: string, marketplaceId: string): string | null {
  const link = mappingReads.byMarketplaceId(at, account, 'payment', marketplaceId);
  if (link?.state !== 'linked' || link.erpId === null) return null;
  if (erpPaymentReads.payment(at, account, link.erpId) !== null) return null;
  return goneOf(at, account, 'erp-payments', link.erpId) === null ? null : link.erpId;
}

/** Earlier ERP payments that this one may be under a new id. */
function formerOf(at: ReadAt, account: string, id: string): string[] {
  const seen = seenErpPayment(at, account, id);
  if (seen === null) return [];
  const others = seenErpPaymentsByReference(at, account, seen.payment.reference);
  const listed = findFact(at.db, { account, name: STANDS_IN_ERP });
  const listedAtMs = listed === undefined ? null : Number(listed.value);
  // A list date in the future shows that the clock was set back.
  return formerIds(seen, others, listedAtMs !== null && listedAtMs <= at.nowMs ? listedAtMs : null);
}

function namedBy(at: ReadAt, account: string, payment: ErpPayment | null): NamedPayment | null {
  const id = payment?.marketplaceId ?? null;
  if (id === null) return null;
  if (paymentReads.get(at, account, id) === null && goneOf(at, account, 'payments', id) !== null) return 'gone';
  return leftBy(at, account, id) === null ? 'there' : 'left';
}

function unsettledPayments(at: ReadAt, account: string): UnsettledPayments {
  const recorded = intentReads.listUnsettled(at, account, 'payment-in').flatMap(({ key }) => {
    const payment = paymentReads.get(at, account, key);
    return payment === null ? [] : [{ key, payment }];
  });
  return { out: intentReads.listUnsettled(at, account, 'payment-out'), in: recorded };
}
