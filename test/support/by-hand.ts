import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { Result } from '../../src/flows/engine/flow.ts';
import { observePolicy } from '../../src/flows/engine/observe-policy.ts';
import type { FlowName } from '../../src/flows/flows.ts';
import { FLOW_RUNS } from '../../src/flows/runs.ts';
import { createMarketplaceClient } from '../../src/marketplace/client.ts';
import { UNLIMITED } from '../../src/marketplace/quota.ts';
import { READS, type ReadName } from '../../src/shadow/collections.ts';
import { plainAuth } from './plain-auth.ts';
import type { Stage } from './stage.ts';

/* A stage on which nothing runs by itself: the test asks for each read and each look. */

const look = (key: string) => ({ key, lane: 'poll', signal: AbortSignal.timeout(20_000) }) as const;

/** Brings both sides into step, and then lets nothing run. */
export async function standStill(stage: Stage): Promise<AccountContext> {
  await stage.sync();
  await stage.stop();
  await stage.start([]);
  return stage.context();
}

export async function read(context: AccountContext, name: ReadName): Promise<void> {
  await READS[name](context, look('all'));
}

export function reconcile(context: AccountContext, flow: FlowName, key: string): Promise<Result> {
  return FLOW_RUNS[flow].reconcile(context, { ...look(key), lane: 'operator' }, (action) =>
    observePolicy(context, { flow, key }, false, action),
  );
}

/** A context whose calls wait for `acquire` instead of a quota. */
export function waitingFor(context: AccountContext, acquire: () => Promise<void>): AccountContext {
  const { marketplace } = context.config;
  const { auth } = plainAuth(context.config);
  const governor = { acquire: () => acquire().then(() => UNLIMITED), observe: async () => {} };
  const client = createMarketplaceClient({ ...marketplace, auth, overrides: marketplace.operations, governor });
  return { ...context, client };
}
