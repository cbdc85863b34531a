import type { Spoken } from './notation.ts';
import { BY_ID, PRODUCTS, RECORD, SEARCHED } from './shorthand.ts';

/** The methods on a family that the row Products of the permission table grants. */
const list = (path: string, needs: string | null = PRODUCTS.read): Spoken => ({
  call: `GET ${path}${needs === null ? ' (assumed)' : ''}`,
  needs,
  query: SEARCHED,
  answers: 'page',
});
const get = (path: string, needs: string | null = PRODUCTS.read): Spoken => ({
  call: `GET ${path}{id}/ (assumed)`,
  needs,
  path: BY_ID,
  answers: 'one',
});
const create = (path: string): Spoken => ({
  call: `POST ${path}`,
  needs: PRODUCTS.write,
  body: RECORD,
  answers: 'one',
});
const remove = (path: string): Spoken => ({
  call: `DELETE ${path}{id}/ (assumed)`,
  needs: PRODUCTS.write,
  path: BY_ID,
  answers: 'one',
});
const choices = (path: string): Spoken => ({
  call: `GET ${path} (assumed)`,
  needs: null,
  query: { ordering: 'ordering', search: 'text 1..' },
  answers: 'array',
});

/** Spec 2, Catalog. Every field of a change is optional. */
const productLine = (required: '!' | '') => ({
  [`name${required}`]: 'text 1..100',
  [`brand_id${required}`]: 'integer',
  menu_position: 'integer 0..2147483647 or null',
  product_ids: '[integer]',
});

/** Spec 2, Catalog; spec 1, Permissions, the row of Products. */
export const CATALOG_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'product-categories.list': list('/product-categories/'),
  'product-categories.get': get('/product-categories/'),
  'product-subcategories.list': list('/product-subcategories/'),
  'product-subcategories.get': get('/product-subcategories/'),
  'dosage-units.list': list('/dosage-units/', null),
  'dosage-units.get': get('/dosage-units/', null),
  'grow-operation-types.list': choices('/grow-operation-types/'),
  'listing-states.list': choices('/listing-states/'),

  'product-lines.list': {
    call: 'GET /product-lines/',
    needs: PRODUCTS.read,
    query: { ...SEARCHED, brand: 'integer', company: 'integer', company_slug: 'text 1..', id: 'integers' },
    answers: 'page',
  },
  'product-lines.create': {
    call: 'POST /product-lines/',
    needs: PRODUCTS.write,
    body: productLine('!'),
    answers: 'one',
  },
  'product-lines.get': get('/product-lines/'),
  'product-lines.patch': {
    call: 'PATCH /product-lines/{id}/ (assumed)',
    needs: PRODUCTS.write,
    path: BY_ID,
    body: productLine(''),
    answers: 'one',
  },

  'promotions.list': list('/promotions/', null),
  'promotions.create': {
    call: 'POST /promotions/ (assumed)',
    needs: null,
    // Three more objects are required; their names and shapes are not shown.
    body: {
      ads_provider_id: 'text 1..',
      'status!': 'Pending | Approved | Completed',
      period: 'Daily | Weekly | Monthly = Weekly',
      'start_date!': 'date',
      end_date: 'date or null',
      '...': 'more',
    },
    answers: 'one',
  },

  'strains.list': list('/strains/'),
  'strains.get': get('/strains/'),
  'strains.create': create('/strains/'),
  'batches.list': list('/batches/'),
  'batches.get': get('/batches/'),
  'batches.create': create('/batches/'),
  'batches.patch': {
    call: 'PATCH /batches/{id}/ (assumed)',
    needs: PRODUCTS.write,
    path: BY_ID,
    body: RECORD,
    answers: 'one',
  },
  'batches.delete': remove('/batches/'),
  'batch-documents.list': list('/batch-documents/'),
  'batch-documents.get': get('/batch-documents/'),
  'batch-documents.create': create('/batch-documents/'),
  'batch-documents.delete': remove('/batch-documents/'),
  'product-batches.list': list('/product-batches/'),
  'product-batches.get': get('/product-batches/'),
  'product-batches.create': create('/product-batches/'),
  'product-batches.delete': remove('/product-batches/'),
  // "GET also /licenses/" stands under Read & Write.
  'licenses.list': list('/licenses/', PRODUCTS.write),
  'licenses.get': get('/licenses/', PRODUCTS.write),
};
