import type { Link, Mapping } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import type { Store } from '../../store/store.ts';
import { accountFor } from '../accounts.ts';
import { eachRow } from '../each-row.ts';
import { NotFound, UsageError } from '../faults.ts';
import type { Opened } from '../open.ts';
import { missingOfOrder, type ProductPair, readProductPair } from './afresh.ts';
import { againstLink } from './contradictions.ts';
import { erpIdProblem, type MappingKind, marketplaceIdProblem } from './ids.ts';

const PAGE = 500;

export interface Linking {
  readonly account: string;
  readonly kind: MappingKind;
  readonly marketplaceId: string;
  readonly erpId: string | undefined;
  /** Instead of a product's ERP id. */
  readonly sku: string | undefined;
  /** Whether to replace conflicting links; `ask`: they count as reasons against the link. */
  readonly replace: boolean | 'ask';
}

interface Linked {
  readonly erpId: string;
  readonly outcome: Awaited<ReturnType<Store['links']['link']>>;
  /** Other ERP orders with the same number, left unchanged. */
  readonly left: readonly string[];
  /** Links removed for this one. */
  readonly takenAway: readonly (Ids & { readonly kind: MappingKind })[];
  /** Listings and products that lost their links. */
  readonly replaced: readonly LeftBehind[];
}

/**
 * The other candidates and what to do about them; null: none.
 * @param kind of the create, such as `order-in`
 * @param makes what such a create creates
 */
export function remainingText(kind: string, makes: string, left: readonly string[]): string | null {
  return left.length === 0 ? null : `left as it is: ${makes} ${left.join(', ')}: ${adviceOf(kind)}`;
}

function adviceOf(kind: string): string {
  if (kind === 'order-in') return 'cancel it in the ERP, or the goods may be shipped twice';
  if (kind === 'order-out') return "it goes into the ERP as a buyer's: cancel it there if it is not one";
  return 'take it away there if it stands for the same';
}

/** An active listing without a link, or a product without a listing. */
export type LeftBehind = { readonly listing: StoredProduct } | { readonly product: string };

/**
 * Links two entities after reading both.
 * @param isMeant asks whether to link despite these reasons, with the links that would be removed
 * @throws NotFound for an unknown id
 * @returns null: not confirmed
 */
export async function linkEntities(
  opened: Opened,
  linking: Linking,
  isMeant: (contradictions: readonly string[], replaced: readonly Ids[]) => Promise<boolean>,
  signal: AbortSignal,
): Promise<Linked | null> {
  const { config, store, by } = opened;
  const { account, kind, marketplaceId, replace } = linking;
  const erpId = await erpIdOf(store, linking);
  const problem = marketplaceIdProblem(kind, marketplaceId) ?? erpIdProblem(erpId);
  if (problem !== null) throw new UsageError(await withMeantListing(store, linking, problem));
  const ids = { marketplaceId, erpId };
  const against: string[] = [];
  if (kind === 'product') {
    const pair = await readProductPair(opened, accountFor(config, account), ids, signal);
    against.push(...(await againstLink(store, account, await requirePair(store, account, ids, pair))));
  } else await requireSeen(opened, { account, kind, ...ids }, signal);
  const inTheWay = await linksInTheWay(store, { account, kind, ...ids });
  const behind = await leftBehind(store, inTheWay, ids);
  if (replace === 'ask') against.unshift(...inTheWay.map(takenAway), ...behind.map(leftBehindText));
  if (against.length > 0 && !(await isMeant(against, inTheWay.map(idsOf)))) return null;
  const outcome = await store.links.link({ account, kind, ...ids, how: 'operator' }, replace !== false, by);
  const beside = kind === 'order' ? await store.erp.otherOrders(account, ids) : [];
  const replaced = outcome === 'linked' ? behind : [];
  const gone = outcome === 'linked' ? inTheWay.map((one) => ({ kind, ...idsOf(one) })) : [];
  return { erpId, outcome, left: beside.map(({ id }) => id), takenAway: gone, replaced };
}

/** @throws NotFound, or UsageError for a SKU given as an id */
async function requirePair(
  store: Store,
  account: string,
  { marketplaceId, erpId }: Ids,
  { listing, product }: ProductPair,
): Promise<{ readonly [Side in keyof ProductPair]: NonNullable<ProductPair[Side]> }> {
  const [named, another] = product === null ? await store.erp.productsBySku(account, erpId) : [];
  if (named !== undefined) {
    const meant = another === undefined ? `name ${named.id} instead` : 'several products have it';
    throw new UsageError(`${erpId} is a SKU, that of ERP product ${named.id}: ${meant}. Nothing was linked`);
  }
  if (product === null) throw new NotFound(`the ERP has no product ${erpId}: nothing was linked`);
  if (listing === null) {
    const message = `the marketplace has no listing ${marketplaceId}`;
    throw new NotFound(`${await withListingOfSku(store, account, marketplaceId, message)}. Nothing was linked`);
  }
  return { listing, product };
}

async function withMeantListing(store: Store, { account, kind, marketplaceId }: Linking, problem: string) {
  return kind === 'product' ? withListingOfSku(store, account, marketplaceId, problem) : problem;
}

