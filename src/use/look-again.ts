import { sideOfList } from '../domain/lists.ts';
import { FLOW_NAMES, FLOWS } from '../flows/flows.ts';
import { allowErpCreates } from '../shadow/references.ts';
import type { Store } from '../store/store.ts';
import { type FailedJob, isHeld, laneOfAct, type WorkKey, type WorkRow } from '../store/work.ts';
import { replayJobs } from './jobs/replay.ts';
import type { Opened } from './open.ts';

/** Orders by marketplace number, or products by ERP id. */
interface Chosen {
  readonly kind: 'order' | 'product';
  readonly ids: readonly string[];
}

/**
 * Retries the stopped work of these entities: failed jobs are replayed, held work becomes due. Returns the number of
 * keys marked.
 */
export async function lookAgain(opened: Opened, account: string, { kind, ids }: Chosen): Promise<number> {
  const { store, by } = opened;
  const jobs: FailedJob[] = [];
  const held: WorkRow[] = [];
  for (const id of ids) {
    for (const target of await worksOf(store, account, kind, id)) {
      const [failed, row] = await Promise.all([store.work.failed(target), store.work.get(target)]);
      jobs.push(...failed);
      if (failed.length === 0 && row !== null && isHeld(row)) held.push(row);
    }
  }
  await replayJobs(opened, jobs);
  const about = { before: null, after: null, outcome: 'done', resultOf: null, who: by };
  for (const { flow, key } of held)
    await store.audit.add({ account, flow, key, ...about, action: 'work.again', target: key });
  // Whoever retries an order that waits for this has made the ERP keep references.
  if (held.some(({ heldFor }) => heldFor?.some(({ code }) => code === 'reference-differs')))
    await allowErpCreates({ account, store });
  if (held.length > 0) await store.work.markAfresh(held, laneOfAct(held.length), `asked for by ${by}`);
  return jobs.length + held.length;
}

async function worksOf({ mappings }: Store, account: string, kind: Chosen['kind'], id: string): Promise<WorkKey[]> {
  const keys =
    kind === 'order'
      ? { marketplace: id, erp: (await mappings.byMarketplaceId(account, kind, id))?.erpId ?? null }
      : { marketplace: await mappings.linkedTo(account, kind, id), erp: id };
  return FLOW_NAMES.filter((flow) => FLOWS[flow].links === kind).flatMap((flow) => {
    const key = keys[sideOfList(FLOWS[flow].keys)];
    return key === null ? [] : [{ account, flow, key }];
  });
}
