import type { AccountConfig } from '../config/resolve.ts';
import type { ErpConnector } from '../erp/connector.ts';
import type { ImageFetcher } from '../erp/images/fetcher.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { Lane } from '../marketplace/quota.ts';
import type { JournalEntry } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Bucket } from './bucket.ts';

/** One account and its shadow: enough for whatever asks neither side. */
export interface Known {
  readonly account: string;
  readonly config: AccountConfig;
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Enough to put something on record. */
export interface Recording extends Known {
  /** Told of every entry of the journal, once it is on record. */
  readonly onJournal: (entry: JournalEntry) => void;
}

/** The marketplace is read with this, and nothing else is asked. */
export interface MarketplaceReading extends Recording {
  readonly client: MarketplaceClient;
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

/** The ERP is read with this, and nothing else is asked. */
export interface ErpReading extends Recording {
  readonly erp: ErpConnector;
}

/** The images that the ERP names are fetched with this. */
export interface ImageReading extends Known {
  readonly images: ImageFetcher;
}

/** Both sides are read with this, into the shadow. */
export interface ReadContext extends MarketplaceReading, ErpReading, ImageReading {}

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
