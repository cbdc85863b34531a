import { isOutdatedBy } from '../instant.ts';

export interface Due {
  readonly flow: string;
  readonly key: string;
  readonly why: string;
  /** Delay of the look, because an immediate one would find nothing new. Omitted: none. */
  readonly afterMs?: number;
  /** The marketplace does not show that the ERP has this order. */
  readonly isNewOrder?: boolean;
}

/** The row after an observation. null: the stored row stays. */
export interface Recorded<Row> {
  readonly row: Row | null;
  readonly due: readonly Due[];
}

export function dueOfBoth(key: string, why: string): Due[] {
  return [
    { flow: 'product', key, why },
    { flow: 'stock', key, why },
  ];
}

export function hasFields<Row extends object>(row: Row, fields: Partial<Row>): boolean {
  return Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value);
}

interface Stored {
  /** Our own clock when the row was stored. */
  readonly seenAtMs: number;
}

interface Modified {
  readonly modified: string | null;
}

/**
 * Returns whether a newer answer of the marketplace was already stored. A row dated in the future by a wrong clock does
 * not block current answers.
 * @param askedAtMs when this answer was requested; undefined: the answer to a write
 */
export function isOutdated(
  before: (Modified & Partial<Stored>) | undefined,
  { modified }: Modified,
  askedAtMs?: number,
): boolean {
  return isOlder(modified, before?.modified, wasRequestedEarlier(before, askedAtMs));
}

interface Changed {
  readonly changedAt: string | null;
}

/** Returns whether this page of the ERP was requested before the entity changed, and is therefore outdated. */
export function isOutdatedInErp(
  before: (Changed & Partial<Stored>) | undefined,
  { changedAt }: Changed,
  askedAtMs?: number,
): boolean {
  return isOlder(changedAt, before?.changedAt, wasRequestedEarlier(before, askedAtMs));
}

/** A row without a time is never outdated and outdates none. */
function isOlder(text: string | null, known: string | null | undefined, wasAsked: boolean): boolean {
  return text !== null && known != null && isOutdatedBy(text, known, wasAsked);
}

/** Returns whether this was requested before the stored row arrived. */
export function wasRequestedEarlier(before: Partial<Stored> | undefined, askedAtMs: number | undefined): boolean {
  return askedAtMs !== undefined && before?.seenAtMs !== undefined && askedAtMs <= before.seenAtMs;
}
