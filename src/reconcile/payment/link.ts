import type { AccountContext } from '../context.ts';
import type { Applied } from '../flow.ts';

/** Links the two; that settles a create in the ERP whose answer was lost. */
export async function linkPayments(
  { account, store }: AccountContext,
  marketplaceId: string,
  erpId: string,
  how: string,
): Promise<Applied> {
  const link = { account, kind: 'payment', marketplaceId, erpId, how } as const;
  const create = await store.intents.unsettled({ account, kind: 'erp-payment', key: marketplaceId });
  if (create === null) await store.mappings.link(link);
  else await store.intents.applied(create.id, link, `ERP payment ${erpId}, by ${how}`);
  return { outcome: 'noted', answer: `marketplace payment ${marketplaceId} is ERP payment ${erpId}` };
}
