import { CallFailure } from '../../../domain/failure.ts';
import { orderStanding } from '../../../domain/history.ts';
import { isExported, STRATEGIES } from '../../../domain/strategy.ts';
import { productPriceOf, type Units } from '../../../domain/units.ts';
import type { ErpProduct, ErpProductDraft } from '../../../erp/connector.ts';
import type { AccountRecords, Look, ReadContext } from '../../../shadow/context.ts';
import { capabilitiesIn, STATED_CAPABILITIES } from '../../../shadow/erp-capabilities.ts';
import { FIRST_START, ordersFromIn } from '../../../shadow/orders-from.ts';
import type { ProductInRows, ShownListing } from '../../../store/observe.ts';
import { invalidRowText } from '../../../store/reading.ts';
import { createOnce } from '../../engine/create-once.ts';
import { FIRST_LINKED } from '../../engine/first-links.ts';
import type { Applied, Flow } from '../../engine/flow.ts';
import { type CreateErpProduct, decideProductIn, type ProductInSnapshot } from './decide.ts';

/** Creates products in the ERP that marketplace orders need. Key: listing id. */
export const productInFlow: Flow<ProductInSnapshot, CreateErpProduct> = {
  name: 'product-in',
  decide: decideProductIn,
  apply: createErpProduct,

  async observe(context, key) {
    const { account, config, store } = context;
    const rows = await store.observe.productIn(account, Number(key), [STATED_CAPABILITIES, FIRST_LINKED, FIRST_START]);
    return {
      ...rows,
      listing: listingOf(rows.listing, config.units),
      invalidRow: invalidRowText(rows.listing?.invalidRow ?? null),
      productsKnown: rows.facts.has(FIRST_LINKED),
      linked: rows.mapping?.state === 'linked',
      neededBy: neededBy(context, rows),
      sameSku: rows.sameSku.map(({ id }) => id),
      create: config.orders.onUnmappedProduct === 'create' && capabilitiesIn(config, rows.facts).products,
    };
  },
};

function listingOf(listing: ShownListing | null, units: Units): ProductInSnapshot['listing'] {
  if (listing?.stored.sku == null) return null;
  const { id, sku, name, description, price, unitMultiplier, archived } = listing.stored;
  const draft: ErpProductDraft = {
    sku,
    name: name ?? sku,
    description: description ?? '',
    ...(price === undefined ? {} : { price: productPriceOf(units, price, unitMultiplier ?? null) }),
    ...(unitMultiplier === undefined ? {} : { unitMultiplier }),
  };
  return { id, archived, draft };
}

/** Orders that are exported once the ERP has the product. */
function neededBy({ config }: AccountRecords, { orders, facts }: ProductInRows): string[] {
  const strategy = STRATEGIES[config.inventory.strategy];
  const from = ordersFromIn(config, facts);
  return orders.flatMap(({ number, status, ...seen }) =>
    isExported(strategy, status) && orderStanding(seen, from) === 'work' ? [number] : [],
  );
}

async function createErpProduct(
  context: ReadContext,
  look: Look,
  { draft, adoptOnly }: CreateErpProduct,
): Promise<Applied> {
  const { account, erp, store } = context;
  const { findProducts, createProduct } = erp;
  if (findProducts === undefined || createProduct === undefined) {
    const text = `The connector of ${account} makes no products in the ERP: set erp.capabilities.products: false.`;
    throw new CallFailure(text, { side: 'erp', kind: 'refused', outcome: 'not-applied' });
  }
  const intent = { kind: 'product-in', key: look.key, externalId: draft.sku } as const;
  // Two listings with one SKU are one ERP product.
  return context.exclusively([`product ${draft.sku}`], () =>
    createOnce<ErpProduct>(context, {
      intent,
      // Searching is cheap, and an existing product must never be created twice.
      alwaysFind: true,
      async find() {
        // The listing may have had another SKU when an earlier create was sent.
        const sent = await store.intents.unsettled({ account, kind: intent.kind, key: look.key });
        const skus = new Set([sent?.externalId ?? draft.sku, draft.sku]);
        const found = await Promise.all([...skus].map((sku) => findProducts(sku, look.signal)));
        return [...new Map(found.flat().map((product) => [product.id, product])).values()];
      },
      create: adoptOnly
        ? null
        : async (sending) => {
            await sending();
            return createProduct(draft, look.signal);
          },
      record: async (made) => {
        await store.erp.recordProducts(account, [made], { listing: null, lane: look.lane });
      },
      idOf: ({ id }) => id,
    }),
  );
}
