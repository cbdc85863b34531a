import { bareFamily } from './bare-family.ts';

const strains = bareFamily('strains', ['Products'], { one: 'strain', many: 'strains' });
const batches = bareFamily('batches', ['Products'], { one: 'batch', many: 'batches' });
const documents = bareFamily('batch-documents', ['Products'], {
  one: 'document of a batch',
  many: 'documents of batches',
});
const productBatches = bareFamily('product-batches', ['Products'], {
  one: 'assignment of a batch to a product',
  many: 'assignments of batches to products',
});
const licenses = bareFamily('licenses', ['Products'], { one: 'license', many: 'licenses' });
/** Spec 1, Permissions: only Read & Write grants to see licenses. */
const licenseAccess = { permission: { anyOf: ['Products'], access: 'write' } } as const;

/** The methods that spec 1's table of permissions grants. */
export const batchOperations = {
  'strains.list': strains.list,
  'strains.get': strains.get,
  'strains.create': strains.create,
  'batches.list': batches.list,
  'batches.get': batches.get,
  'batches.create': batches.create,
  'batches.patch': batches.patch,
  'batches.delete': batches.delete,
  'batch-documents.list': documents.list,
  'batch-documents.get': documents.get,
  'batch-documents.create': documents.create,
  'batch-documents.delete': documents.delete,
  'product-batches.list': productBatches.list,
  'product-batches.get': productBatches.get,
  'product-batches.create': productBatches.create,
  'product-batches.delete': productBatches.delete,
  'licenses.list': { ...licenses.list, ...licenseAccess },
  'licenses.get': { ...licenses.get, ...licenseAccess },
} as const;