async function withListingOfSku(store: Store, account: string, sku: string, message: string): Promise<string> {
  const id = await listingWithSku(store, account, sku);
  return id === null ? message : `${message}; it is the SKU of listing ${id}: name ${id}`;
}

async function listingWithSku(store: Store, account: string, sku: string): Promise<number | null> {
  if (sku === '') return null;
  for await (const listing of eachRow<StoredProduct>((last) => store.products.list(account, last?.id ?? 0, PAGE)))
    if (listing.sku === sku) return listing.id;
  return null;
}

type Ids = Pick<Link, 'marketplaceId' | 'erpId'>;

const idsOf = ({ marketplaceId, erpId }: Mapping): Ids => ({ marketplaceId: marketplaceId ?? '', erpId: erpId ?? '' });

/** @throws NotFound for an unknown id */
async function requireSeen(opened: Opened, link: Omit<Link, 'how'>, signal: AbortSignal): Promise<void> {
  const missing =
    link.kind === 'order'
      ? await missingOfOrder(opened, accountFor(opened.config, link.account), link, signal)
      : await unseenOf(opened.store, link);
  if (missing.length > 0) throw new NotFound(`there is no ${missing.join(', and no ')}: nothing was linked`);
}

/** What happens to an entity that lost its link. */
export function leftBehindText(one: LeftBehind): string {
  if ('product' in one) {
    return `ERP product ${one.product} is left without a listing: a new one is created, unless you link another`;
  }
  const { id, sku } = one.listing;
  const stays = 'stays on sale with its price and stock, and nothing keeps them right';
  return `Listing ${id} (${sku ?? 'no SKU'}) ${stays}: archive it on the marketplace, or link it to its product`;
}

function takenAway({ kind, marketplaceId, erpId }: Mapping): string {
  const half = kind === 'product' ? 'Listing' : `The marketplace's ${kind}`;
  return `${half} ${marketplaceId} is linked to ERP ${kind} ${erpId}: this link would be taken away`;
}

async function linksInTheWay(store: Store, { account, kind, marketplaceId, erpId }: Omit<Link, 'how'>) {
  const found = [
    await store.mappings.byMarketplaceId(account, kind, marketplaceId),
    await store.mappings.byErpId(account, kind, erpId),
  ];
  return found
    .filter((one) => one !== null)
    .filter((one) => one.state === 'linked' && (one.marketplaceId !== marketplaceId || one.erpId !== erpId));
}

/** A listing without its link is still sold; a product without its listing is listed again. */
async function leftBehind(store: Store, replaced: readonly Mapping[], link: Ids): Promise<LeftBehind[]> {
  const left: LeftBehind[] = [];
  for (const { kind, account, marketplaceId, erpId } of replaced) {
    if (kind !== 'product') continue;
    const listing = await store.products.get(account, Number(marketplaceId));
    if (marketplaceId !== link.marketplaceId && listing !== null && !listing.archived) left.push({ listing });
    if (erpId !== null && erpId !== link.erpId) left.push({ product: erpId });
  }
  return left;
}

async function erpIdOf(store: Store, { account, kind, erpId, sku }: Linking): Promise<string> {
  if (erpId !== undefined && sku === undefined) return erpId;
  if (erpId !== undefined || sku === undefined || kind !== 'product') {
    throw new UsageError('name the ERP id, or for a product its SKU instead');
  }
  const found = await store.erp.productsBySku(account, sku);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only === undefined) {
    throw new NotFound(`no product of the ERP has SKU ${sku}, as far as it was read: name its ERP id instead`);
  }
  const named = found.map(({ id }) => id).join(', ');
  throw new NotFound(`${found.length} products of the ERP have SKU ${sku}: name the ERP id of one (${named})`);
}

/** Ids missing from a list, for kinds that cannot be read singly. */
async function unseenOf(store: Store, { account, kind, marketplaceId, erpId }: Omit<Link, 'how'>): Promise<string[]> {
  // Customer lists are read only for customer flows.
  if (kind === 'customer' && (await store.customers.count(account)) === 0) return [];
  if (kind === 'product' || kind === 'order') return [];
  const { onMarketplace, inErp } = SIDES[kind];
  const seen = [
    [`${kind} ${marketplaceId} on the marketplace`, await onMarketplace(store, account, marketplaceId)],
    [`${kind} ${erpId} in the ERP`, await inErp(store, account, erpId)],
  ] as const;
  return seen.filter(([, found]) => found === null).map(([what]) => what);
}

type Find = (store: Store, account: string, id: string) => Promise<object | null>;

const SIDES: Readonly<
  Record<'customer' | 'payment' | 'batch', { readonly onMarketplace: Find; readonly inErp: Find }>
> = {
  customer: {
    onMarketplace: ({ customers }, account, id) => customers.get(account, Number(id)),
    inErp: ({ erp }, account, id) => erp.customer(account, id),
  },
  batch: {
    onMarketplace: ({ batches }, account, id) => batches.get(account, Number(id)),
    inErp: ({ erp }, account, id) => erp.lot(account, id),
  },
  payment: {
    onMarketplace: ({ payments }, account, id) => payments.get(account, id),
    inErp: ({ erp }, account, id) => erp.payment(account, id),
  },
};
