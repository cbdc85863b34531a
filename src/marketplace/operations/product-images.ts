import { z } from 'zod';
import { BY_ID, nonEmpty, UINT31 } from './limits.ts';
import { operation, SEARCH_QUERY } from './operation.ts';
import { wireDateTime, wireFile } from './wire.ts';

/** Spec 2, Resources, Product image. */
const place = {
  product: z.int(),
  position: z.int(),
  /** The crop box, in pixels. */
  crop_x: UINT31.nullish(),
  crop_y: UINT31.nullish(),
  crop_w: UINT31.nullish(),
  crop_h: UINT31.nullish(),
} as const;

const productImage = z.looseObject({
  id: z.int(),
  product: z.int(),
  position: z.int().nullish(),
  created_date: wireDateTime.nullish(),
  modified_date: wireDateTime.nullish(),
});
const created = productImage.pick({ id: true });

const read = { section: '2, Endpoints, Product images', permission: { anyOf: ['Products'], access: 'read' } } as const;
const write = { ...read, permission: { anyOf: ['Products'], access: 'write' } } as const;

export const productImageOperations = {
  'product-images.list': operation({
    ...read,
    id: 'product-images.list',
    summary: 'List the images of products',
    method: 'GET',
    path: '/product-images/',
    provenance: 'documented',
    query: z.strictObject({
      ...SEARCH_QUERY,
      company: z.int().optional(),
      company_slug: nonEmpty.optional(),
      id: z.array(z.int()).optional(),
      product: z.int().optional(),
      product__id: z.array(z.int()).optional(),
    }),
    answer: productImage,
    paging: 'page',
  }),
  'product-images.get': operation({
    ...read,
    id: 'product-images.get',
    summary: 'Get one product image',
    method: 'GET',
    path: '/product-images/{id}/',
    provenance: 'assumed',
    pathParams: BY_ID,
    answer: productImage,
  }),
  'product-images.create': operation({
    ...write,
    id: 'product-images.create',
    summary: 'Add an image to a product',
    method: 'POST',
    path: '/product-images/',
    provenance: 'documented',
    bodyEncoding: 'multipart',
    body: z.strictObject({ image: wireFile, ...place }),
    answer: created,
  }),
  'product-images.clone': operation({
    ...write,
    id: 'product-images.clone',
    summary: 'Use an image for another product as well',
    method: 'POST',
    path: '/product-images/{id}/clone/',
    provenance: 'assumed',
    pathParams: BY_ID,
    body: z.strictObject(place),
    answer: created,
  }),
  'product-images.upload': operation({
    ...write,
    id: 'product-images.upload',
    summary: 'Add several images to a product at once',
    method: 'POST',
    path: '/product-images/bulk/',
    provenance: 'assumed',
    bodyEncoding: 'multipart',
    body: z
      .strictObject({
        product_id: z.int(),
        images: z.array(wireFile).min(1),
        /** Of each image, in the same order. */
        positions: z.array(z.int()).min(1),
      })
      .refine(({ images, positions }) => images.length === positions.length, {
        path: ['positions'],
        message: 'expected one position for each image',
      }),
    answer: z.unknown(),
  }),
  'product-images.delete': operation({
    ...write,
    id: 'product-images.delete',
    summary: 'Delete a product image',
    method: 'DELETE',
    path: '/product-images/{id}/',
    provenance: 'assumed',
    section: '1, Authentication, Permissions',
    pathParams: BY_ID,
    answer: z.unknown(),
  }),
} as const;
