import { mappedNames } from '../../config/products.ts';
import type { Answer } from '../../marketplace/request.ts';
import type { Look, MarketplaceReading } from '../../shadow/context.ts';
import { recordProductPage, shownAsArchived } from '../../shadow/shadow.ts';
import type { WireFields } from '../engine/fields.ts';

/** Answers may omit fields (spec 1). They are then read. */
export async function recordListing(
  context: MarketplaceReading,
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
    mappedNames(context.config.products).every((name) => !Object.hasOwn(sent, name) || Object.hasOwn(row, name));
  if (isWhole) {
    await recordProductPage(
      context,
      { rows: [{ ...unshown, ...row }], invalidRows: [] },
      { window: null, lane: look.lane },
    );
  } else if (known !== null || row !== null) {
    await readListings(context, look, { id: String(id) }, unshown);
  }
}

export async function readListings(
  context: MarketplaceReading,
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
