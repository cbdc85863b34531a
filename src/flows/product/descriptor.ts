import { NAMES } from '../../shadow/read-names.ts';
import type { FlowDescriptor } from '../descriptor.ts';

export const productDescriptor = {
  title: 'listings',
  about: 'listings on the marketplace',
  isOn: () => true,
  keys: 'erp-products',
  links: 'product',
  reads: ({ products }) => [
    ...(products.references.length === 0 ? [] : (['names'] as const)),
    'erp-products',
    'products',
  ],
  operations: ({ products }) => [
    'products.list',
    'products.patch',
    ...(products.create ? (['products.create'] as const) : []),
    ...(products.archive ? (['products.archive'] as const) : []),
    ...products.references.map(({ field }) => NAMES[field].list),
    ...(products.createProductLines ? (['product-lines.create'] as const) : []),
  ],
  writes: {
    marketplace: [
      'product.create',
      'product.patch',
      'product.price',
      'product.archive',
      'product.restore',
      'product-line.create',
    ],
  },
  brakes: {
    lists: ['erp-products'],
    counts: {
      create: ['product.create:create'],
      archive: ['product.archive:archive'],
      price: ['product.price:price'],
      relink: [],
      reprice: [],
    },
    shareOf: 'listings',
  },
  makesFirstLinks: true,
} satisfies FlowDescriptor;
