import { cause } from '../../domain/causes/cause.ts';
import type { ErpTransport } from '../../erp/connector.ts';
import type { StoredTransport } from '../../store/marketplace.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';

export interface TransportSnapshot {
  /** null: the ERP does not have the order. */
  readonly erpOrder: { readonly id: string; readonly transports?: readonly ErpTransport[] } | null;
  readonly invalidErpRow: string | null;
  /** Sorted by id. */
  readonly transports: readonly StoredTransport[];
  readonly canTake: boolean;
  /** The ERP can also store planned transports, expected times and tracking numbers. */
  readonly canTrack: boolean;
}

export interface SendTransports extends Planned {
  readonly action: 'transport-in.tell';
  readonly erpId: string;
  readonly transports: readonly ErpTransport[];
}

/** @param snapshot null: the flow is off */
export function decideTransports(snapshot: TransportSnapshot | null): Decision<SendTransports> {
  if (snapshot?.erpOrder == null) return inSync();
  const { erpOrder, invalidErpRow, canTake } = snapshot;
  if (invalidErpRow !== null) return hold(cause('erp-order-invalid', { order: erpOrder.id, problem: invalidErpRow }));
  const wanted = snapshot.transports.flatMap(snapshot.canTrack ? detailed : underWay);
  const known = erpOrder.transports ?? [];
  const [before, after] = [shown(known), shown(wanted)];
  if (before === after) return inSync();
  if (!canTake) return hold(cause('erp-takes-no-transports', { erpOrder: erpOrder.id }));
  const target = `transports of ERP order ${erpOrder.id}`;
  const why = 'the marketplace shows it so';
  return act([{ action: 'transport-in.tell', target, before, after, why, erpId: erpOrder.id, transports: wanted }]);
}

/** A planned transport is not written. An undocumented status counts as planned. */
function underWay({ id, status, shippedAt, deliveredAt }: StoredTransport): ErpTransport[] {
  if (status !== 'shipped' && status !== 'delivered') return [];
  return [
    { id, status, ...(shippedAt === null ? {} : { shippedAt }), ...(deliveredAt === null ? {} : { deliveredAt }) },
  ];
}

const PLANNED = ['uploaded', 'created', 'assigned', 'planned'];

/** A planned transport is written once its expected time or tracking number is known. */
function detailed(transport: StoredTransport): ErpTransport[] {
  const { id, status, expectedAt, tracking } = transport;
  const details = { ...(expectedAt === null ? {} : { expectedAt }), ...(tracking === null ? {} : { tracking }) };
  const isKnown = Object.keys(details).length > 0;
  if (PLANNED.includes(status)) return isKnown ? [{ id, status: 'planned', ...details }] : [];
  return underWay(transport).map((sent) => ({ ...sent, ...details }));
}

function shown(transports: readonly ErpTransport[]): string {
  if (transports.length === 0) return 'none';
  const sorted = transports.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return sorted.map(one).join('; ');
}

function one({ id, status, shippedAt, deliveredAt, expectedAt, tracking }: ErpTransport): string {
  const facts = [
    expectedAt && `expected ${expectedAt}`,
    shippedAt && `shipped ${shippedAt}`,
    deliveredAt && `delivered ${deliveredAt}`,
    tracking && `tracking ${tracking}`,
  ].filter(Boolean);
  return `${id} ${status}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}
