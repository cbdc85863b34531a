import type { ReadContext } from '../../shadow/context.ts';
import type { FollowUps } from './follow-ups.ts';

/** Everything that a flow may need for one account. Most functions take a narrower context. */
export interface AccountContext extends ReadContext {
  readonly requestRead: (collection: 'orders' | 'products' | 'erp-orders') => Promise<void>;
  readonly followUps: FollowUps;
}
