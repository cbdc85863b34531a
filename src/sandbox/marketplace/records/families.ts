import { parseJson } from '../../../http/json.ts';
import type { Handler } from '../call.ts';
import type { Market, OpenMarket } from '../market.ts';
import { isProduct } from '../product-rows.ts';
import { type Fields, refuse } from '../wire-values.ts';
import { BRAND_FAMILIES, shopBrands, sponsorshipContent } from './brands.ts';
import { createRecord, handlersOf, patchRecord, recordJson } from './crud.ts';
import { CUSTOMER_FAMILIES } from './customers.ts';
import { allRecords, deleteRecord, type Family, field, fieldsOf, needRecord, type RecordRow } from './family.ts';
import { FINANCE_FAMILIES } from './finance.ts';
import { LOGISTICS_FAMILIES } from './logistics.ts';
import { MESSAGE_FAMILIES } from './messages.ts';
import { approvePurchaseOrder, ORDER_FAMILIES } from './orders.ts';
import { PRODUCT_FAMILIES } from './products.ts';

const ALL: readonly Family[] = [
  ...CUSTOMER_FAMILIES,
  { name: 'companies', searched: [field('name'), field('slug')] },
  { name: 'company-staff', searched: [field('first_name'), field('last_name'), field('email')] },
  { name: 'license-types' },
  ...PRODUCT_FAMILIES,
  ...BRAND_FAMILIES,
  ...FINANCE_FAMILIES,
  ...MESSAGE_FAMILIES,
  ...ORDER_FAMILIES,
  // Spec 2, Catalog records: fixed and read-only.
  { name: 'product-categories', searched: [field('name'), field('slug')] },
  { name: 'product-subcategories' },
  { name: 'dosage-units', times: ['created_date', 'modified_date'], searched: [field('name'), field('unit')] },
  { name: 'licenses', searched: [field('number')] },
  // Spec 1 shows no fields. Sent fields are stored, and referenced records must exist.
  { name: 'strains' },
  { name: 'batches', refers: { strain: 'strains' } },
  { name: 'batch-documents', refers: { batch: 'batches' } },
  {
    name: 'product-batches',
    refers: { product: isProduct, batch: 'batches' },
    searched: [field('product'), field('batch')],
  },
  // Spec 2, Promotion.
  {
    name: 'promotions',
    initial: { end_date: null, products: [] },
    refers: { products: isProduct },
    searched: [field('ads_provider_id'), field('approver_email')],
  },
  ...LOGISTICS_FAMILIES,
];
const FAMILIES = new Map(ALL.map((family) => [family.name, family]));

/** @throws Refusal 404 */
export function familyNamed(name: string): Family {
  const family = FAMILIES.get(name);
  if (!family) throw refuse(404, `There are no records named ${name}; there are: ${[...FAMILIES.keys()].join(', ')}.`);
  return family;
}

export const recordHandlers: Readonly<Record<string, Handler>> = {
  ...Object.fromEntries(ALL.flatMap((family) => Object.entries(handlersOf(family)))),
  'shop-brands.get': shopBrands,
  'sponsorship-content.get': sponsorshipContent,
  'purchase-orders.approve': approvePurchaseOrder,
};

/** Acts of people on records; families are named as in operation ids: `contacts`. */
export function createRecordActions(open: OpenMarket) {
  const shown = (market: Market, family: Family, row: RecordRow): Fields => ({
    ...fieldsOf(row),
    ...(parseJson(recordJson(market, family, row)) as Fields),
  });
  return {
    /**
     * Adds a record with fields of the API, writable or not. Returns it as the API shows it, with its hidden fields.
     */
    addRecord: (name: string, fields: Fields): Fields =>
      open.change((market) => shown(market, familyNamed(name), createRecord(market, familyNamed(name), fields))),
    changeRecord: (name: string, id: number | string, fields: Fields): Fields =>
      open.change((market) => {
        const family = familyNamed(name);
        return shown(market, family, patchRecord(market, family, needRecord(market, family, id), fields));
      }),
    removeRecord: (name: string, id: number | string): void =>
      open.change((market) => deleteRecord(market, familyNamed(name), needRecord(market, familyNamed(name), id))),
    records(name: string): Fields[] {
      const family = familyNamed(name);
      return allRecords(open.market, name).map((row) => shown(open.market, family, row));
    },
  };
}
