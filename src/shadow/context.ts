import type { AccountConfig } from '../config/resolve.ts';
import type { ErpConnector } from '../erp/connector.ts';
import type { ImageFetcher } from '../erp/images/fetcher.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { Lane } from '../marketplace/quota.ts';
import type { JournalEntry } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Bucket } from './bucket.ts';

/** Everything that reads one account's two sides into the shadow. */
export interface ReadContext {
  readonly account: string;
  readonly config: AccountConfig;
  readonly client: MarketplaceClient;
  readonly erp: ErpConnector;
  /** Fetches the images that the ERP names. */
  readonly images: ImageFetcher;
  readonly store: Store;
  /** Told of every entry of the journal, once it is on record. */
  readonly onJournal: (entry: JournalEntry) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Runs `work` alone among all that name one of these products: transitions and stock writes of one product. */
  readonly exclusively: <T>(productKeys: readonly string[], work: () => Promise<T>) => Promise<T>;
  /** Reads a collection to its end before it answers, one read at a time; not when the one before has made it needless. */
  readonly readNow: (
    collection: 'orders' | 'products' | 'customers' | 'payments' | 'erp-orders' | 'erp-payments',
    look: Look,
    stillWanted?: () => Promise<boolean>,
  ) => Promise<void>;
  /** Takes one of the single reads that webhooks may cause. */
  readonly singleReads: Bucket;
}

/** One look at one key. */
export interface Look {
  readonly key: string;
  readonly lane: Lane;
  readonly signal: AbortSignal;
  /** While a write is made: notes when it was sent, since it may have waited for the quota before. */
  readonly sending?: () => Promise<void>;
  /**
   * Asked before that: is the flow not paused, and would it be decided again?
   * @param again answers the second, where a look that does not know of this very write would not
   */
  readonly stillRight?: (again?: () => Promise<boolean>) => Promise<boolean>;
}
