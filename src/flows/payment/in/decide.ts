import { type Cause, cause, isCause } from '../../../domain/causes/cause.ts';
import { type Gone, reportedGone } from '../../../domain/gone.ts';
import { isBefore } from '../../../domain/instant.ts';
import { alike, type MarketplacePayment, type PaymentFacts } from '../../../domain/payment.ts';
import type { ErpPaymentDraft } from '../../../erp/connector.ts';
import type { PaymentInRows } from '../../../store/observe.ts';
import { act, type Decision, hold, inSync, type Planned } from '../../engine/decision.ts';
import {
  amountProblem,
  decideUnlinked,
  factsOfMarketplace,
  linkWords,
  type OtherSide,
  recordWords,
} from '../other-side.ts';

export interface PaymentInSnapshot extends OtherSide, Pick<PaymentInRows, 'payment' | 'reference' | 'former'> {
  readonly invalidRow: string | null;
  readonly linked: boolean;
  readonly gone: { readonly erpId: string; readonly since: Gone } | null;
  readonly method: string;
}

export type PaymentInAction =
  | CreateErpPayment
  | (Planned & { readonly action: 'payment-in.link'; readonly erpId: string });

export interface CreateErpPayment extends Planned {
  readonly action: 'payment-in.create';
  /** null: only settle an earlier create. */
  readonly payment: NewErpPayment | null;
}

type NewErpPayment = Omit<ErpPaymentDraft, 'marketplaceId'> & { readonly method: string };

/** @param snapshot null: payments are not synchronized */
export function decidePaymentIn(snapshot: PaymentInSnapshot | null): Decision<PaymentInAction> {
  if (snapshot === null) return inSync();
  const { payment, invalidRow } = snapshot;
  if (invalidRow !== null) return hold(cause('payment-invalid', { problem: invalidRow }));
  if (payment === null) return inSync();
  if (snapshot.linked) return inSync(goneIn(payment.id, snapshot));
  const { id } = payment;
  const wanted = wantedOf(payment, snapshot);
  if (snapshot.createInDoubt) return act([creation(id, isCause(wanted) ? null : wanted)]);
  const facts = factsOfMarketplace(payment);
  return decideUnlinked({ id, facts, wanted, side: 'ERP', maybe: maybeIn(facts, snapshot) }, snapshot, {
    create: (draft) => creation(id, draft),
    link: (erpId): PaymentInAction => {
      const words = linkWords(`marketplace payment ${id}`, `ERP payment ${erpId}`);
      return { action: 'payment-in.link', ...words, erpId };
    },
  });
}

/** Finds a similar ERP payment that may be an earlier one under a new id. */
function maybeIn(facts: PaymentFacts, { unlinked, former }: PaymentInSnapshot) {
  for (const { id } of alike(facts, unlinked)) {
    const [other] = former.get(id) ?? [];
    if (other !== undefined) return { erpPayment: id, other };
  }
  return null;
}

function goneIn(there: string, { gone }: PaymentInSnapshot): Cause[] {
  return gone === null ? [] : [cause('erp-payment-gone', { payment: gone.erpId, there, ...reportedGone(gone.since) })];
}

/** null: nothing to record. A cause: why it cannot be recorded. */
function wantedOf(
  { id, orderNumber, total, currency: shown, paidAt, createdAt }: MarketplacePayment,
  { reference, method, rules: { create, currency, from } }: PaymentInSnapshot,
): NewErpPayment | Cause | null {
  if (!create) return null;
  if (from !== null && isBefore(paidAt ?? createdAt ?? from, from)) return null;
  const problem = amountProblem({ id, amount: total, currency: shown }, currency);
  if (problem !== null) return problem;
  if (reference === null) return cause('payment-order-unknown', { payment: id, order: orderNumber, side: 'ERP' });
  return { reference, amount: total, currency, method, receivedAt: paidAt };
}

function creation(id: string, payment: NewErpPayment | null): PaymentInAction {
  const after =
    payment && `${payment.amount.toFixed(2)} ${payment.currency}, ${payment.method}, for ${payment.reference}`;
  const words = recordWords(`ERP payment for marketplace payment ${id}`, after, 'recorded on the marketplace');
  return { action: 'payment-in.create', ...words, payment };
}
