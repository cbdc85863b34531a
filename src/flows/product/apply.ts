import { parseJson } from '../../http/json.ts';
import { readProduct } from '../../marketplace/entities/product.ts';
import type { Answer } from '../../marketplace/request.ts';
import type { Look, MarketplaceReading } from '../../shadow/context.ts';
import { recordProductPage } from '../../shadow/shadow.ts';
import { runAfterWrite } from '../engine/after-write.ts';
import { createOnce } from '../engine/create-once.ts';
import { saveEchoes, writeReplacing } from '../engine/echoes.ts';
import type { WireFields } from '../engine/fields.ts';
import type { Applied, WriteLook } from '../engine/flow.ts';
import { linkFound } from '../engine/link-found.ts';
import type { SetBack } from '../engine/overwritten.ts';
import { createLine } from './lines.ts';
import { readListings, recordListing } from './listing.ts';
import type { ProductAction } from './snapshot.ts';
import { sendsExternalIds } from './wanted.ts';

export async function applyProduct(
  context: MarketplaceReading,
  look: WriteLook,
  action: ProductAction,
): Promise<Applied> {
  switch (action.action) {
    case 'product.link':
      return linkFound(context, {
        kind: 'product',
        marketplaceId: String(action.listingId),
        erpId: look.key,
        how: action.how,
      });
    case 'product.relink':
      return moveLink(context, look, action.listingId);
    case 'product-line.create':
      return createLine(context, look, action.line);
    case 'product.create':
      return createListing(context, look, action.fields, action.adoptOnly);
    case 'product.patch':
    case 'product.price':
      return patchListing(context, look, action.listingId, action.fields, {}, action);
    case 'product.restore':
      return restoreListing(context, look, action.listingId);
    case 'product.archive':
      return archiveListing(context, look, action.listingId);
  }
}

/** Unlinks the listing from its previous ERP id and the product from its previous listing, then links them. */
async function moveLink({ account, store }: MarketplaceReading, look: Look, listingId: number): Promise<Applied> {
  const link = { account, kind: 'product', marketplaceId: String(listingId), erpId: look.key, how: 'sku' } as const;
  await store.links.link(link, true, 'an approved plan');
  return { outcome: 'noted', answer: `linked to listing ${listingId}` };
}

export function restoreListing(context: MarketplaceReading, look: WriteLook, id: number): Promise<Applied> {
  return patchListing(context, look, id, context.config.products.restoreFields, { archived: false });
}

/** @param known values that the patch has certainly set, for answers that do not show them */
async function patchListing(
  context: MarketplaceReading,
  look: WriteLook,
  id: number,
  fields: WireFields,
  known: WireFields,
  on?: SetBack,
): Promise<Applied> {
  const shown = await writeReplacing(context, 'product', look, on?.replaced ?? {}, (sending) =>
    context.client.call('products.patch', { path: { id }, body: fields }, sending),
  );
  const answer = `listing ${id} patched`;
  return runAfterWrite(answer, async () => {
    await recordListing(context, look, shown, id, fields, known);
    await saveEchoes(context, 'product', look.key, fields, shown, on);
  });
}

/** Fields missing in the answer keep their stored values. */
async function archiveListing(context: MarketplaceReading, look: WriteLook, id: number): Promise<Applied> {
  const shown = await context.client.call('products.archive', { path: { id } }, look);
  const answer = `listing ${id} archived`;
  return runAfterWrite(answer, async () => {
    const raw = await context.store.products.raw(context.account, id);
    if (raw === null) return;
    const known = parseJson(raw) as Answer<'products.list'>;
    const row = { ...known, ...(isAbout(shown, id) ? shown : {}), archived: true, listing_state: 'Archived' };
    await recordProductPage(context, { rows: [row], invalidRows: [] }, { window: null, lane: look.lane });
  });
}

function isAbout(answer: unknown, id: number): answer is Partial<Answer<'products.list'>> {
  return typeof answer === 'object' && answer !== null && (answer as { id?: unknown }).id === id;
}

async function byExternalId(
  context: MarketplaceReading,
  look: WriteLook,
  archived: boolean,
): Promise<readonly Answer<'products.list'>[]> {
  const key = context.config.marketplace.externalIdKey;
  const found = await readListings(context, look, { external_id_key: key, external_id_values: look.key, archived });
  return found.filter((row) => readProduct(row, key).externalId === look.key);
}

async function createListing(
  context: MarketplaceReading,
  look: WriteLook,
  fields: WireFields,
  adoptOnly: boolean,
): Promise<Applied> {
  const { client, config } = context;
  const sku = String(fields['sku']);
  const key = config.marketplace.externalIdKey;
  return createOnce<Answer<'products.list'>>(context, {
    intent: { kind: 'product', key: look.key },
    alwaysFind: false,
    // Searches by external id, then by SKU, including archived listings.
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
    create: adoptOnly ? null : (sending) => client.call('products.create', { body: fields }, { ...look, sending }),
    record: (row) => recordListing(context, look, row, row.id, fields),
    idOf: ({ id }) => id,
    remember: (row) => saveEchoes(context, 'product', look.key, fields, row),
  });
}
