import type { Spoken } from './notation.ts';
import { BY_ID, PRODUCTS, SEARCHED, words } from './shorthand.ts';

const BRANDS = 'Orders or Products: Read';
const VIEWER = { 'company_id!': 'integer' };

/** Spec 2, Product image: where it goes, and how it is cropped. */
const place = {
  'product!': 'integer',
  'position!': 'integer',
  crop_x: 'integer 0..2147483647 or null',
  crop_y: 'integer 0..2147483647 or null',
  crop_w: 'integer 0..2147483647 or null',
  crop_h: 'integer 0..2147483647 or null',
};

/** Spec 2, Placement values. */
export const PLACEMENTS = [
  'buyer-dash-hero-1 | buyer-dash-hero-2 | buyer-dash-hero-3 | buyer-dash-hero-4 | buyer-dash-hero-5',
  'buyer-dash-hero-6 | buyer-dashboard-hero-banner-1 | buyer-dashboard-hero-banner-2',
  'buyer-dashboard-hero-banner-3 | buyer-dashboard-hero-banner-4 | buyer-dashboard-hero-banner-5',
  'buyer-dashboard-hero-banner-6 | deals-page-1 | deals-page-2 | deals-page-3 | deals-page-4 | discovery-left',
  'discovery-right | order-submit-1 | order-submit-2 | order-submit-3 | order-submit-4',
  'product-spotlight-carousel | recommended-brands-recently-purchased | recommended-products-cart',
  'recommended-products-order | recommended-products-pdm-alternative | recommended-products-pdp-alternative',
  'recommended-products-shop-brands | recommended-products-shop-discover-products',
  'recommended-products-shop-products | recommended-products-top-purchased | seller-dash-hero-1',
  'seller-dash-hero-2 | seller-dash-hero-3 | seller-dash-hero-4 | seller-dash-hero-5 | seller-dash-hero-6',
  'shop-brands-featured-brand | shop-brands-featured-brand-2 | shop-brands-featured-brand-3',
  'shop-brands-featured-brand-4 | shop-brands-featured-brand-5 | shop-brands-sidebar-3 | shop-brands-sidebar-4',
  'shop-brands-sidebar-bottom | shop-brands-sidebar-top | shop-brands-skyscraper-1 | shop-brands-skyscraper-2',
  'shop-brands-skyscraper-3 | shop-brands-skyscraper-4 | shop-products-1 | shop-products-2 | shop-products-3',
  'shop-products-4 | shop-products-5',
].join(' | ');

/** Spec 2, Brands and sponsorship; Product images. */
export const BRAND_OPERATIONS: Readonly<Record<string, Spoken>> = {
  'brands.list': { call: 'GET /brands/', needs: BRANDS, query: SEARCHED, answers: 'page' },
  'brands.list-recently-purchased': {
    call: 'GET /brands/recommended/recently-purchased/ (assumed)',
    needs: BRANDS,
    query: { ...VIEWER, ...SEARCHED },
    answers: 'page',
  },
  'shop-brands.get': {
    call: 'GET /shop-brands/ (assumed)',
    needs: null,
    query: {
      ...VIEWER,
      ...SEARCHED,
      ancillary_type: 'all | preferred',
      badge: 'text 1.. or [text 1..]',
      category: 'text 1.. or [text 1..]',
      has_ordered_from: 'boolean',
      payment_method: words('direct_pay | flex_pay | payment_on_sell_through'),
    },
    answers: 'one',
  },
  'brands.get': { call: 'GET /brands/{id}/ (assumed)', needs: BRANDS, path: BY_ID, answers: 'one' },
  'sponsorship-content.get': {
    call: 'GET /sponsorship-content/ (assumed)',
    needs: null,
    query: { ...VIEWER, 'placement!': words(PLACEMENTS) },
    answers: 'one',
  },

  'product-images.list': {
    call: 'GET /product-images/',
    needs: PRODUCTS.read,
    query: {
      ...SEARCHED,
      company: 'integer',
      company_slug: 'text 1..',
      id: 'integers',
      product: 'integer',
      product__id: 'integers',
    },
    answers: 'page',
  },
  'product-images.get': {
    call: 'GET /product-images/{id}/ (assumed)',
    needs: PRODUCTS.read,
    path: BY_ID,
    answers: 'one',
  },
  'product-images.create': {
    call: 'POST /product-images/ multipart',
    needs: PRODUCTS.write,
    body: { 'image!': 'file', ...place },
    answers: 'one',
  },
  'product-images.clone': {
    call: 'POST /product-images/{id}/clone/ (assumed)',
    needs: PRODUCTS.write,
    path: BY_ID,
    body: place,
    answers: 'one',
  },
  'product-images.upload': {
    call: 'POST /product-images/bulk/ (assumed) multipart',
    needs: PRODUCTS.write,
    body: { 'product_id!': 'integer', 'images!': '[file] 1..', 'positions!': '[integer] 1..' },
    answers: 'one',
  },
  'product-images.delete': {
    call: 'DELETE /product-images/{id}/ (assumed)',
    needs: PRODUCTS.write,
    path: BY_ID,
    answers: 'one',
  },
};
