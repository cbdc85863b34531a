import { withoutBrake } from '../../domain/action.ts';
import { FLOW_NAMES, FLOWS, type FlowName } from '../../flows/flows.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { JournalRow } from '../../store/record.ts';
import type { HistoryRow } from '../../store/stock.ts';
import { keyIn } from '../entity.ts';

const SIDES = ['marketplace', 'erp'] as const;
type Side = (typeof SIDES)[number];

export type LifeStep = { readonly atMs: number; readonly side: Side } & (
  | { readonly kind: 'status'; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'write'; readonly action: string; readonly outcome: 'written' | 'refused' | 'unknown' }
);

const WRITERS = FLOW_NAMES.filter((flow) => FLOWS[flow].links === 'order');
const MOST = 200;

/** An order's statuses and our writes until a moment, oldest first. */
export async function lifeOf({ account, store }: AccountRecords, ids: EntityIds, untilMs: number): Promise<LifeStep[]> {
  const keys = { marketplace: ids.marketplaceId, erp: ids.erpId };
  const statuses = SIDES.map(async (side) => {
    const key = keys[side];
    return key === null ? [] : (await store.history.statuses(account, side, key)).map((row) => ofStatus(side, row));
  });
  const writes = WRITERS.map(async (flow) => {
    const key = keyIn(flow, ids);
    const rows = key === null ? [] : await store.journal.of(account, flow, key, MOST, untilMs);
    return rows.flatMap((row) => ofWrite(flow, row));
  });
  const steps = (await Promise.all([...statuses, ...writes])).flat();
  return steps.filter(({ atMs }) => atMs <= untilMs).toSorted((a, b) => a.atMs - b.atMs);
}

function ofStatus(side: Side, { atMs, before, after }: HistoryRow): LifeStep {
  return { kind: 'status', atMs, side, before, after };
}

function ofWrite(flow: FlowName, { atMs, action, outcome }: JournalRow): LifeStep[] {
  const { writes } = FLOWS[flow];
  const side = SIDES.find((one) => writes[one]?.includes(withoutBrake(action)));
  if (side === undefined || (outcome !== 'written' && outcome !== 'refused' && outcome !== 'unknown')) return [];
  return [{ kind: 'write', atMs, side, action: withoutBrake(action), outcome }];
}
