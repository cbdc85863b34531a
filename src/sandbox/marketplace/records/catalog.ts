import { isProduct } from '../product-rows.ts';
import { type Family, field } from './family.ts';

const named = [field('name')];

/** Spec 2, Catalog records: the records that describe products. They exist from the start and are only read. */
export const productCategories: Family = { name: 'product-categories', searched: [field('name'), field('slug')] };
export const productSubcategories: Family = { name: 'product-subcategories', searched: named };
export const dosageUnits: Family = {
  name: 'dosage-units',
  times: ['created_date', 'modified_date'],
  searched: [field('name'), field('unit')],
};
export const licenses: Family = { name: 'licenses', searched: [field('number')] };

/** Spec 1 shows no field of these records. Sent fields are kept, and a record that they name must exist. */
const strains: Family = { name: 'strains', searched: named };
const batches: Family = { name: 'batches', refers: { strain: 'strains' }, searched: named };
const batchDocuments: Family = { name: 'batch-documents', refers: { batch: 'batches' }, searched: named };
const productBatches: Family = {
  name: 'product-batches',
  refers: { product: isProduct, batch: 'batches' },
  searched: [field('product'), field('batch')],
};

/** Spec 2, Promotion. */
const promotions: Family = {
  name: 'promotions',
  initial: { end_date: null, products: [] },
  refers: { products: isProduct },
  searched: [field('ads_provider_id'), field('approver_email')],
};

export const CATALOG_FAMILIES: readonly Family[] = [
  productCategories,
  productSubcategories,
  dosageUnits,
  licenses,
  strains,
  batches,
  batchDocuments,
  productBatches,
  promotions,
];
