import { type Code, cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
import type { FoundMisfit } from '../store/reading.ts';
import type { Store } from '../store/store.ts';

/** The rows of one collection that cannot be read, with the first of them. */
export interface MisfitsOf {
  readonly collection: string;
  readonly count: number;
  readonly example: { readonly key: string } & ShownCause;
}

/** How many rows of an account cannot be read, in all and by collection. */
export interface Misfits {
  readonly count: number;
  readonly collections: readonly MisfitsOf[];
}

/** Nothing is known of what such a row says, so a pass or a plan that came upon one has not seen everything. */
export async function misfitsOf(account: string, store: Pick<Store, 'misfits'>): Promise<Misfits> {
  const groups = await store.misfits.groups(account);
  return {
    count: groups.reduce((total, { count }) => total + count, 0),
    collections: groups.map(({ collection, count, first }) => {
      return { collection, count, example: { key: first.what, ...shownMisfit(collection, first) } };
    }),
  };
}

/** The collection whose row does not fit, where an entity is held for that. */
const ROWS_OF: Readonly<Partial<Record<Code, string>>> = {
  'order-misfit': 'orders',
  'listing-misfit': 'products',
  'customer-misfit': 'customers',
  'payment-misfit': 'payments',
  'measurements-misfit': 'measurements',
  'erp-product-misfit': 'erp-products',
  'stock-misfit': 'erp-stock',
  'erp-order-misfit': 'erp-orders',
  'erp-customer-misfit': 'erp-customers',
  'erp-payment-misfit': 'erp-payments',
};

/** Whether an entity that is held for this code is counted with the rows that cannot be read, and not as held. */
export function toldWithRows({ collections }: Misfits): (code: string) => boolean {
  const unfit = new Set(collections.map(({ collection }) => collection));
  return (code) => unfit.has(ROWS_OF[code as Code] ?? '');
}

export function shownMisfit(collection: string, { what, path, message }: FoundMisfit): ShownCause {
  const params = { row: what, problem: `${path}: ${message}` };
  return shownCause(cause(collection.startsWith('erp-') ? 'erp-row-misfit' : 'row-misfit', params));
}
