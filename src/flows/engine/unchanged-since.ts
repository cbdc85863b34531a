import type { AccountRecords } from '../../shadow/context.ts';
import type { FlowName } from '../flows.ts';

/**
 * Answers a function that tells whether the key had no news since this moment. A write to the ERP asks it before it leaves, since its own
 * record may hide that it would be decided again.
 * @param known the version of the key's work at this moment, where it is known already
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
