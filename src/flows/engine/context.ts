import type { Look, ReadContext } from '../../shadow/context.ts';

/** What a flow works with, for one account. */
export interface AccountContext extends ReadContext {
  /** Has a collection read soon. */
  readonly requestRead: (collection: 'orders' | 'products' | 'erp-orders') => Promise<void>;
}

/** The same look, where a look that knows of this very write tells whether it would be decided again. */
export function decidedBy(look: Look, again: () => Promise<boolean>): Look {
  return { ...look, stillRight: () => look.stillRight?.(again) ?? again() };
}
