import type { AccountContext } from '../flows/engine/context.ts';
import type { PolicyOf } from '../flows/engine/run.ts';
import { FLOW_RUNS } from '../flows/flows.ts';
import { findDifferences } from '../flows/resync.ts';
import { eachKey, type KeysAfter } from '../store/sqlite/each-key.ts';
import type { Link } from '../store/sqlite/mappings.ts';

/** What a rebuild found out of one account. */
export interface Rebuilt {
  readonly account: string;
  readonly links: readonly RebuiltLink[];
  /** What could not be linked without a person: two claim it, or one claims what is another's. What is held otherwise is no such. */
  readonly conflicts: readonly Conflict[];
}

export interface RebuiltLink {
  readonly flow: string;
  readonly key: string;
  /** What is linked, to what, and by which sign. */
  readonly target: string;
  readonly after: string;
  readonly why: string;
}

export interface Conflict {
  readonly flow: string;
  readonly key: string;
  readonly reason: string;
}

/** A payment hangs on its order, an order made in the ERP on nothing: more passes find nothing more. */
const PASSES = 2;

/**
 * Links what belongs together by the marks that stand on the two sides: external ids there, references here, then SKUs and
 * what else the flows go by. Writes to neither side; both have been read into the shadow.
 */
export async function rebuildLinks(context: AccountContext, signal: AbortSignal): Promise<Rebuilt> {
  const links: RebuiltLink[] = [];
  let conflicts: Conflict[] = [];
  for (let pass = 0; pass < PASSES; pass += 1) {
    const marked = await linkMarked(context, signal);
    const found = await linkFound(context, signal);
    links.push(...marked.links, ...found.links);
    conflicts = [...marked.conflicts, ...found.conflicts];
  }
  return { account: context.account, links, conflicts };
}

type Found = Omit<Rebuilt, 'account'>;

/** What a flow would link, it links; it writes nothing else. */
async function linkFound(context: AccountContext, signal: AbortSignal): Promise<Found> {
  const links: RebuiltLink[] = [];
  const conflicts: Conflict[] = [];
  for await (const { flow, key, decision } of findDifferences(context, signal)) {
    if (decision.contested && decision.hold !== null) conflicts.push({ flow, key, reason: decision.hold });
    const [action] = decision.actions;
    if (!action?.action.endsWith('.link')) continue;
    const { target, after, why } = action;
    links.push({ flow, key, target, after: after ?? '', why });
    await FLOW_RUNS[flow].reconcile(context, { key, lane: 'backfill', signal }, onlyLinks);
  }
  return { links, conflicts };
}

const onlyLinks: PolicyOf = async ({ action }) => ({
  dryRun: false,
  paused: action.endsWith('.link') ? null : 'only links are made',
  brake: null,
});

/** What one side says outright of the other: flows ask for these only when they are about to create. */
async function linkMarked(context: AccountContext, signal: AbortSignal): Promise<Found> {
  const { account, store } = context;
  const links: RebuiltLink[] = [];
  const conflicts: Conflict[] = [];
  const claim = async (flow: string, kind: Link['kind'], erpId: string, claimants: readonly string[], how: string) => {
    const [marketplaceId, second] = claimants;
    if (marketplaceId === undefined) return;
    if (second !== undefined) {
      conflicts.push({
        flow,
        key: erpId,
        reason: `${claimants.length} claim it: ${claimants.join(', ')}: link the right one`,
      });
      return;
    }
    const taken = await store.mappings.byMarketplaceId(account, kind, marketplaceId);
    if (taken?.state === 'linked') return;
    const target = `${kind} ${marketplaceId} of the marketplace`;
    links.push({ flow, key: erpId, target, after: `linked to ERP ${kind} ${erpId}`, why: `found by ${how}` });
    await store.mappings.link({ account, kind, marketplaceId, erpId, how });
  };
  for await (const id of unlinked(context, 'order', store.erp.orderIds, signal)) {
    if ((await store.erp.order(account, id))?.origin !== 'erp') continue;
    await claim('erp-order', 'order', id, await store.orders.byExternalId(account, id), 'external_id');
  }
  for await (const id of unlinked(context, 'payment', store.erp.paymentIds, signal)) {
    const there = (await store.erp.payment(account, id))?.marketplaceId ?? null;
    const known = there === null ? null : await store.payments.get(account, there);
    if (known !== null) await claim('erp-payment', 'payment', id, [known.id], 'marketplace_id');
  }
  return { links, conflicts };
}

/** Ids of the ERP that nothing is linked to. */
async function* unlinked(
  { account, store }: AccountContext,
  kind: Link['kind'],
  idsAfter: KeysAfter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const id of eachKey(account, idsAfter, signal)) {
    if ((await store.mappings.linkedTo(account, kind, id)) === null) yield id;
  }
}
