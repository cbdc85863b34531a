import { PLACEMENTS } from './brands.ts';
import type { Spoken } from './notation.ts';
import { BY_ID, PRODUCTS, SEARCHED } from './shorthand.ts';

const compared = (name: string) =>
  Object.fromEntries(['gt', 'gte', 'lt', 'lte'].map((test) => [`${name}__${test}`, 'date-time']));

const MONEY = { 'amount!': 'number', 'currency!': 'text /^[A-Z]{3}$/', '...': 'more' };
/** "integer array": the documents do not say whether it is sent repeated or separated by commas. */
const VIEWER = { 'company_id!': 'integer' };

/** Spec 1, Products: the fields of a product that are shown. More fields exist. */
const product = {
  name: 'text',
  description: 'text',
  sku: 'text',
  quantity: 'number',
  available_inventory: 'number',
  wholesale_price: MONEY,
  external_ids: 'map of text or null',
  '...': 'more',
};

/** Spec 2, Assignment: its terms. */
const terms = {
  expiration_date: 'date-time or null',
  call_to_action: 'text or null',
  quantity: 'decimal or null',
};

/** Spec 1, Products; spec 2, Products and recommendations. */
export const PRODUCT_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'products.list': {
    call: 'GET /products/',
    needs: PRODUCTS.read,
    query: {
      ...SEARCHED,
      archived: 'boolean',
      batch_associated__isnull: 'boolean',
      base_units_per_unit__isnull: 'boolean',
      has_children: 'boolean',
      license__isnull: 'boolean',
      parent__isnull: 'boolean',
      reconcile_inventory: 'boolean',
      s2s_connected: 'boolean',
      sub_category__isnull: 'boolean',
      external_id_unmapped: 'boolean',
      brand: 'integer',
      category: 'integer',
      company: 'integer',
      buyer: 'decimal',
      company_slug: 'text 1..',
      display_name: 'text 1..',
      name: 'text 1..',
      listing_state: 'text 1..',
      external_id_key: 'text 1..',
      external_id_values: 'text 1..',
      external_ids: 'text 1..',
      ...compared('created_on'),
      ...compared('last_edit'),
      ...compared('modified'),
      extern_sts_ids: 'numbers',
      id: 'integers',
      license: 'integers',
      license__type: 'integers',
      parent: 'integers',
      product_line: 'integers',
      strains: 'integers',
      sub_category: 'integers',
      seller_internal_id: 'text 1.. or [text 1..]',
      sku: 'text 1.. or [text 1..]',
    },
    answers: 'page',
  },
  'products.create': { call: 'POST /products/', needs: PRODUCTS.write, body: product, answers: 'one' },
  'products.patch': {
    call: 'PATCH /products/{id}/',
    needs: PRODUCTS.write,
    path: BY_ID,
    body: product,
    answers: 'one',
  },
  'products.archive': { call: 'DELETE /products/{id}/', needs: PRODUCTS.write, path: BY_ID, answers: 'one' },
  'products.bulk-update': {
    call: 'PATCH /products/bulk/update/ (assumed)',
    needs: PRODUCTS.write,
    body: [
      {
        'selector!': 'product_line',
        'selector_values!': '[integer]',
        'update_data!': [{ 'type!': 'text 1..', 'field!': 'text 1..', 'value!': 'number' }],
      },
    ],
    answers: 'one',
  },

  'products.dashboard': {
    call: 'GET /products/dashboard/ (assumed)',
    needs: null,
    query: { ...SEARCHED, ...VIEWER },
    answers: 'page',
  },
  'products.recommendations': {
    call: 'GET /products/recommendations/ (assumed)',
    needs: null,
    query: {
      ...SEARCHED,
      ...VIEWER,
      ad_count: 'integer',
      product_count: 'integer',
      brand_id: 'text 1..',
      category: 'integers',
      object_id: 'integers',
      'placement!': PLACEMENTS,
      subcategory: 'text 1..',
    },
    answers: 'page',
  },

  'products.list-with-assignments': {
    call: 'GET /products/with-assignments/ (assumed)',
    needs: null,
    query: {
      ...SEARCHED,
      ...VIEWER,
      archived: 'boolean',
      brand: 'integers',
      listing_state: 'text 1..',
      product_line: 'integers',
      include_children: 'text 1..',
    },
    answers: 'page',
  },
  'product-assignments.list': {
    call: 'GET /product-assignments/ (assumed)',
    needs: null,
    query: { ...SEARCHED, ...VIEWER, product_ids: 'integers' },
    answers: 'page',
  },
  'product-assignments.replace': {
    call: 'PUT /product-assignments/ (assumed)',
    needs: null,
    query: VIEWER,
    body: {
      'product_ids!': '[integer]',
      assigned_buyers: [{ 'buyer_id!': 'integer', ...terms }],
      assigned_groups: [{ 'customer_group_id!': 'integer', ...terms }],
      is_exclusive: 'boolean = false',
    },
    answers: 'one',
  },
};
