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

/** For code that writes to the records. */
export interface Recording extends AccountRecords {
  /** Called with every entry of the journal, once it is on record. */
  readonly onJournal: (entry: JournalEvent) => void;
}

/** A flow that writes to the marketplace, and the side whose ids are its keys. */
export interface Writer {
  readonly flow: string;
  readonly keyedBy: 'marketplace' | 'erp';
}

/** For code that reads the marketplace only. */
export interface MarketplaceReading extends Recording {
  readonly client: MarketplaceClient;
  /** Runs `work` alone among all work that names one of the same keys, such as transitions and stock writes of one product. */
  readonly exclusively: <T>(productKeys: readonly string[], work: () => Promise<T>) => Promise<T>;
  /**
   * Reads a collection to its end before it answers. Reads run one at a time. A read is left out when the previous read has
   * made it needless.
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
  /** Reads the present state of one listing. Looks that ask at once share a call. */
  readonly readListing: (look: Look, id: number, archived: boolean) => Promise<void>;
  /** The flows that write to the marketplace's orders and listings. */
  readonly writers: Readonly<Record<InboxRow['kind'], readonly Writer[]>>;
  /** Takes one of the single reads that webhooks may cause. */
  readonly singleReads: Bucket;
}

/** For code that reads the ERP only. */
export interface ErpReading extends Recording {
  readonly erp: ErpConnector;
  /** Called with the abilities that the ERP states. From then on, `config` is without everything that the ERP cannot do. */
  readonly heard?: (said: StatedCapabilities) => void;
}

/** For code that reads the stock of single products from the ERP. */
export interface StockReading extends ErpReading {
  /** Reads the present stock of the product that this look is about. Looks that ask at once share a call. */
  readonly readStock: (look: Look, sku: string) => Promise<void>;
}

/** For code that fetches the images that the ERP names. */
export interface ImageReading extends AccountRecords {
  readonly images: ImageFetcher;
}

/** For code that reads both sides into the shadow. */
export interface ReadContext extends MarketplaceReading, StockReading, ImageReading {}

/** One look at one key. */
export interface Look {
  readonly key: string;
  /** The lane of the work that the look finds or goes on with. */
  readonly lane: Lane;
  /** The lane of its calls; `lane` when left out. */
  readonly callLane?: CallLane;
  readonly signal: AbortSignal;
  /** The version of the key's work when the look began. */
  readonly version?: number;
  /** Why the key was held before this look. */
  readonly heldFor?: readonly Cause[];
  /** For how long a call waits for room in the quota; the longest time that is allowed when left out. */
  readonly patienceMs?: number;
}
