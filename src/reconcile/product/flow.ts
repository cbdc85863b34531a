import type { Decimal } from '../../domain/decimal.ts';
import { CallFailure, NEEDS_MENDING } from '../../domain/failure.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import { writeDecimal } from '../../marketplace/entities/amounts.ts';
import { readProduct } from '../../marketplace/entities/product.ts';
import { parseJson } from '../../marketplace/operations/wire.ts';
import type { Answer } from '../../marketplace/request.ts';
import { erpMisfitOf } from '../../reading/erp-misfits.ts';
import { areListingsCurrent } from '../../reading/listings-known.ts';
import { recordProductPage, shownAsArchived } from '../../reading/shadow.ts';
import { CONFIRMED_ABSENCES, type StoredErpProduct } from '../../store/erp-products.ts';
import type { StoredProduct } from '../../store/product-rows.ts';
import { afterWrite } from '../after-write.ts';
import type { AccountContext, Look } from '../context.ts';
import { createOnce } from '../create-once.ts';
import type { Applied, Flow } from '../flow.ts';
import { decideProduct, type Listing, type ProductAction, type ProductSnapshot } from './decide.ts';
import { type Echoes, echoesOf, type WireFields } from './fields.ts';
import { createLine } from './lines.ts';
import { mappedNames, sendsExternalIds, wantedOf, withoutLeftOut } from './wanted.ts';

/** Fact that says that every listing has been read at least once. */
export const LISTINGS_KNOWN = 'listings-known';

/** Keeps listings in step with the ERP's products. Its key is the ERP's product id. */
export const productFlow: Flow<ProductSnapshot, ProductAction> = {
  name: 'product',
  decide: decideProduct,
  apply: applyProduct,

  async observe(context, look, fresh) {
    const snapshot = await observeProduct(context, look.key);
    if (!fresh || !isToBeListed(snapshot)) return snapshot;
    const unread = await readListingsFirst(context, look);
    return { ...(await observeProduct(context, look.key)), listingsUnread: unread };
  },
};

/** One whose create is in doubt is looked up by itself. */
function isToBeListed(snapshot: ProductSnapshot): boolean {
  if (snapshot.linked !== null || snapshot.createInDoubt) return false;
  return decideProduct(snapshot).actions.some(({ action }) => action === 'product.create');
}

/**
 * Somebody may have listed it by hand meanwhile. One read does for all that the ERP has told of before it.
 * @returns why the listings cannot be read
 * @throws CallFailure when the marketplace does not answer now
 */
async function readListingsFirst(context: AccountContext, look: Look): Promise<string | null> {
  try {
    const isStale = async () => !(await areListingsCurrent(context));
    if (await isStale()) await context.readNow('products', look, isStale);
    return null;
  } catch (error) {
    if (!(error instanceof CallFailure) || !NEEDS_MENDING.includes(error.kind)) throw error;
    // Not the product's own failure: it waits until that is mended.
    return error.message;
  }
}

async function observeProduct(context: AccountContext, key: string): Promise<ProductSnapshot> {
  const { account, config, store } = context;
  const erp = await store.erp.product(account, key);
  const mapping = await store.mappings.byErpId(account, 'product', key);
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  const linked = linkedId === null ? null : { id: linkedId, listing: await findListing(context, linkedId) };
  const stock = await store.erp.stock(account, key);
  const side = erp === null ? null : await erpSide(context, erp);
  const wanted = erp === null || side === null ? null : await wantedOf(context, erp, side.sold);
  return {
    erp: side,
    erpMisfit: await erpMisfitOf(context, 'erp-products', key),
    linked,
    candidates: erp === null || linked !== null ? { byExternalId: [], bySku: [] } : await candidates(context, erp),
    listingsUnread: null,
    listingsKnown: (await store.facts.get(account, LISTINGS_KNOWN)) !== null,
    createInDoubt: (await store.intents.unsettled({ account, kind: 'product', key })) !== null,
    wanted: wanted?.fields ?? {},
    wantedProblem: wanted?.problem ?? null,
    missingLine: wanted?.missingLine ?? null,
    createFields: {
      ...createFields(config, stock?.problem === null ? stock.available : null),
      ...wanted?.createOnly,
    },
    restoreFields: config.products.restoreFields,
    echoes: mapping === null ? {} : (JSON.parse(mapping.echoes) as Echoes),
    rules: { create: config.products.create, archive: config.products.archive, currency: config.currency },
  };
}

