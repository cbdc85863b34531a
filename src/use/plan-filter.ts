import { counted } from '../domain/counted.ts';
import { FLOWS, type FlowName, isFlow } from '../flows/flows.ts';
import type { Known } from '../shadow/context.ts';
import type { MappingKind } from '../store/links.ts';
import { findEntity, SHORTEST } from './entity.ts';
import { UsageError } from './faults.ts';
import { misfitsOf } from './misfits.ts';
import type { PlanItem } from './plan-item.ts';

/** The part of a plan that somebody asks for; all of it where nothing is named. */
export interface PlanPart {
  readonly flow?: string | undefined;
  /** A product by any name. */
  readonly sku?: string | undefined;
  /** An order by any name. */
  readonly order?: string | undefined;
}

/**
 * Answers a function that says whether an item belongs to the part. It is made before the plan, which takes a while.
 * @throws UsageError for a flow, a product or an order that does not exist, NotFound where a name fits several
 */
export async function belongsTo(
  { account, store }: Pick<Known, 'account' | 'store'>,
  { flow, sku, order }: PlanPart,
): Promise<(item: PlanItem) => boolean> {
  if (flow !== undefined && !isFlow(flow)) {
    throw new UsageError(`there is no flow ${flow}: flows are ${Object.keys(FLOWS).join(', ')}`);
  }
  const isMeant: ((item: PlanItem) => boolean)[] = flow === undefined ? [] : [(item) => item.flow === flow];
  if (sku !== undefined) {
    const named = (await store.erp.productsBySku(account, sku)).map(({ id }) => id);
    const meant = named.length > 0 ? null : await findEntity(store, account, sku, 'product');
    const ids = new Set(meant?.erpId == null ? named : [meant.erpId]);
    if (ids.size === 0) throw new UsageError(await noSku({ account, store }, sku));
    isMeant.push((item) => isAbout(item.flow, 'product') && ids.has(item.key));
  }
  if (order !== undefined) {
    const meant = await findEntity(store, account, order, 'order');
    if (meant === null) throw new UsageError(noOrder(account, order));
    const ids = [meant.marketplaceId, meant.erpId];
    isMeant.push((item) => isAbout(item.flow, 'order') && ids.includes(item.key));
  }
  return (item) => isMeant.every((is) => is(item));
}

async function noSku({ account, store }: Pick<Known, 'account' | 'store'>, sku: string): Promise<string> {
  const { count } = await misfitsOf(account, store);
  const unread = count === 0 ? '' : `; ${counted(count, 'row')} cannot be read: "stockbridge status --all" shows each`;
  return `the ERP of ${account} shows no product with SKU ${sku}${unread}`;
}

function noOrder(account: string, order: string): string {
  const short = order.length < SHORTEST ? `; a beginning of a name has ${SHORTEST} characters or more` : '';
  return `no order of ${account} is called ${order} on either side${short}`;
}

function isAbout(flow: FlowName, kind: MappingKind): boolean {
  return FLOWS[flow].links === kind;
}
