import { cause, type ShownCause, shownCause } from '../domain/causes/cause.ts';
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

export function shownMisfit(collection: string, { what, path, message }: FoundMisfit): ShownCause {
  const params = { row: what, problem: `${path}: ${message}` };
  return shownCause(cause(collection.startsWith('erp-') ? 'erp-row-misfit' : 'row-misfit', params));
}