async function erpSide(
  { account, store }: AccountContext,
  erp: StoredErpProduct,
): Promise<NonNullable<ProductSnapshot['erp']>> {
  return {
    id: erp.id,
    sku: erp.sku,
    sold: erp.active && !erp.deleted && erp.absences === 0,
    missing: erp.active && !erp.deleted && erp.absences > 0 && erp.absences < CONFIRMED_ABSENCES,
    price: erp.price,
    twins: (await store.erp.productsBySku(account, erp.sku)).length,
  };
}

async function findListing(context: AccountContext, id: number): Promise<Listing | null> {
  const stored = await context.store.products.get(context.account, id);
  return stored === null ? null : toListing(context, stored);
}

async function toListing({ account, store }: AccountContext, stored: StoredProduct): Promise<Listing> {
  const raw = await store.products.raw(account, stored.id);
  const misfit = await store.misfits.get(account, 'products', String(stored.id));
  return {
    id: stored.id,
    sku: stored.sku,
    externalId: stored.externalId,
    archived: stored.archived,
    misfit: misfit === null ? null : `${misfit.path}: ${misfit.message}`,
    price: stored.price ?? null,
    fields: raw === null ? {} : (parseJson(raw) as WireFields),
  };
}

/** Listings that nobody is linked to. */
async function candidates(context: AccountContext, erp: StoredErpProduct): Promise<ProductSnapshot['candidates']> {
  const { account, store } = context;
  const free = async (found: readonly StoredProduct[]) => {
    const listings: Listing[] = [];
    for (const stored of found) {
      const taken = await store.mappings.byMarketplaceId(account, 'product', String(stored.id));
      if (taken === null) listings.push(await toListing(context, stored));
    }
    return listings;
  };
  return {
    byExternalId: await free(await store.products.byExternalId(account, erp.id)),
    bySku: await free(await store.products.bySku(account, erp.sku)),
  };
}

/** The initial inventory level is sent when the ERP says it: unknown is never zero. */
function createFields(config: AccountContext['config'], available: Decimal | null): WireFields {
  const isKnown = available !== null && magnitudeProblem(available) === null;
  // Where stock is kept by facility, it is set at each of them, once the listing is there.
  const level = isKnown && config.facilities === null ? available.minus(config.inventory.buffer) : null;
  return {
    ...config.products.createFields,
    ...withoutLeftOut(config, { seller: config.marketplace.sellerId }),
    ...(level === null || level.isNegative() ? {} : { quantity: writeDecimal(level) }),
  };
}

async function applyProduct(context: AccountContext, look: Look, action: ProductAction): Promise<Applied> {
  switch (action.action) {
    case 'product.link':
      return linkListing(context, look, action.listingId, action.how);
    case 'product-line.create':
      return createLine(context, look, action.line);
    case 'product.create':
      return createListing(context, look, action.fields, action.adoptOnly);
    case 'product.patch':
    case 'product.price':
      return patchListing(context, look, action.listingId, action.fields, {});
    case 'product.restore':
      return patchListing(context, look, action.listingId, action.fields, { archived: false });
    case 'product.archive':
      return archiveListing(context, look, action.listingId);
  }
}

async function linkListing(context: AccountContext, look: Look, id: number, how: string): Promise<Applied> {
  await context.store.mappings.link({
    account: context.account,
    kind: 'product',
    marketplaceId: String(id),
    erpId: look.key,
    how,
  });
  return { outcome: 'noted', answer: `linked by ${how}` };
}

/** @param known what the patch is sure to have set, where no row shows it */
async function patchListing(
  context: AccountContext,
  look: Look,
  id: number,
  fields: WireFields,
  known: WireFields,
): Promise<Applied> {
  const shown = await context.client.call('products.patch', { path: { id }, body: fields }, look);
  const answer = `listing ${id} patched`;
  await afterWrite(answer, async () => {
    await recordListing(context, look, shown, id, fields, known);
    await saveEchoes(context, look.key, fields);
  });
  return { outcome: 'written', answer };
}

/** Remembers what was sent and what the marketplace made of it. */
async function saveEchoes({ account, store }: AccountContext, key: string, sent: WireFields): Promise<void> {
  const mapping = await store.mappings.byErpId(account, 'product', key);
  if (mapping?.marketplaceId == null) return;
  const shown = await store.products.raw(account, Number(mapping.marketplaceId));
  const echo = shown === null ? {} : (parseJson(shown) as WireFields);
  const echoes = echoesOf(sent, echo, JSON.parse(mapping.echoes) as Echoes);
  await store.mappings.saveEchoes(mapping.id, JSON.stringify(echoes));
}

