import type { Look, ReadContext } from '../../shadow/context.ts';

/** The whole of what a flow may need, for one account: each part of it takes the smaller contexts. */
export interface AccountContext extends ReadContext {
  /** Has a collection read soon. */
  readonly requestRead: (collection: 'orders' | 'products' | 'erp-orders') => Promise<void>;
}

/** The same look, where a look that knows of this very write tells whether it would be decided again. */
export function decidedBy(look: Look, again: () => Promise<boolean>): Look {
  return { ...look, stillRight: () => look.stillRight?.(again) ?? again() };
}
