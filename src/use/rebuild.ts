import { existsSync } from 'node:fs';
import type { Config } from '../config/resolve.ts';
import { eachAccount, openCore } from '../core/core.ts';
import { isLink } from '../domain/action.ts';
import { isCursorAhead } from '../domain/ahead.ts';
import { sentenceOf } from '../domain/causes/cause.ts';
import type { PolicyOf } from '../flows/engine/attempt.ts';
import type { AccountContext } from '../flows/engine/context.ts';
import { isBroken } from '../flows/plan-of.ts';
import { findDifferences } from '../flows/resync.ts';
import { FLOW_RUNS } from '../flows/runs.ts';
import type { Log } from '../logging/logging.ts';
import { operatorName } from '../machine/operator.ts';
import type { AccountRecords } from '../shadow/context.ts';
import { eachKey, type KeysAfter } from '../store/each-key.ts';
import type { Link } from '../store/links.ts';
import { backupDatabase } from '../store/sqlite/backup.ts';
import { databasePath } from '../store/sqlite/database.ts';
import { withDatabaseCopy, withTemporaryFolder } from './folder-copy.ts';
import { lockFolder } from './open.ts';
import { readBothSides } from './sync.ts';

export interface Rebuilt {
  readonly account: string;
  readonly links: readonly RebuiltLink[];
  /** Lists whose cursor was in the future, now read from the beginning. */
  readonly ahead: readonly { readonly collection: string; readonly cursor: string }[];
  /**
   * Entities that a person must link: of two that claim one, or that claim another's partner. Also those on which the
   * program fails, but no other holds.
   */
  readonly conflicts: readonly Conflict[];
}

interface RebuiltLink {
  readonly flow: string;
  readonly key: string;
  /** `after` names the link, `why` how it was found. */
  readonly target: string;
  readonly after: string;
  readonly why: string;
}

interface Conflict {
  readonly flow: string;
  readonly key: string;
  readonly reason: string;
}

interface RebuildWatch {
  readonly signal: AbortSignal;
  readonly onStep: (now: { readonly account: string; readonly step: string }) => void;
}

/**
 * Links entities again after reading both sides from the beginning.
 * @param apply false: only in a copy of the database
 */
export async function rebuildAll(config: Config, log: Log, apply: boolean, watch: RebuildWatch): Promise<Rebuilt[]> {
  const { dir } = config.state;
  const locks = lockFolder(dir);
  try {
    if (apply) return await rebuildIn(config, log, true, watch);
    const { postgres } = config.state;
    const tried = (copy: string) =>
      rebuildIn({ ...config, state: { ...config.state, dir: copy, postgres: null } }, log, false, watch);
    return await (postgres === null ? onCopy(dir, tried) : withDatabaseCopy(postgres, tried));
  } finally {
    locks.release();
  }
}

function onCopy<T>(dir: string, work: (copy: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(async (copy) => {
    if (existsSync(databasePath(dir))) await backupDatabase(dir, databasePath(copy), false);
    return work(copy);
  });
}

async function rebuildIn(
  config: Config,
  log: Log,
  isForGood: boolean,
  { signal, onStep }: RebuildWatch,
): Promise<Rebuilt[]> {
  const core = await openCore({ config, log });
  try {
    const results: Rebuilt[] = [];
    for await (const context of eachAccount(core)) {
      const { account } = context;
      const ahead = await cursorsAhead(context);
      await readBothSides(context, signal, onStep);
      onStep({ account, step: 'linking' });
      const result = { ...(await rebuildLinks(context, signal)), ahead };
      if (isForGood) await core.state.store.audit.add(actOf(result));
      results.push(result);
    }
    return results;
  } finally {
    await core.close();
  }
}

function actOf({ account, links, conflicts }: Rebuilt) {
  const after = `${links.length} linked, ${conflicts.length} left`;
  const nothing = { flow: '', key: '', before: null, resultOf: null };
  return { ...nothing, account, action: 'rebuild', target: 'the links', after, outcome: 'done', who: operatorName() };
}

/** Payments need their orders' links, so two passes find everything. */
const PASSES = 2;

/**
 * Links entities by external ids, ERP references, SKUs and the flows' other signs. Both sides are in the shadow, and
 * neither is written.
 */
async function rebuildLinks(context: AccountContext, signal: AbortSignal): Promise<Omit<Rebuilt, 'ahead'>> {
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

type Found = Omit<Rebuilt, 'account' | 'ahead'>;

async function cursorsAhead({ account, store, now }: AccountRecords): Promise<Rebuilt['ahead']> {
  const rows = (await store.cursors.all()).filter((row) => row.account === account && isCursorAhead(row.value, now()));
  return rows.map(({ collection, value }) => ({ collection, cursor: value }));
}

async function linkFound(context: AccountContext, signal: AbortSignal): Promise<Found> {
  const links: RebuiltLink[] = [];
  const conflicts: Conflict[] = [];
  for await (const { flow, key, decision } of findDifferences(context, signal)) {
    for (const why of decision.awaitsLink || isBroken(decision) ? decision.holds : [])
      conflicts.push({ flow, key, reason: sentenceOf(why) });
    const [action] = decision.actions;
    if (action === undefined || !isLink(action.action)) continue;
    const { target, after, why } = action;
    links.push({ flow, key, target, after: after ?? '', why });
    await FLOW_RUNS[flow].reconcile(context, { key, lane: 'backfill', signal }, onlyLinks);
  }
  return { links, conflicts };
}

const onlyLinks: PolicyOf = async ({ action }) => ({
  dryRun: false,
  paused: isLink(action) ? null : 'only links are made',
  brake: null,
});

/** Links entities with the other side's id, which flows check only before a create. */
async function linkMarked(context: AccountRecords, signal: AbortSignal): Promise<Found> {
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
        reason: `${claimants.length} entities may belong to it: ${claimants.join(', ')}. Link the right one`,
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
    await claim('order-out', 'order', id, await store.orders.byExternalId(account, id), 'external_id');
  }
  for await (const id of unlinked(context, 'payment', store.erp.paymentIds, signal)) {
    const there = (await store.erp.payment(account, id))?.marketplaceId ?? null;
    const known = there === null ? null : await store.payments.get(account, there);
    if (known !== null) await claim('payment-out', 'payment', id, [known.id], 'marketplace_id');
  }
  return { links, conflicts };
}

async function* unlinked(
  { account, store }: AccountRecords,
  kind: Link['kind'],
  idsAfter: KeysAfter,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for await (const id of eachKey(account, idsAfter, signal)) {
    if ((await store.mappings.linkedTo(account, kind, id)) === null) yield id;
  }
}
