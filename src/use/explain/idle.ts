import { counted } from '../../domain/counted.ts';
import { isDead, rankOf, statusOfRank } from '../../domain/status.ts';
import { isExported, STRATEGIES } from '../../domain/strategy.ts';
import { FLOW_NAMES, FLOWS } from '../../flows/flows.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { ListsKnown } from '../lists-known.ts';
import type { Going, Words } from './answer.ts';

/** What is true of an entity for which nothing is to be written, although the two sides are not in step about it; null: they are. */
export async function idleOf(
  context: AccountRecords,
  ids: EntityIds,
  known: ListsKnown,
  words: Words,
): Promise<Going | null> {
  if (ids.kind === 'product') return listingAlone(context, ids, known, words);
  if (ids.kind === 'order') return orderAlone(context, ids);
  const isOn = FLOW_NAMES.some((flow) => FLOWS[flow].links === ids.kind && FLOWS[flow].isOn(context.config));
  const name = NAMES[ids.kind];
  return isOn ? null : { why: '', next: `By the settings, ${name} stay as they are on both sides.` };
}

const NAMES = { customer: 'customers', payment: 'payments', batch: 'batches' } as const;

/** A listing without a link: nothing keeps it right, and orders may wait for its link. */
async function listingAlone(
  { account, store }: AccountRecords,
  { marketplaceId, erpId }: EntityIds,
  known: ListsKnown,
  words: Words,
): Promise<Going | null> {
  if (marketplaceId === null || erpId !== null) return null;
  const listing = await store.products.get(account, Number(marketplaceId));
  if (listing === null) return null;
  if (!known.links)
    return { why: '', next: 'Its product is looked for when both sides have been read to the end and compared.' };
  const left = listing.archived ? 'it stays archived' : 'its price and stock stay as they are';
  const [row] = await store.unlinked.listings(account, listing.id - 1, 1);
  if (row?.id === listing.id && row.isApart)
    return { why: `Somebody said that it is no product of the ERP, so ${left}.`, next: '' };
  const waiting = await waitingFor({ account, store }, listing.id);
  const orders = waiting === 0 ? '' : ` ${counted(waiting, 'order')} ${waiting === 1 ? 'waits' : 'wait'} for the link.`;
  const link =
    words === 'screen'
      ? 'Link it to its product.'
      : `Link it to its product: stockbridge map link product ${listing.id} ERP_ID`;
  return { why: `It is linked to no product of the ERP, so ${left}.${orders}`, next: link };
}

/** The number of orders that are held until the listing is linked. */
async function waitingFor({ account, store }: Pick<AccountRecords, 'account' | 'store'>, id: number): Promise<number> {
  const numbers = new Set((await store.orders.liveLines(account, id)).map(({ number }) => number));
  const works = await Promise.all([...numbers].map((key) => store.work.get({ account, flow: 'order-in', key })));
  return works.filter((work) =>
    work?.heldFor?.some(({ code, params }) => code === 'product-unlinked' && params.product === id),
  ).length;
}

/** An order that is on one side alone, as it should be: so far, or for good. */
async function orderAlone(
  { account, store, config }: AccountRecords,
  { marketplaceId, erpId }: EntityIds,
): Promise<Going | null> {
  if (marketplaceId === null) {
    const order = erpId === null ? null : await store.erp.order(account, erpId);
    if (order?.origin !== 'erp' || config.orders.fromErp !== null) return null;
    return { why: '', next: 'By the settings, orders that are made in the ERP are not entered on the marketplace.' };
  }
  const link = await store.mappings.byMarketplaceId(account, 'order', marketplaceId);
  const status = (await store.orders.get(account, marketplaceId))?.order.status;
  if (link !== null || status === undefined) return null;
  const isThere = (await store.erp.ordersByReference(account, marketplaceId)).length > 0;
  if (isDead(status)) return isThere ? null : { why: '', next: 'It is over, and was never entered in the ERP.' };
  const strategy = STRATEGIES[config.inventory.strategy];
  if (rankOf(status) === null || isExported(strategy, status)) return null;
  const from = statusOfRank(strategy.exportFromRank);
  return { why: '', next: `It waits: it is entered in the ERP once it is ${from} on the marketplace.` };
}
