import type { AccountContext } from './context.ts';
import type { FlowName } from './flow.ts';
import type { BrakeKind, Policy } from './policy.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Which journal entries a brake counts; of the flow that writes them, where another writes them too. */
const COUNTED_ACTION: Readonly<Record<BrakeKind, string>> = {
  archive: 'product.archive:archive',
  zero: 'stock.write:zero',
  increase: 'stock.write:increase',
  price: 'product.patch:price',
  reject: 'order.transition:reject',
};

const COUNTED_BY_FACILITY: Partial<typeof COUNTED_ACTION> = {
  zero: 'stock.reconcile:zero',
  increase: 'stock.reconcile:increase',
};

function countedAction(flow: FlowName, kind: BrakeKind): string {
  if (flow === 'customer') return `customer.archive:${kind}`;
  return (flow === 'facility-stock' ? COUNTED_BY_FACILITY[kind] : undefined) ?? COUNTED_ACTION[kind];
}

/** What an operator and the configuration say of this write at this moment. */
export async function observePolicy(
  context: AccountContext,
  flow: FlowName,
  dryRun: boolean,
  kind: BrakeKind | undefined,
): Promise<Policy> {
  const { account, config, store } = context;
  const pauses = await store.pauses.all();
  const stopped = pauses.find((pause) => pause.account === account && (pause.flow === flow || pause.flow === 'all'));
  return {
    dryRun,
    paused: stopped?.reason ?? null,
    brake:
      kind === undefined
        ? null
        : {
            limit: config.brakes[kind],
            written: await store.journal.written(account, countedAction(flow, kind), context.now() - DAY_MS),
            listings: flow === 'customer' ? await store.customers.count(account) : await store.products.count(account),
          },
  };
}
