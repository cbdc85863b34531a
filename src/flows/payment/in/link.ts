import type { Known } from '../../../shadow/context.ts';
import type { Applied } from '../../engine/flow.ts';

export async function linkPayments(
  { account, store }: Known,
  marketplaceId: string,
  erpId: string,
  how: string,
): Promise<Applied> {
  await store.mappings.link({ account, kind: 'payment', marketplaceId, erpId, how });
  return { outcome: 'noted', answer: `marketplace payment ${marketplaceId} is ERP payment ${erpId}` };
}
