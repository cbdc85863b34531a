import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountContext } from '../reconcile/context.ts';
import type { Decision, Planned } from '../reconcile/decision.ts';
import { FLOWS, type FlowName, isFlowOn } from '../reconcile/flow.ts';
import type { Braked } from '../reconcile/policy.ts';
import { FLOW_RUNS } from '../reconcile/run.ts';

export interface PlannedKey {
  readonly flow: FlowName;
  readonly key: string;
  readonly decision: Decision<Planned & Braked>;
}

const BATCH = 500;
/** The store answers at once, so nothing else would go on meanwhile, not even the freeing of its statements. */
const TURN_EVERY_KEYS = 20;

/**
 * Every entity of the account that is not in step, as the shadows show it; costs no call.
 * @param onLook told of every entity that is looked at
 */
export async function* findDifferences(
  context: AccountContext,
  signal: AbortSignal,
  onLook: (flow: FlowName) => void = () => {},
): AsyncGenerator<PlannedKey> {
  let looked = 0;
  for (const flow of FLOWS.filter((one) => isFlowOn(context.config, one))) {
    for await (const key of keysOf(context, flow)) {
      looked += 1;
      if (looked % TURN_EVERY_KEYS === 0) await nextTurn();
      signal.throwIfAborted();
      onLook(flow);
      const decision = await FLOW_RUNS[flow].plan(context, { key, lane: 'backfill', signal });
      if (decision.actions.length > 0 || decision.hold !== null || decision.alerts.length > 0)
        yield { flow, key, decision };
    }
  }
}

/** Has everything that is not in step looked at. Answers how many entities. */
export async function resync(context: AccountContext, signal: AbortSignal): Promise<number> {
  let found = 0;
  for await (const { flow, key, decision } of findDifferences(context, signal)) {
    if (decision.actions.length === 0) continue;
    await context.store.work.mark(
      [{ account: context.account, flow, key }],
      'backfill',
      'found by a pass over everything',
    );
    found += 1;
  }
  return found;
}

async function* keysOf({ account, store }: AccountContext, flow: FlowName): AsyncGenerator<string> {
  const page = {
    product: store.erp.productIds,
    'product-images': store.erp.productIds,
    stock: store.erp.productIds,
    order: store.orders.numbers,
    'erp-order': store.erp.orderIds,
    payment: store.payments.ids,
    'erp-payment': store.erp.paymentIds,
  }[flow];
  let after = '';
  for (;;) {
    const keys = await page(account, after, BATCH);
    yield* keys;
    const last = keys.at(-1);
    if (last === undefined || keys.length < BATCH) return;
    after = last;
  }
}
