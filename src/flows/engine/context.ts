import type { ReadContext } from '../../shadow/context.ts';
import type { FollowUps } from './follow-ups.ts';

/** Everything that a flow may need for one account. Each part of a flow takes one of the smaller contexts. */
export interface AccountContext extends ReadContext {
  /** Has a collection read soon. */
  readonly requestRead: (collection: 'orders' | 'products' | 'erp-orders') => Promise<void>;
  readonly followUps: FollowUps;
}
