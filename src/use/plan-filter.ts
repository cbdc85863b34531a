import { counted } from '../domain/counted.ts';
import { FLOWS, type FlowName, isFlow } from '../flows/flows.ts';
import type { Known } from '../shadow/context.ts';
import type { MappingKind } from '../store/links.ts';
import { UsageError } from './faults.ts';
import { misfitsOf } from './misfits.ts';
import type { PlanItem } from './plan-item.ts';

/** The part of a plan that somebody asks for; all of it where nothing is named. */
export interface PlanPart {
  readonly flow?: string;
  /** Of the ERP's product. */
  readonly sku?: string;
  /** An order's number on the marketplace or its id in the ERP, or a beginning of either with SHORTEST characters or more. */
  readonly order?: string;
}

const SHORTEST = 4;

/**
 * Whether an item belongs to the part. A plan takes a while, so this is made before it.
 * @throws UsageError for a flow that does not exist, a SKU that the ERP does not have, and too short a beginning
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
    const ids = new Set((await store.erp.productsBySku(account, sku)).map(({ id }) => id));
    if (ids.size === 0) throw new UsageError(await noSku({ account, store }, sku));
    isMeant.push((item) => isAbout(item.flow, 'product') && ids.has(item.key));
  }
  if (order !== undefined) {
    const names = await namesOfOrder({ account, store }, order);
    isMeant.push((item) => isAbout(item.flow, 'order') && names.some((name) => item.key.startsWith(name)));
  }
  return (item) => isMeant.every((is) => is(item));
}

async function noSku({ account, store }: Pick<Known, 'account' | 'store'>, sku: string): Promise<string> {
  const { count } = await misfitsOf(account, store);
  const unread = count === 0 ? '' : `; ${counted(count, 'row')} cannot be read: "stockbridge status --all" shows each`;
  return `the ERP of ${account} shows no product with SKU ${sku}${unread}`;
}

/** A whole id names the order on both sides, once it is linked. */
async function namesOfOrder({ account, store }: Pick<Known, 'account' | 'store'>, order: string): Promise<string[]> {
  const [there, here] = [
    await store.mappings.byMarketplaceId(account, 'order', order),
    await store.mappings.byErpId(account, 'order', order),
  ];
  const linked = [there?.erpId, here?.marketplaceId].filter((id) => id != null);
  if (linked.length === 0 && order.length < SHORTEST) {
    throw new UsageError(`${order} is too short for the beginning of an order: give ${SHORTEST} characters or more`);
  }
  return [order, ...linked];
}

function isAbout(flow: FlowName, kind: MappingKind): boolean {
  return FLOWS[flow].links === kind;
}
