import type { AccountConfig } from '../../config/resolve.ts';
import type { ErpConnector } from '../../erp/connector.ts';
import type { CallOptions } from '../../marketplace/admit-call.ts';
import type { MarketplaceClient } from '../../marketplace/client.ts';
import { readCustomer } from '../../marketplace/entities/customer.ts';
import { readProduct } from '../../marketplace/entities/product.ts';
import { nullIfNotFound } from '../../shadow/optional-call.ts';
import type { NamedKind } from '../../store/intent-kinds.ts';
import type { Intent } from '../../store/intents.ts';
import type { Store } from '../../store/store.ts';

/** An existing entity with the other side's id that it has; null: none. */
interface Candidate {
  readonly owner: string | null;
}

/** Where ids are searched: in the shadow, or on the sides. */
export interface Places {
  readonly store: Store;
  readonly account: AccountConfig;
  readonly onMarketplace: <T>(work: (client: MarketplaceClient, options: CallOptions) => Promise<T>) => Promise<T>;
  readonly inErp: <T>(work: (erp: ErpConnector) => Promise<T>) => Promise<T>;
}

type Find = (places: Places, intent: Intent, id: string) => Promise<Candidate | null>;

/** The entity that an operator names as the created one; null: neither side knows the id. */
export async function findCandidate(places: Places, intent: Intent, id: string): Promise<Candidate | null> {
  return FIND[intent.kind as NamedKind](places, intent, id);
}

const FIND: Readonly<Record<NamedKind, Find>> = {
  'order-in': async ({ store, account, inErp }, _intent, id) => {
    const known = await store.erp.order(account.name, id);
    const found = known ?? (await inErp((erp) => erp.getOrder(id)));
    if (found === null) return null;
    return { owner: found.origin === 'marketplace' ? found.reference : null };
  },
  'order-out': async ({ store, account, onMarketplace }, _intent, number) => {
    const known = await store.orders.get(account.name, number);
    if (known !== null) return { owner: known.order.externalId };
    return onMarketplace((client, options) =>
      nullIfNotFound(async () => {
        const { external_id: owner } = await client.call('orders.get', { path: { number } }, options);
        return { owner: owner ?? null };
      }),
    );
  },
  product: async ({ store, account, onMarketplace }, _intent, id) => {
    const known = await store.products.get(account.name, Number(id));
    if (known !== null) return { owner: known.externalId };
    for (const archived of [false, true]) {
      const query = { id: [Number(id)], archived, page: 1, page_size: 50 };
      const { rows } = await onMarketplace((client, options) => client.list('products.list', { query }, options));
      const row = rows.find((one) => String(one.id) === id);
      if (row !== undefined) return { owner: readProduct(row, account.marketplace.externalIdKey).externalId };
    }
    return null;
  },
  'product-in': async ({ store, account, inErp }, { externalId: sku }, id) => {
    const known = await store.erp.product(account.name, id);
    const found = known === null ? await inErp(async (erp) => (await erp.findProducts?.(sku)) ?? []) : [known];
    return found.some((one) => one.id === id) ? { owner: null } : null;
  },
  'customer-in': async ({ store, account, inErp }, { key }, id) => {
    const known = await store.erp.customer(account.name, id);
    if (known !== null) return { owner: asText(known.marketplaceId) };
    const found = await inErp((erp) => erp.findCustomers(Number(key)));
    return found.some((one) => one.id === id) ? { owner: key } : null;
  },
  'customer-out': async ({ store, account, onMarketplace }, _intent, id) => {
    const known = await store.customers.get(account.name, Number(id));
    if (known !== null) return { owner: known.externalId };
    const query = { id: [Number(id)], page: 1, page_size: 50 };
    const { rows } = await onMarketplace((client, options) => client.list('customers.list', { query }, options));
    const row = rows.find((one) => String(one.id) === id);
    return row === undefined ? null : { owner: readCustomer(row, account.marketplace.externalIdKey).externalId };
  },
  'payment-in': async ({ store, account, inErp }, { key }, id) => {
    const known = await store.erp.payment(account.name, id);
    if (known !== null) return { owner: known.marketplaceId };
    const found = await inErp((erp) => erp.findPayments(key));
    return found.some((one) => one.id === id) ? { owner: key } : null;
  },
  'payment-out': async ({ store, account }, _intent, id) => nobodys(await store.payments.get(account.name, id)),
  'product-line': async ({ store, account }, { externalId: name }, id) => {
    const found = await store.names.find(account.name, 'product_line', name);
    return nobodys(found.find((one) => String(one.id) === id));
  },
  image: async ({ store, account, onMarketplace }, { key }, id) => {
    const product = Number(key.split('/')[0]);
    const known = (await store.images.ofListing(account.name, product)).some((image) => String(image.id) === id);
    if (known) return { owner: null };
    const query = { product, page: 1, page_size: 500 };
    const { rows } = await onMarketplace((client, options) => client.list('product-images.list', { query }, options));
    return nobodys(rows.find((one) => String(one.id) === id));
  },
  'facility-stock': ({ account, onMarketplace }, _intent, id) => {
    const query = { company_id: account.facilities?.companyId ?? account.marketplace.sellerId };
    return onMarketplace((client, options) =>
      nullIfNotFound(async () =>
        nobodys(await client.call('inventory.command-status', { path: { id: Number(id) }, query }, options)),
      ),
    );
  },
  'batch-out': async ({ store, account }, _intent, id) => nobodys(await store.batches.get(account.name, Number(id))),
};

function nobodys(found: unknown): Candidate | null {
  return found === undefined || found === null ? null : { owner: null };
}

function asText(id: number | null): string | null {
  return id === null ? null : String(id);
}
