import type { AccountConfig } from '../config/resolve.ts';
import type { Cause } from '../domain/causes/cause.ts';
import type { StatedCapabilities } from '../erp/capabilities.ts';
import type { ErpConnector } from '../erp/connector.ts';
import type { ImageFetcher } from '../erp/images/fetcher.ts';
import type { MarketplaceClient } from '../marketplace/client.ts';
import type { Lane as CallLane } from '../marketplace/quota.ts';
import type { InboxRow } from '../store/reading.ts';
import type { JournalEvent } from '../store/record.ts';
import type { Store } from '../store/store.ts';
import type { Lane } from '../store/work.ts';
import type { Bucket } from './bucket.ts';

/** One account and its shadow, for code that calls neither side. */
export interface AccountRecords {
  readonly account: string;
  readonly config: AccountConfig;
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export interface Recording extends AccountRecords {
  readonly onJournal: (entry: JournalEvent) => void;
}

/** A flow that writes to the marketplace, and the side whose ids are its keys. */
export interface Writer {
  readonly flow: string;
  readonly keyedBy: 'marketplace' | 'erp';
}

/** For code that calls only the marketplace. */
export interface MarketplaceReading extends Recording {
  readonly client: MarketplaceClient;
  /** Runs `work` exclusively among all work with a common key, such as transitions and stock writes of one product. */
  readonly exclusively: <T>(productKeys: readonly string[], work: () => Promise<T>) => Promise<T>;
  /**
   * Reads a collection to its end. Reads run one at a time. A read is skipped if the previous one made it unnecessary.
   */
  readonly readNow: (
    collection:
      | 'orders'
      | 'products'
      | 'batches'
      | 'customers'
      | 'payments'
      | 'erp-orders'
      | 'erp-customers'
      | 'erp-payments',
    look: Look,
    stillWanted?: () => Promise<boolean>,
  ) => Promise<void>;
  /** Reads one listing's current state. Concurrent looks share a call. */
  readonly readListing: (look: Look, id: number, archived: boolean) => Promise<void>;
  readonly writers: Readonly<Record<InboxRow['kind'], readonly Writer[]>>;
  /** The rate limit of single reads caused by webhooks. */
  readonly singleReads: Bucket;
}

/** For code that calls only the ERP. */
export interface ErpReading extends Recording {
  readonly erp: ErpConnector;
  /** Called with the capabilities that the ERP states. `config` then excludes everything that it cannot do. */
  readonly heard?: (said: StatedCapabilities) => void;
}

export interface StockReading extends ErpReading {
  /** Reads the current stock of the look's product. Concurrent looks share a call. */
  readonly readStock: (look: Look, sku: string) => Promise<void>;
}

export interface ImageReading extends AccountRecords {
  readonly images: ImageFetcher;
}

export interface ReadContext extends MarketplaceReading, StockReading, ImageReading {}

/** One look at one key. */
export interface Look {
  readonly key: string;
  /** The lane of work that the look finds or continues. */
  readonly lane: Lane;
  /** The lane of its calls. Default: `lane`. */
  readonly callLane?: CallLane;
  readonly signal: AbortSignal;
  /** The version of the key's work when the look began. */
  readonly version?: number;
  /** The key's holds before this look. */
  readonly heldFor?: readonly Cause[];
  /** How long a call waits for the quota. Default: the longest allowed time. */
  readonly patienceMs?: number;
}
