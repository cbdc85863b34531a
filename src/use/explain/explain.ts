import type { Pages } from '../../config/pages.ts';
import type { AccountConfig, Config } from '../../config/resolve.ts';
import { descriptorOf, FLOW_NAMES, FLOWS, isFlow } from '../../flows/flows.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import type { EntityIds } from '../../store/entities.ts';
import type { MappingKind } from '../../store/links.ts';
import type { Store } from '../../store/store.ts';
import type { WorkKey } from '../../store/work.ts';
import { accountsFor, leftOutNames } from '../accounts.ts';
import { awayOf } from '../away.ts';
import { findEntity, keyIn } from '../entity.ts';
import { AccountUnusable, NotFound, UsageError } from '../faults.ts';
import { type Dossier, dossierOf, type Shown, sidesOf } from '../jobs/dossier.ts';
import { isDoubt } from '../jobs/shown.ts';
import { listsKnown } from '../lists-known.ts';
import type { Opened } from '../open.ts';
import { answerOf, answerText, type Beside, type Words } from './answer.ts';
import type { Explanation, Related, StockSum } from './explanation.ts';
import { facilitiesNow } from './facility-now.ts';
import { flowNow } from './flows-now.ts';
import { historyText } from './history.ts';
import { idleOf } from './idle.ts';
import { sidesNow, sidesThen } from './sides.ts';
import { stockNow, stockThen } from './stock.ts';
import { MOST_TOLD, type Subject, storyOf } from './story.ts';

export interface ExplainRequest {
  /** The SKU, a number or id of either side, or an unambiguous beginning. */
  readonly name: string;
  readonly account?: string | undefined;
  /** For names that fit several kinds. */
  readonly kind?: MappingKind | undefined;
  /** Epoch milliseconds in the past. The default is now. */
  readonly atMs?: number | undefined;
  /** The default is the terminal. */
  readonly words?: Words | undefined;
}

/**
 * Why an entity is in its state, now or at a past moment. Reads only records.
 * @throws NotFound for an unknown or ambiguous name
 */
export async function explainEntity(opened: Opened, asked: ExplainRequest, nowMs = Date.now()): Promise<Explanation> {
  const { atMs } = asked;
  if (atMs !== undefined && atMs > nowMs) throw new UsageError('that moment is in the future');
  const { config, ids } = await entityAsked(opened, asked);
  const context: AccountRecords = { account: config.name, config, store: opened.store, now: () => nowMs };
  const keys = keysOf(context, ids);
  const dossiers = (await Promise.all(keys.map((key) => dossierOf(opened.store, key)))).filter((one) =>
    isTold(config, one),
  );
  const subject: Subject = { ...ids, keys, skus: await skusOf(context, ids) };
  const story = await storyOf(context, subject, atMs ?? nowMs);
  const isPast = atMs !== undefined;
  const shown = await sidesOf(opened.store, config.name, ids);
  const oldest = story.at(-1) ?? (isPast ? (await storyOf(context, subject, nowMs)).at(-1) : undefined);
  const told = {
    account: config.name,
    ...ids,
    name: nameOf(ids, shown),
    at: new Date(atMs ?? nowMs).toISOString(),
    isPast,
    away: isPast ? null : await awayNow(context),
    sides: isPast ? await sidesThen(context, ids, atMs) : await sidesNow(context, ids, shown),
    pages: pagesOf(config.pages, ids),
    link: linkOf(dossiers),
    stock: await stockOf(context, ids, atMs),
    facilities: isPast || ids.kind !== 'product' || ids.erpId === null ? [] : await facilitiesNow(context, ids.erpId),
    flows: isPast ? [] : await flowsNow(context, opened.config.mode === 'dry-run', dossiers),
    story: story.slice(0, MOST_TOLD),
    hasMore: story.length > MOST_TOLD,
    recordedFrom: oldest?.at ?? null,
    unknown: isPast ? await unknownThen(context, ids.kind, atMs) : [],
    related: await relatedTo(context, ids),
  };
  const words = asked.words ?? 'terminal';
  const parts = answerOf(told, isPast ? null : await besideOf(context, ids, words), words);
  return { ...told, answer: answerText(parts), parts };
}

