import type { AccountConfig } from '../../config/resolve.ts';
import type { Decimal } from '../../domain/decimal.ts';
import { CONFIRMED_ABSENCES, isSold } from '../../domain/product.ts';
import { magnitudeProblem } from '../../domain/quantity.ts';
import { parseJson } from '../../http/json.ts';
import { writeDecimal } from '../../marketplace/entities/amounts.ts';
import type { Known } from '../../shadow/context.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { StoredErpProduct } from '../../store/erp.ts';
import type { ShownListing } from '../../store/observe.ts';
import { misfitText } from '../../store/reading.ts';
import type { WireFields } from '../engine/fields.ts';
import { wasArchivedWithErp } from './archived.ts';
import type { Listing, ProductSnapshot } from './decide.ts';
import { wantedOf, withoutLeftOut } from './wanted.ts';

/** Both sides as the shadows have them. */
export async function observeProduct(context: Known, key: string): Promise<ProductSnapshot> {
  const { account, config, store } = context;
  const rows = await store.observe.product(account, key, [LISTINGS_KNOWN]);
  const { erp, mapping, stock, candidates } = rows;
  const linkedId = mapping?.state === 'linked' ? Number(mapping.marketplaceId) : null;
  const listing = rows.listing === null ? null : toListing(rows.listing);
  const echoes = mapping?.echoes ?? {};
  const isBack = listing?.archived === true && erp !== null && isSold(erp);
  const wanted = erp === null ? null : await wantedOf(context, erp, isSold(erp));
  return {
    erp: erp === null ? null : { ...erp, sold: isSold(erp), missing: isMissing(erp), twins: rows.twins },
    erpMisfit: misfitText(rows.erpMisfit),
    linked: linkedId === null ? null : { id: linkedId, listing },
    candidates: {
      byExternalId: candidates.byExternalId.map(toListing),
      bySku: candidates.bySku.map(toListing),
    },
    alike: rows.alike,
    listingsUnread: null,
    listingsKnown: rows.facts.has(LISTINGS_KNOWN),
    createInDoubt: rows.createInDoubt,
    wanted: wanted?.fields ?? {},
    wantedProblem: wanted?.problem ?? null,
    missingLine: wanted?.missingLine ?? null,
    createFields: {
      ...createFields(config, stock?.problem === null ? stock.available : null),
      ...wanted?.createOnly,
    },
    echoes,
    archivedWithErp: isBack && (await wasArchivedWithErp(context, key, echoes)),
    rules: {
      create: config.products.create,
      archive: config.products.archive,
      archivedByHand: config.products.archivedByHand,
      currency: config.currency,
    },
  };
}

function isMissing({ active, deleted, absences }: StoredErpProduct): boolean {
  return active && !deleted && absences > 0 && absences < CONFIRMED_ABSENCES;
}

function toListing({ stored, raw, misfit }: ShownListing): Listing {
  return { ...stored, misfit: misfitText(misfit), fields: raw === null ? {} : (parseJson(raw) as WireFields) };
}

/** The initial inventory level is sent only if the ERP says it: unknown is never zero. */
function createFields(config: AccountConfig, available: Decimal | null): WireFields {
  const isKnown = available !== null && magnitudeProblem(available) === null;
  // Where stock is kept by facility, it is set at each facility once the listing is there.
  const level = isKnown && config.facilities === null ? available.minus(config.inventory.buffer) : null;
  return {
    ...config.products.createFields,
    ...withoutLeftOut(config, { seller: config.marketplace.sellerId }),
    ...(level === null || level.isNegative() ? {} : { quantity: writeDecimal(level) }),
  };
}
