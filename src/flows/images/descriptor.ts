import type { FlowDescriptor } from '../descriptor.ts';

export const imagesDescriptor = {
  title: 'images',
  about: 'images of listings',
  isOn: ({ products }) => products.images !== null,
  keys: 'erp-products',
  links: 'product',
  reads: () => ['images'],
  operations: ({ products }) => [
    'product-images.list',
    'product-images.create',
    ...(products.images?.remove ? (['product-images.delete'] as const) : []),
  ],
  writes: { marketplace: ['images.upload', 'images.remove'] },
} satisfies FlowDescriptor;
