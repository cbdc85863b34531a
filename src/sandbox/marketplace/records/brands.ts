import { entity, type Handler } from '../call.ts';
import { type Filter, isIn } from '../list-query.ts';
import type { Market } from '../market.ts';
import { type Fields, refuse } from '../wire-values.ts';
import { listAnswer, listRecords } from './crud.ts';
import { allRecords, checkViewer, type Family, field, fieldsOf, findRecord, type RecordRow } from './family.ts';

/** Brands whose list contains one of the texts. */
const among =
  (sql: string, list: string): Filter =>
  (wanted) => {
    const texts = [wanted].flat().map(String);
    const any = texts.map(() => '?').join(', ');
    return {
      sql: `EXISTS (SELECT 1 FROM json_each(fields, '$.${list}') WHERE ${sql} IN (${any}))`,
      values: texts,
    };
  };

/** Spec 2, Brand. A sponsorship refers to its brand. */
const brands: Family = {
  name: 'brands',
  filters: {
    company_id: () => null,
    has_ordered_from: () => null,
    ancillary_type: (type) => (type === 'all' ? null : isIn(field('ancillary_type'), [type])),
    badge: among("json_extract(value, '$.code')", 'badges'),
    category: among('value', 'product_categories'),
    payment_method: among('value', 'payment_methods'),
  },
  handlers: {
    'list-recently-purchased': (market, call) =>
      listAnswer(market, brands, call, [{ sql: ORDERED, values: [call.query['company_id']] }]),
  },
  show: (market, fields, { id }) => ({ ...fields, sponsorship: sponsorshipOf(market, id) }),
};

/** Spec 2, Sponsorship. The API cannot create one; control calls and tests do. */
const sponsorships: Family = { name: 'sponsorships', refers: { brand: 'brands' } };

export const BRAND_FAMILIES: readonly Family[] = [brands, sponsorships];

/** Whether a customer has ordered: all products are of the seller's brands. */
const ORDERED = 'EXISTS (SELECT 1 FROM orders WHERE customer = ?)';

export const sponsorshipContent: Handler = (market, { query }) => {
  checkViewer(market, query['company_id']);
  return entity({ content: { sponsorships: contentAt(market, query['placement'] as string[]) } });
};

export const shopBrands: Handler = (market, call) => {
  const { query, window } = call;
  const viewer = checkViewer(market, query['company_id']);
  const ordered = { sql: `${ORDERED} = ?`, values: [viewer, query['has_ordered_from'] === true ? 1 : 0] };
  const scope = query['has_ordered_from'] === undefined ? [] : [ordered];
  const page = listRecords(market, brands, call, scope);
  if (window.offset > 0 && window.offset >= page.count) throw refuse(404, 'Invalid page.');
  const collection = page.rows.map((row) => listingOf(market, row));
  const shown = new Set(collection.map(({ resource_id: id }) => id));
  const { banners, listing, skyscrapers } = contentAt(market, null);
  const sponsored = listing.filter(({ resource }) => shown.has(resource.resource_id));
  const content = { sponsorships: { banners, listing: sponsored, skyscrapers }, collection };
  return entity({ count: page.count, content });
};

/** Spec 2, Listing resource. */
function listingOf(market: Market, row: RecordRow) {
  const { sellerId } = market.settings();
  const seller = findRecord(market, 'companies', sellerId);
  const { name, slug } = seller ? fieldsOf(seller) : {};
  return {
    resource_id: row.id,
    resource_name: 'brand',
    name: fieldsOf(row)['name'],
    owner: { resource_id: sellerId, resource_name: 'company', name, slug, enable_vendor_menu: false },
    product_categories: fieldsOf(row)['product_categories'] ?? [],
    badges: fieldsOf(row)['badges'] ?? [],
    social_equity_programs: [],
    sponsored: sponsorshipOf(market, row.id) !== null,
  };
}

/** Content at the named places; null: at all. Skyscrapers have their own places. */
function contentAt(market: Market, placements: readonly string[] | null) {
  const shown = allRecords(market, sponsorships.name)
    .map(fieldsOf)
    .filter(({ placement }) => placements?.includes(String(placement)) ?? true);
  const isSkyscraper = ({ placement }: Fields) => String(placement).startsWith('shop-brands-skyscraper');
  const listing = shown.flatMap((sponsorship) => {
    const brand = findRecord(market, brands.name, sponsorship['brand']);
    return brand === undefined ? [] : [{ sponsorship, resource: listingOf(market, brand) }];
  });
  return {
    listing,
    banners: shown.filter((one) => !isSkyscraper(one)).map((sponsorship) => ({ sponsorship })),
    skyscrapers: shown.filter(isSkyscraper),
  };
}

function sponsorshipOf(market: Market, brand: number): Fields | null {
  return (
    allRecords(market, sponsorships.name)
      .map(fieldsOf)
      .find((one) => one['brand'] === brand) ?? null
  );
}
