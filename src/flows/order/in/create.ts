import type { ErpOrder } from '../../../erp/connector.ts';
import type { Look } from '../../../shadow/context.ts';
import { capabilitiesNow } from '../../../shadow/erp-capabilities.ts';
import type { Lane } from '../../../store/work.ts';
import { createOnce, similarEntities } from '../../engine/create-once.ts';
import type { Applied } from '../../engine/flow.ts';
import { compareReference, findByAlteredReference, lookAlikesOf, type OrderCreating } from './altered-reference.ts';
import type { OrderInAction } from './snapshot.ts';

type Creation = Extract<OrderInAction, { action: 'order-in.create' }>;

/** Makes the order in the ERP, or continues an earlier attempt. */
export async function createErpOrder(
  context: OrderCreating,
  look: Pick<Look, 'key' | 'lane' | 'signal'>,
  action: Pick<Creation, 'draft' | 'agreed'> & Partial<Pick<Creation, 'adoptOnly'>>,
): Promise<Applied> {
  const { erp } = context;
  return createOnce<ErpOrder>(context, {
    intent: { kind: 'order-in', key: look.key },
    // Asking the ERP is cheap, and an order that it has already must never be created twice.
    alwaysFind: true,
    isUnique: async () => (await capabilitiesNow(context)).uniqueReference,
    // As long as an order is not linked, a create also finishes an order that an earlier attempt made only in part.
    find: async () => laneOfOrders(await erp.findOrders(look.key, look.signal)),
    findOtherwise: () => findByAlteredReference(context, look),
    unprovable: async () =>
      similarEntities(
        'Orders of the ERP under an unknown reference look like it',
        await lookAlikesOf(context, look, action.draft),
      ),
    create: action.adoptOnly ? null : () => erp.createOrder(action.draft, look.signal),
    leaving: () => ({ to: 'erp', base: action.agreed, atMs: context.now() }),
    shown: (order) => ({ order, lane: causedLane(look), lookedAt: look.key }),
    idOf: ({ id }) => id,
    remember: (made) => compareReference(context, look.key, made),
  });
}

/** The finished orders of one reference. An order that the ERP has cancelled is not meant, where another one is alive. */
function laneOfOrders(found: readonly ErpOrder[]): readonly ErpOrder[] {
  const own = found.filter(({ origin, finished }) => origin === 'marketplace' && finished !== false);
  const live = own.filter(({ status }) => status !== 'cancelled');
  return live.length > 0 ? live : own;
}

/**
 * Calls that only report an order to the marketplace come last. Their consequences, such as a change of stock, are as urgent
 * as changes from a poll.
 */
export function causedLane({ lane }: Pick<Look, 'lane'>): Lane {
  return lane === 'operator' ? lane : 'poll';
}
