import { isProduct } from '../product-rows.ts';
import { type Family, field } from './family.ts';

/** The records that describe products. */
export const CATALOG_FAMILIES: readonly Family[] = [
  // Spec 2, Catalog records: they exist from the start and are only read.
  { name: 'product-categories', searched: [field('name'), field('slug')] },
  { name: 'product-subcategories' },
  { name: 'dosage-units', times: ['created_date', 'modified_date'], searched: [field('name'), field('unit')] },
  { name: 'licenses', searched: [field('number')] },
  // Spec 1 shows no field of these records. Sent fields are kept, and a record that they name must exist.
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
];
