import type { AccountRecords } from '../../shadow/context.ts';
import { ALL_FLOWS } from '../../store/record.ts';
import type { FlowName } from '../flows.ts';

/** Returns why this flow is paused. null: it is not. */
export async function pausedBy({ account, store }: AccountRecords, flow: FlowName): Promise<string | null> {
  const pauses = await store.pauses.all();
  const stops = (of: string) => of === flow || of === ALL_FLOWS;
  return pauses.find((pause) => pause.account === account && stops(pause.flow))?.reason ?? null;
}
