import { counted } from '../domain/counted.ts';
import { FLOWS, type FlowName, isFlow } from '../flows/flows.ts';
import type { AccountRecords } from '../shadow/context.ts';
import type { MappingKind } from '../store/links.ts';
import { findEntity, SHORTEST } from './entity.ts';
import { UsageError } from './faults.ts';
import { invalidRowsOf } from './invalid-rows.ts';
import type { PlanItem } from './plan-item.ts';
import type { RequestedEntities } from './rehearsal/entities-to-rehearse.ts';

/** The wanted part of a plan; by default all. */
export interface PlanPart {
  readonly flow?: string | undefined;
  readonly sku?: string | undefined;
  readonly order?: string | undefined;
}

interface PartOfPlan {
  readonly includes: (item: PlanItem) => boolean;
  /** null: no entity was named. */
  readonly asked: RequestedEntities | null;
}

export function isSingleEntity({ sku, order }: PlanPart): boolean {
  return sku !== undefined || order !== undefined;
}

/**
 * Resolves the names before the slow planning.
 * @throws UsageError for an unknown flow, product or order, NotFound for an ambiguous name
 */
export async function partOf(known: Pick<AccountRecords, 'account' | 'store'>, part: PlanPart): Promise<PartOfPlan> {
  const { flow, sku, order: name } = part;
  if (flow !== undefined && !isFlow(flow)) {
    throw new UsageError(`there is no flow ${flow}: flows are ${Object.keys(FLOWS).join(', ')}`);
  }
  const isMeant: ((item: PlanItem) => boolean)[] = flow === undefined ? [] : [(item) => item.flow === flow];
  const products = sku === undefined ? new Set<string>() : await productsNamed(known, sku);
  if (sku !== undefined) isMeant.push((item) => isAbout(item.flow, 'product') && products.has(item.key));
  const order = name === undefined ? null : await orderNamed(known, name);
  if (order !== null) {
    const ids = [order.number, order.erpId];
    isMeant.push((item) => isAbout(item.flow, 'order') && ids.includes(item.key));
  }
  return {
    includes: (item) => isMeant.every((is) => is(item)),
    asked: isSingleEntity(part) ? { products, order } : null,
  };
}

async function productsNamed(
  { account, store }: Pick<AccountRecords, 'account' | 'store'>,
  sku: string,
): Promise<Set<string>> {
  const named = (await store.erp.productsBySku(account, sku)).map(({ id }) => id);
  const meant = named.length > 0 ? null : await findEntity(store, account, sku, 'product');
  const ids = new Set(meant?.erpId == null ? named : [meant.erpId]);
  if (ids.size === 0) throw new UsageError(await noSku({ account, store }, sku));
  return ids;
}

async function orderNamed({ account, store }: Pick<AccountRecords, 'account' | 'store'>, name: string) {
  const meant = await findEntity(store, account, name, 'order');
  if (meant === null) throw new UsageError(noOrder(account, name));
  return { number: meant.marketplaceId, erpId: meant.erpId };
}

async function noSku({ account, store }: Pick<AccountRecords, 'account' | 'store'>, sku: string): Promise<string> {
  const { count } = await invalidRowsOf(account, store);
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
