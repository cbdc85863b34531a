import { type Cause, cause } from '../../../domain/causes/cause.ts';
import type { ErpCustomerDraft } from '../../../erp/connector.ts';
import { act, createWords, type Decision, hold, holdForLink, inSync, type Planned } from '../../engine/decision.ts';
import { type Counterpart, type Match, SIGNS } from '../out/match.ts';

export interface CustomerInSnapshot extends Counterpart {
  readonly customer: { readonly draft: ErpCustomerDraft; readonly archived: boolean } | null;
  readonly invalidRow: string | null;
  readonly linked: boolean;
  readonly create: boolean;
}

export interface CreateErpCustomer extends Planned {
  readonly action: 'customer-in.create';
  readonly draft: ErpCustomerDraft;
  /** Only settle an earlier create. */
  readonly adoptOnly: boolean;
}

/** Creates the customer unless the ERP has it. If both sides created it independently, customer-out links it. */
export function decideCustomerIn(snapshot: CustomerInSnapshot): Decision<CreateErpCustomer> {
  const { customer, linked, match, createInDoubt } = snapshot;
  if (linked || !(snapshot.create || createInDoubt)) return inSync();
  if (snapshot.invalidRow !== null) return hold(cause('customer-invalid', { problem: snapshot.invalidRow }));
  if (customer === null) return inSync();
  if (!snapshot.known) return hold(cause('customers-unread'));
  if (customer.archived && !createInDoubt) return inSync();
  const reason = reasonToWait(match);
  if (reason !== null) return match.kind === 'one' && isLinkedSoon(match) ? inSync() : holdForLink(reason);
  if (snapshot.openCreate !== null) return hold(snapshot.openCreate);
  const { draft } = customer;
  const isWanted = !customer.archived && snapshot.create;
  const after = `ERP customer ${draft.name}, with marketplace id ${draft.marketplaceId}`;
  const words = createWords(after, 'the ERP has no such customer yet', { isWanted, createInDoubt });
  return act([{ action: 'customer-in.create', target: `customer ${draft.marketplaceId}`, ...words, draft }]);
}

/** Returns why an unlinked customer is not created in the ERP. null: no ERP customer resembles it. */
export function reasonToWait(match: Match): Cause | null {
  if (match.kind === 'none') return null;
  if (match.kind === 'conflict') return match.cause;
  const like = { erpCustomer: match.other.id, sign: SIGNS[match.by] };
  return isLinkedSoon(match) ? cause('customer-linked-soon', like) : cause('customer-inactive', like);
}

/** An archived or inactive customer is linked only by id. */
function isLinkedSoon(match: Extract<Match, { kind: 'one' }>): boolean {
  return !match.other.gone || match.by === 'external_id';
}
