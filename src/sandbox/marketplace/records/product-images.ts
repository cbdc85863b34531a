import { createHash } from 'node:crypto';
import type { WireFile } from '../../../marketplace/operations/wire.ts';
import type { Handler } from '../call.ts';
import { isProduct } from '../product-rows.ts';
import { invalid } from '../refusal.ts';
import { type Fields, without } from '../wire-values.ts';
import { ofSeller } from './companies.ts';
import { createRecord, recordAnswer, recordsAnswer } from './crud.ts';
import { type Family, field } from './family.ts';
import { listRecords } from './list.ts';
import { fieldsOf, needRecord } from './rows.ts';

/** Spec 2, Product image. Only the part of the file that tells it from others is kept. */
export const productImages: Family = {
  name: 'product-images',
  times: ['created_date', 'modified_date'],
  initial: { crop_x: null, crop_y: null, crop_w: null, crop_h: null },
  refers: { product: isProduct },
  searched: [field('file.name')],
  attributes: { product__id: field('product') },
  filters: {
    company: (id, _all, market) => (id === market.settings().sellerId ? null : { sql: '0', values: [] }),
    company_slug: ofSeller,
  },
  show: (_market, fields) => without(fields, new Set(['file'])),
};

/** The shorter image listing does not show the crop box. */
const listed: Family = {
  ...productImages,
  show: (_market, { product, position }) => ({ product, position }),
};

export const productImageHandlers: Readonly<Record<string, Handler>> = {
  'product-images.list': (market, call) => recordsAnswer(market, listed, listRecords(market, productImages, call)),
  'product-images.create': (market, { body: { image, ...place } }) =>
    recordAnswer(market, productImages, createRecord(market, productImages, { ...place, file: kept('image', image) })),
  'product-images.clone': (market, { params, body }) => {
    const { file } = fieldsOf(needRecord(market, productImages, params['id']));
    return recordAnswer(market, productImages, createRecord(market, productImages, { ...body, file }));
  },
  'product-images.upload': (market, { body }) => {
    const { product_id: product, images, positions } = body as { [name: string]: unknown; positions: number[] };
    if (!isProduct(market, product)) throw invalid('product_id', 'There is no such product.');
    for (const [index, image] of (images as WireFile[]).entries()) {
      createRecord(market, productImages, { product, position: positions[index], file: kept('images', image) });
    }
    return { kind: 'entity', json: null };
  },
};

/** @throws Refusal 400 when it is no image */
function kept(name: string, file: unknown): Fields {
  const { name: fileName, contentType, bytes } = file as WireFile;
  if (!contentType.startsWith('image/') || bytes.length === 0) throw invalid(name, 'Upload a valid image.');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: fileName, content_type: contentType, size: bytes.length, sha256 };
}
