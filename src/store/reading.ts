import { type Cause, sentenceOf } from '../domain/causes/cause.ts';
import type { Interval } from '../domain/coverage.ts';

export interface CoverageRow {
  readonly id: number;
  readonly account: string;
  readonly collection: string;
  /** null: from the beginning. */
  readonly fromInstant: string | null;
  readonly toInstant: string | null;
  /** Rows read. A row that was read twice counts twice. */
  readonly rows: number;
  readonly finding: string | null;
  readonly readAtMs: number;
}

/**
 * A time window that a read has covered, stored with its rows. A read that stopped early covers nothing beyond `from`.
 */
export interface Window {
  readonly account: string;
  readonly collection: string;
  /** null: from the beginning. */
  readonly from: string | null;
  readonly to: string | null;
  readonly rows: number;
  readonly finding: string | null;
  /** The new cursor, exactly as the server sent it; null: unchanged. */
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
  /** The order number or listing id in the webhook; null: not processed yet, or none. */
  readonly entity: string | null;
}

export interface WebhookEvent extends Omit<InboxRow, 'body' | 'bodyHash'> {
  readonly bytes: number;
}

export interface EventChoice {
  readonly accounts?: readonly string[] | undefined;
  readonly kind?: InboxRow['kind'] | undefined;
  readonly entities?: readonly string[] | undefined;
}

/** A row that breaks the documented shape or could not be stored. */
export interface FoundInvalidRow {
  /** The row's number, id or SKU. */
  readonly what: string;
  /** The path of the invalid value: `line_items[0].quantity`. */
  readonly path: string;
  readonly message: string;
  /** Why the row could not be stored. The path and the message are then empty. */
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

  /** The covered windows of a collection, the one of the last read first. */
  windows(account: string, collection: string): Promise<readonly CoverageRow[]>;

  collections(account: string): Promise<string[]>;

  record(window: Window): Promise<void>;

  /** Deletes the cursor and the windows, but not the rows: the collection is read from the beginning. */
  forget(account: string, collection: string): Promise<void>;

  tick(account: string): Promise<number>;
}

export interface FactStore {
  get(account: string, name: string): Promise<string | null>;

  set(account: string, name: string, value: string): Promise<void>;

  clear(account: string, name: string): Promise<void>;

  startingWith(account: string, prefix: string): Promise<{ name: string; value: string }[]>;

  named(name: string): Promise<readonly { account: string; value: string }[]>;
}

export interface InboxStore {
  /** All deliveries are on disk when this resolves. */
  store(deliveries: readonly Delivery[]): Promise<('stored' | 'duplicate')[]>;

  /** Marks an earlier delivery for processing once more. False: it is still waiting, or unknown. */
  reopen(delivery: Delivery): Promise<boolean>;

  unprocessed(account: string, kind: InboxRow['kind'], limit: number): Promise<InboxRow[]>;

  /** Marks the deliveries as processed and stores the entities that they name. */
  processed(looked: readonly Pick<InboxRow, 'id' | 'entity'>[]): Promise<void>;

  get(id: number): Promise<InboxRow | null>;

  /** The newest webhooks (before `beforeId`), newest first. */
  latest(limit: number, of: EventChoice, beforeId?: number): Promise<WebhookEvent[]>;

  /** The webhooks after `afterId`, oldest first, for a reader that follows along. */
  after(afterId: number, limit: number, of: EventChoice): Promise<WebhookEvent[]>;

  /** Processes the webhook once more as if it had just arrived. False: it is waiting anyway, or unknown. */
  resend(id: number, by: string): Promise<boolean>;

  prune(processedBeforeMs: number): Promise<void>;
}

/** Where and why a row is invalid, for people; null: it is valid. */
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

  /** Deletes invalid rows that a full list no longer showed: they are fixed or gone. */
  clear(account: string, collection: string, seenBeforeMs: number): Promise<void>;

  groups(account: string): Promise<InvalidRowGroup[]>;

  /** Invalid rows after `after`, by collection and name; at most 1,000. */
  list(account: string, after?: Pick<StoredInvalidRow, 'collection' | 'what'>): Promise<StoredInvalidRow[]>;
}
