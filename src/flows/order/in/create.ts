import type { ErpOrder } from '../../../erp/connector.ts';
import type { Look } from '../../../shadow/context.ts';
import { capabilitiesNow } from '../../../shadow/erp-capabilities.ts';
import type { Lane } from '../../../store/work.ts';
import { createOnce, similarEntities } from '../../engine/create-once.ts';
import type { Applied } from '../../engine/flow.ts';
import {
  compareReference,
  findByAlteredReference,
  type OrderCreating,
  possibleEarlierOrders,
} from './altered-reference.ts';
import type { OrderInAction } from './snapshot.ts';

type Creation = Extract<OrderInAction, { action: 'order-in.create' }>;

export async function createErpOrder(
  context: OrderCreating,
  look: Pick<Look, 'key' | 'lane' | 'signal'>,
  action: Pick<Creation, 'draft' | 'agreed'> & Partial<Pick<Creation, 'adoptOnly'>>,
): Promise<Applied> {
  const { erp } = context;
  return createOnce<ErpOrder>(context, {
    intent: { kind: 'order-in', key: look.key },
    // Searching the ERP is cheap, and an existing order must never be created twice.
    alwaysFind: true,
    isUnique: async () => (await capabilitiesNow(context)).uniqueReference,
    // While an order is not linked, a create also completes one that an earlier attempt made only in part.
    find: async () => laneOfOrders(await erp.findOrders(look.key, look.signal)),
    findOtherwise: () => findByAlteredReference(context, look),
    unprovable: async () =>
      similarEntities(
        'Orders of the ERP under an unknown reference look like it',
        await possibleEarlierOrders(context, look, action.draft),
      ),
    create: action.adoptOnly ? null : () => erp.createOrder(action.draft, look.signal),
    leaving: () => ({ to: 'erp', base: action.agreed, atMs: context.now() }),
    shown: (order) => ({ order, lane: causedLane(look), lookedAt: look.key }),
    idOf: ({ id }) => id,
    remember: (made) => compareReference(context, look.key, made),
  });
}

/** The finished orders of a reference, without canceled ones if any other exists. */
function laneOfOrders(found: readonly ErpOrder[]): readonly ErpOrder[] {
  const own = found.filter(({ origin, finished }) => origin === 'marketplace' && finished !== false);
  const live = own.filter(({ status }) => status !== 'cancelled');
  return live.length > 0 ? live : own;
}

/**
 * Reports to the marketplace come last, but their consequences, such as changed stock, are as urgent as changes found
 * by a poll.
 */
export function causedLane({ lane }: Pick<Look, 'lane'>): Lane {
  return lane === 'operator' ? lane : 'poll';
}
