import { cause } from '../../domain/causes/cause.ts';
import type { ErpTransport } from '../../erp/connector.ts';
import type { StoredTransport } from '../../store/marketplace.ts';
import { act, type Decision, hold, inSync, type Planned } from '../engine/decision.ts';

/** The transports of one order, and what the ERP was told of them. */
export interface TransportSnapshot {
  /** Its order in the ERP; null while that has none. */
  readonly erpOrder: { readonly id: string; readonly transports?: readonly ErpTransport[] } | null;
  /** Why the ERP's last row of it cannot be read. */
  readonly erpMisfit: string | null;
  /** In the order of their ids. */
  readonly transports: readonly StoredTransport[];
  /** The ERP says that its orders keep them. */
  readonly canTake: boolean;
}

export interface TellTransports extends Planned {
  readonly action: 'transport-in.tell';
  readonly erpId: string;
  readonly transports: readonly ErpTransport[];
}

/** @param snapshot null where transports are not told */
export function decideTransports(snapshot: TransportSnapshot | null): Decision<TellTransports> {
  if (snapshot?.erpOrder == null) return inSync();
  const { erpOrder, erpMisfit, canTake } = snapshot;
  if (erpMisfit !== null) return hold(cause('erp-order-misfit', { order: erpOrder.id, problem: erpMisfit }));
  const wanted = snapshot.transports.flatMap(underWay);
  const known = erpOrder.transports ?? [];
  const [before, after] = [shown(known), shown(wanted)];
  if (before === after) return inSync();
  if (!canTake) return hold(cause('erp-takes-no-transports', { erpOrder: erpOrder.id }));
  const target = `transports of ERP order ${erpOrder.id}`;
  const why = 'the marketplace shows it so';
  return act([{ action: 'transport-in.tell', target, before, after, why, erpId: erpOrder.id, transports: wanted }]);
}

/** Nothing is told of a transport that is only planned. A status that the documents do not name counts as that. */
function underWay({ id, status, shippedAt, deliveredAt }: StoredTransport): ErpTransport[] {
  if (status !== 'shipped' && status !== 'delivered') return [];
  return [
    { id, status, ...(shippedAt === null ? {} : { shippedAt }), ...(deliveredAt === null ? {} : { deliveredAt }) },
  ];
}

function shown(transports: readonly ErpTransport[]): string {
  if (transports.length === 0) return 'none';
  const sorted = transports.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return sorted.map(one).join('; ');
}

function one({ id, status, shippedAt, deliveredAt }: ErpTransport): string {
  const times = [shippedAt && `shipped ${shippedAt}`, deliveredAt && `delivered ${deliveredAt}`].filter(Boolean);
  return `${id} ${status}${times.length === 0 ? '' : ` (${times.join(', ')})`}`;
}