async function besideOf(context: AccountRecords, ids: EntityIds, words: Words): Promise<Beside> {
  const known = await listsKnown(context, ids.kind);
  return { history: await historyText(context, ids), idle: await idleOf(context, ids, known, words), known };
}

function pagesOf({ marketplace, erp }: Pages, { kind, marketplaceId, erpId }: EntityIds): Explanation['pages'] {
  const page = (template: string | undefined, id: string | null) =>
    template === undefined || id === null ? null : template.replaceAll('{id}', () => encodeURIComponent(id));
  return { marketplace: page(marketplace[kind], marketplaceId), erp: page(erp[kind], erpId) };
}

async function awayNow({ account, store }: AccountRecords): Promise<Explanation['away']> {
  const away = await awayOf(account, store);
  if (away === null) return null;
  return { side: away.side, since: new Date(away.sinceMs).toISOString(), refuses: away.refuses === true };
}

async function entityAsked(
  { config, store }: Opened,
  { name, account, kind }: ExplainRequest,
): Promise<{ config: AccountConfig; ids: EntityIds }> {
  const found: { config: AccountConfig; ids: EntityIds }[] = [];
  for (const one of accountsFor(config, account)) {
    const ids = await findEntity(store, one.name, name, kind ?? null);
    if (ids !== null) found.push({ config: one, ids });
  }
  const [only, another] = found;
  if (only === undefined) await refuseLeftOut(config, store, { name, kind });
  if (only === undefined)
    throw new NotFound(`nothing with the name ${name} is found. Check the spelling. It may not have been read yet`);
  if (another === undefined) return only;
  throw new NotFound(`${name} is in several accounts: name one: ${found.map((one) => one.config.name).join(', ')}`);
}

/** @throws AccountUnusable when the entity is in an account without usable settings, which an explanation needs */
async function refuseLeftOut(config: Config, store: Store, { name, kind }: ExplainRequest): Promise<void> {
  for (const account of leftOutNames(config)) {
    if ((await findEntity(store, account, name, kind ?? null)) === null) continue;
    const problem = config.unusable.find((one) => one.account === account)?.problem ?? '';
    const instead = `"stockbridge journal --account ${account} --key ${name}" shows what was written`;
    throw new AccountUnusable(`${name} is of account ${account}, which cannot be used: ${problem}. ${instead}`);
  }
}

function keysOf({ account }: AccountRecords, ids: EntityIds): WorkKey[] {
  return FLOW_NAMES.flatMap((flow) => {
    const key = descriptorOf(flow).links === ids.kind ? keyIn(flow, ids) : null;
    return key === null ? [] : [{ account, flow, key }];
  });
}

/** Whether a flow is shown: it is on, or has left work for a person. */
function isTold(config: AccountConfig, { target: { flow }, failed, creates, work }: Dossier): boolean {
  const isOn = isFlow(flow) && FLOWS[flow].isOn(config);
  return isOn || failed !== null || creates.some((intent) => isDoubt(intent, work));
}

async function skusOf({ account, store }: AccountRecords, { kind, erpId }: EntityIds): Promise<string[]> {
  if (kind !== 'product' || erpId === null) return [];
  const product = await store.erp.product(account, erpId);
  return product === null ? [] : [product.sku, ...(await store.erp.formerSkus(account, erpId))];
}

function flowsNow(context: AccountRecords, dryRun: boolean, dossiers: readonly Dossier[]) {
  return Promise.all(dossiers.map((dossier) => flowNow(context, dryRun, dossier)));
}

async function stockOf(
  context: AccountRecords,
  { kind, erpId }: EntityIds,
  atMs: number | undefined,
): Promise<StockSum | null> {
  if (kind !== 'product' || erpId === null) return null;
  return atMs === undefined ? stockNow(context, erpId) : stockThen(context, erpId, atMs);
}

