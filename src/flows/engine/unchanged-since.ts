import type { AccountRecords } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';

/**
 * Returns a function that tells whether the key has had no news since this call. A write to the ERP calls it before
 * sending, because its own record may change a new decision.
 * @param known the key's work version, if already read
 */
export async function unchangedSince(
  { account, store }: AccountRecords,
  flow: FlowName,
  key: string,
  known?: number,
): Promise<() => Promise<boolean>> {
  const versionNow = async () => (await store.work.get({ account, flow, key }))?.version ?? 0;
  const version = known ?? (await versionNow());
  return async () => (await versionNow()) === version;
}
