import { type Cause, sentenceOf } from '../domain/causes/cause.ts';
import type { Interval } from '../domain/coverage.ts';

export interface CoverageRow {
  readonly id: number;
  readonly account: string;
  readonly collection: string;
  /** null: from the beginning. */
  readonly fromInstant: string | null;
  readonly toInstant: string | null;
  /** The number of rows that were read. A row may count several times. */
  readonly rows: number;
  /** The finding of the last read. */
  readonly finding: string | null;
  readonly readAtMs: number;
}

/**
 * A window of a collection that a read has covered. The window is stored with the rows of the read. A read that did not reach its
 * end covers nothing beyond `from`.
 */
export interface Window {
  readonly account: string;
  readonly collection: string;
  /** null: from the beginning. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly finding: string | null;
  /** The new cursor, exactly as the server sent it; null: the cursor stays. */
  readonly cursor: string | null;
}

export interface Delivery {
  readonly account: string;
  readonly kind: 'orders' | 'products';
  readonly body: Buffer;
  readonly receivedAtMs: number;
}

export interface InboxRow extends Delivery {
  readonly id: number;
  readonly bodyHash: string;
  readonly processedAtMs: number | null;
  /** The order's number or the listing's id in the webhook. null: the webhook was not looked at yet, or names no entity. */
  readonly entity: string | null;
}

/** A webhook without its body. */
export interface WebhookEvent extends Omit<InboxRow, 'body' | 'bodyHash'> {
  readonly bytes: number;
}

/** A choice among webhooks. */
export interface EventChoice {
  readonly accounts?: readonly string[] | undefined;
  readonly kind?: InboxRow['kind'] | undefined;
  /** Only webhooks that name one of these entities: numbers of orders or ids of listings. */
  readonly entities?: readonly string[] | undefined;
}

/** A row that does not fit the documented shape, or that could not be stored. */
export interface FoundInvalidRow {
  /** A name of the row: its number, id or SKU. */
  readonly what: string;
  /** The place that does not fit: `line_items[0].quantity`. */
  readonly path: string;
  readonly message: string;
  /** Why the row could not be stored. Then the place and the message are empty. */
  readonly cause?: Cause | null;
}

export interface StoredInvalidRow extends FoundInvalidRow {
  readonly cause: Cause | null;
  readonly account: string;
  readonly collection: string;
  readonly seenAtMs: number;
}

export interface InvalidRowGroup {
  readonly collection: string;
  readonly count: number;
  readonly first: FoundInvalidRow;
}

export function intervalOf({ fromInstant, toInstant }: CoverageRow): Interval {
  return { from: fromInstant, to: toInstant };
}

export interface CursorStore {
  get(account: string, collection: string): Promise<{ value: string; updatedAtMs: number } | null>;

  all(): Promise<{ account: string; collection: string; value: string; updatedAtMs: number }[]>;

  /** The covered windows of a collection, the window of the last read first. */
  windows(account: string, collection: string): Promise<readonly CoverageRow[]>;

  /** The collections of an account that were read at least once. */
  collections(account: string): Promise<string[]>;

  record(window: Window): Promise<void>;

  /** Forgets the cursor and the covered windows, as if the collection had never been read. The rows stay. */
  forget(account: string, collection: string): Promise<void>;

  tick(account: string): Promise<number>;
}

export interface FactStore {
  get(account: string, name: string): Promise<string | null>;

  set(account: string, name: string, value: string): Promise<void>;

  clear(account: string, name: string): Promise<void>;

  startingWith(account: string, prefix: string): Promise<{ name: string; value: string }[]>;

  /** The facts of this name of all accounts. */
  named(name: string): Promise<readonly { account: string; value: string }[]>;
}

export interface InboxStore {
  /** Stores all deliveries in one transaction. They are on the disk when this call answers. */
  store(deliveries: readonly Delivery[]): Promise<('stored' | 'duplicate')[]>;

  /** Has an earlier delivery looked at once more. Answers false when it still waits, or is not there. */
  reopen(delivery: Delivery): Promise<boolean>;

  unprocessed(account: string, kind: InboxRow['kind'], limit: number): Promise<InboxRow[]>;

  /** Notes that these deliveries were looked at, and the entities that they name. */
  processed(looked: readonly Pick<InboxRow, 'id' | 'entity'>[]): Promise<void>;

  get(id: number): Promise<InboxRow | null>;

  /** The newest webhooks, or the newest before `beforeId`, newest first. */
  latest(limit: number, of: EventChoice, beforeId?: number): Promise<WebhookEvent[]>;

  /** The webhooks after `afterId`, oldest first, for a reader that follows along. */
  after(afterId: number, limit: number, of: EventChoice): Promise<WebhookEvent[]>;

  /** Has the webhook looked at once more, as if it had come now. Answers false when it waits anyway, or is not there. */
  resend(id: number, by: string): Promise<boolean>;

  prune(processedBeforeMs: number): Promise<void>;
}

/** Where and how a row does not fit, for a person; null: the row fits. */
export function invalidRowText(invalidRow: FoundInvalidRow): string;
export function invalidRowText(invalidRow: FoundInvalidRow | null): string | null;
export function invalidRowText(invalidRow: FoundInvalidRow | null): string | null {
  if (invalidRow === null) return null;
  const { path, message, cause = null } = invalidRow;
  return cause === null ? `${path}: ${message}` : sentenceOf(cause);
}

export interface InvalidRowStore {
  record(account: string, collection: string, found: readonly FoundInvalidRow[]): Promise<void>;

  get(account: string, collection: string, what: string): Promise<StoredInvalidRow | null>;

  /** Deletes the invalid rows that a complete listing did not show again. They are mended or gone. */
  clear(account: string, collection: string, seenBeforeMs: number): Promise<void>;

  /** The number of invalid rows in each collection, with the first of them. */
  groups(account: string): Promise<InvalidRowGroup[]>;

  /** The invalid rows after `after`, in the order of their collections and names, at most 1,000 of them. */
  list(account: string, after?: Pick<StoredInvalidRow, 'collection' | 'what'>): Promise<StoredInvalidRow[]>;
}