/** Answers need not show the whole listing (spec 1): what they do not show is read. */
async function recordListing(
  context: AccountContext,
  look: Look,
  answer: unknown,
  id: number,
  sent: WireFields,
  unshown: WireFields = {},
): Promise<void> {
  const row = answer as Answer<'products.list'> | null;
  const known = await context.store.products.raw(context.account, id);
  const isWhole =
    row !== null &&
    row.id === id &&
    typeof row.sku === 'string' &&
    row.quantity !== undefined &&
    mappedNames(context.config).every((name) => !Object.hasOwn(sent, name) || Object.hasOwn(row, name));
  if (isWhole) {
    await recordProductPage(
      context,
      { rows: [{ ...unshown, ...row }], misfits: [] },
      { window: null, lane: look.lane },
    );
  } else if (known !== null || row !== null) {
    await readListings(context, look, { id: String(id) }, unshown);
  }
}

async function readListings(
  context: AccountContext,
  look: Look,
  filter: Record<string, string | boolean>,
  unshown: WireFields = {},
): Promise<readonly Answer<'products.list'>[]> {
  const query = { ...filter, page: 1, page_size: 50 };
  const page = await context.client.list('products.list', { query }, look);
  const rows = page.rows.map((row) => {
    if (String(row.id) === filter['id']) return { ...unshown, ...row };
    return filter['archived'] === true ? shownAsArchived(row) : row;
  });
  await recordProductPage(context, { ...page, rows }, { window: null, lane: look.lane });
  return rows;
}

async function archiveListing(context: AccountContext, look: Look, id: number): Promise<Applied> {
  const answer = await context.client.call('products.archive', { path: { id } }, look);
  const raw = await context.store.products.raw(context.account, id);
  if (raw !== null) {
    const shown = isListing(answer, id) ? answer : (parseJson(raw) as Answer<'products.list'>);
    const row = { ...shown, archived: true, listing_state: 'Archived' };
    await recordProductPage(context, { rows: [row], misfits: [] }, { window: null, lane: look.lane });
  }
  return { outcome: 'written', answer: `listing ${id} archived` };
}

function isListing(answer: unknown, id: number): answer is Answer<'products.list'> {
  return typeof answer === 'object' && answer !== null && (answer as { id?: unknown }).id === id && 'sku' in answer;
}

/** Listings of this product by the id that was sent with them. */
async function byExternalId(
  context: AccountContext,
  look: Look,
  archived: boolean,
): Promise<readonly Answer<'products.list'>[]> {
  const key = context.config.marketplace.externalIdKey;
  const found = await readListings(context, look, { external_id_key: key, external_id_values: look.key, archived });
  return found.filter((row) => readProduct(row, key).externalId === look.key);
}

async function createListing(
  context: AccountContext,
  look: Look,
  fields: WireFields,
  adoptOnly: boolean,
): Promise<Applied> {
  const { account, client, config } = context;
  const sku = String(fields['sku']);
  const key = config.marketplace.externalIdKey;
  return createOnce<Answer<'products.list'>>(context, {
    intent: { account, kind: 'product', key: look.key, externalId: look.key },
    alwaysFind: false,
    adoptOnly,
    settleMs: 2 * config.marketplace.timeoutMs,
    // By external id, then by SKU; archived ones too.
    find: async () => {
      for (const archived of [false, true]) {
        const ours = sendsExternalIds(config) ? await byExternalId(context, look, archived) : [];
        if (ours.length > 0) return ours;
        const bySku = await readListings(context, look, { sku, archived });
        const same = bySku.filter(
          (row) => row.sku === sku && (readProduct(row, key).externalId ?? look.key) === look.key,
        );
        if (same.length > 0) return same;
      }
      return [];
    },
    create: (sending) => client.call('products.create', { body: fields }, { ...look, sending }),
    record: (row) => recordListing(context, look, row, row.id, fields),
    link: (row, how) => ({ account, kind: 'product', marketplaceId: String(row.id), erpId: look.key, how }),
    show: (row) => `listing ${row.id}`,
    remember: () => saveEchoes(context, look.key, fields),
  });
}