function linkOf(dossiers: readonly Dossier[]): Explanation['link'] {
  const link = dossiers.find((one) => one.link !== null)?.link ?? null;
  return link === null ? null : { state: link.state, how: link.how };
}

function nameOf(
  { marketplaceId, erpId }: EntityIds,
  { marketplace, erp }: Pick<Dossier, 'marketplace' | 'erp'>,
): string {
  const named = textIn(erp, 'sku') ?? textIn(marketplace, 'sku') ?? textIn(marketplace, 'number');
  return named ?? textIn(marketplace, 'name') ?? textIn(erp, 'name') ?? marketplaceId ?? erpId ?? '';
}

function textIn(shown: Shown | null, field: string): string | null {
  const text = shown?.[field];
  return typeof text === 'string' ? text : null;
}

const NOT_KEPT: Readonly<Record<MappingKind, string>> = {
  product:
    "The record of the past keeps the ERP's available figure, the orders and the writes: neither its figures on hand and reserved, " +
    'nor reservations that no known order explains. The buffer is that of the configuration now.',
  order: 'The record of an order keeps its statuses on both sides and the writes: neither its lines nor its amounts.',
  customer: 'The record of a customer keeps only the writes and the decisions.',
  payment: 'The record of a payment keeps only the writes and the decisions.',
  batch: 'The record of a batch keeps only the writes and the decisions.',
};

/** What the records of the past lack, in sentences. */
async function unknownThen(
  { account, store, config }: AccountRecords,
  kind: MappingKind,
  atMs: number,
): Promise<string[]> {
  const changedAtMs = kind === 'product' ? await store.history.strategyChangedAtMs(account) : null;
  const isChanged = changedAtMs !== null && changedAtMs > atMs;
  const changed = `The strategy has changed since: the sum is by ${config.inventory.strategy}, which came at `;
  return [NOT_KEPT[kind], ...(isChanged ? [`${changed}${new Date(changedAtMs).toISOString()}.`] : [])];
}

const MOST_RELATED = 50;

/** Entities to which it belongs, or which belong to it. */
async function relatedTo(context: AccountRecords, { kind, marketplaceId }: EntityIds): Promise<Related[]> {
  if (marketplaceId === null) return [];
  if (kind === 'order') return ofOrder(context, marketplaceId);
  if (kind === 'product') return ordersOf(context, Number(marketplaceId));
  return kind === 'payment' ? orderOf(context, marketplaceId) : [];
}

async function ofOrder({ account, store }: AccountRecords, number: string): Promise<Related[]> {
  const stored = await store.orders.get(account, number);
  if (stored === null) return [];
  const { customer } = stored.order;
  const ids = [...new Set((stored.lines ?? []).map(({ productId }) => productId))].slice(0, MOST_RELATED);
  const listings = await Promise.all(ids.map((id) => store.products.get(account, id)));
  const products = ids.map((id, index): Related => {
    const { sku = null, name = null } = listings[index] ?? {};
    return { kind: 'product', name: sku ?? String(id), text: name ?? `listing ${id}` };
  });
  if (customer.id === null) return products;
  return [...products, { kind: 'customer', name: String(customer.id), text: customer.name ?? 'customer' }];
}

async function ordersOf({ account, store }: AccountRecords, listingId: number): Promise<Related[]> {
  const lines = await store.orders.liveLines(account, listingId);
  const numbers = [...new Set(lines.map(({ number }) => number))].slice(0, MOST_RELATED);
  return numbers.map((number) => ({ kind: 'order', name: number, text: `order ${number}` }));
}

async function orderOf({ account, store }: AccountRecords, paymentId: string): Promise<Related[]> {
  const number = (await store.payments.get(account, paymentId))?.orderNumber;
  return number == null ? [] : [{ kind: 'order', name: number, text: `order ${number}` }];
}
