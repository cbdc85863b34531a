import type { AccountConfig } from '../../config/resolve.ts';
import type { ErpConnector, ErpProduct } from '../../erp/connector.ts';
import { nullIfNotFound } from '../../shadow/optional-call.ts';
import { recordProductPage, shownAsArchived } from '../../shadow/shadow.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { Link } from '../../store/links.ts';
import type { StoredProduct } from '../../store/marketplace.ts';
import { withErp, withMarketplace } from '../api/open.ts';
import type { Opened } from '../open.ts';

type Ids = Pick<Link, 'marketplaceId' | 'erpId'>;

/** A link's two sides in their current state; null: unknown id. */
export interface ProductPair {
  readonly listing: StoredProduct | null;
  readonly product: StoredErpProduct | null;
}

/**
 * Reads a listing and an ERP product into the shadow.
 * @throws CallFailure when a side does not answer
 */
export async function readProductPair(
  opened: Opened,
  account: AccountConfig,
  { marketplaceId, erpId }: Ids,
  signal: AbortSignal,
): Promise<ProductPair> {
  const { store } = opened;
  const isListed = await readListing(opened, account, Number(marketplaceId), signal);
  const found = await withErp(opened, account, (erp) => findProduct(erp, erpId, signal));
  if (found !== null) await store.erp.recordProducts(account.name, [found], { listing: null, lane: 'operator' });
  return {
    listing: isListed ? await store.products.get(account.name, Number(marketplaceId)) : null,
    product: found === null ? null : await store.erp.product(account.name, erpId),
  };
}

async function readListing(opened: Opened, account: AccountConfig, id: number, signal: AbortSignal): Promise<boolean> {
  const { store } = opened;
  return withMarketplace(opened, account, async (client) => {
    for (const archived of [false, true]) {
      const query = { id: [id], archived, page: 1, page_size: 50 };
      const page = await client.list('products.list', { query }, { lane: 'operator', signal });
      const rows = page.rows.filter((row) => row.id === id).map((row) => (archived ? shownAsArchived(row) : row));
      if (rows.length === 0) continue;
      const shadow = { account: account.name, config: account, store };
      await recordProductPage(shadow, { ...page, rows, invalidRows: [] }, { window: null, lane: 'operator' });
      return true;
    }
    return false;
  });
}

/** The contract cannot read one product, so the list is read up to it. */
async function findProduct(erp: ErpConnector, id: string, signal: AbortSignal): Promise<ErpProduct | null> {
  for await (const { items } of erp.listProducts(null, signal)) {
    const found = items.find((item) => item.id === id);
    if (found !== undefined) return found;
  }
  return null;
}

export async function missingOfOrder(
  opened: Opened,
  account: AccountConfig,
  { marketplaceId, erpId }: Ids,
  signal: AbortSignal,
): Promise<string[]> {
  const there = await withMarketplace(opened, account, (client) =>
    nullIfNotFound(() => client.call('orders.get', { path: { number: marketplaceId } }, { lane: 'operator', signal })),
  );
  const here = await withErp(opened, account, (erp) => erp.getOrder(erpId, signal));
  return [
    ...(there === null ? [`order ${marketplaceId} on the marketplace`] : []),
    ...(here === null ? [`order ${erpId} in the ERP`] : []),
  ];
}
