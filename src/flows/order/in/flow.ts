import type { Flow } from '../../engine/flow.ts';
import { compareListed } from './altered-reference.ts';
import { applyOrder } from './apply.ts';
import { baseToStore } from './base.ts';
import { decideOrderIn } from './decide.ts';
import { observeOrder } from './observe.ts';
import type { OrderInAction, OrderInSnapshot } from './snapshot.ts';
import { noteTaxState } from './tax-state.ts';

/** Enters marketplace orders in the ERP and reports fulfilment back. Key: marketplace order number. */
export const orderInFlow: Flow<OrderInSnapshot, OrderInAction> = {
  name: 'order-in',
  decide: decideOrderIn,
  apply: applyOrder,

  // A product missing in the ERP is created before its order.
  async wakes({ account, store }, look, result) {
    const causes = result.state === 'held' ? result.causes : [];
    const keys = causes.flatMap((one) => (one.code === 'product-made-first' ? [String(one.params.product)] : []));
    const targets = keys.map((key) => ({ account, flow: 'product-in', key }));
    if (targets.length > 0) await store.work.mark(targets, look.lane, `order ${look.key} needs it`);
  },

  async remember(context, { key: number }, snapshot) {
    const { account, store } = context;
    const [known] = snapshot.erpOrders;
    await noteTaxState(context, snapshot);
    if (snapshot.linked && known !== undefined) await compareListed(context, number, known, snapshot.referencesDiffer);
    const record = baseToStore(snapshot);
    if (record === null || JSON.stringify(record) === JSON.stringify(snapshot.base)) return;
    await store.bases.save(account, number, record);
  },

  observe: observeOrder,
};
