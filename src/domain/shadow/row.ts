import { isOvertaken } from '../instant.ts';

/** An entity that has to be looked at: its flow, its key in that flow, and the reason. */
export interface Due {
  readonly flow: string;
  readonly key: string;
  readonly why: string;
  /** The entity is looked at so much later, because a look at once would find nothing new. Left out: at once. */
  readonly afterMs?: number;
  /** The ERP does not have this order yet, as far as the marketplace shows. */
  readonly isNewOrder?: boolean;
}

/** A row after an observation. null: the stored row stays. */
export interface Recorded<Row> {
  readonly row: Row | null;
  readonly due: readonly Due[];
}

/** The looks at a product of the ERP and at its stock. */
export function dueOfBoth(key: string, why: string): Due[] {
  return [
    { flow: 'product', key, why },
    { flow: 'stock', key, why },
  ];
}

/** Does the row have these values? */
export function shows<Row extends object>(row: Row, fields: Partial<Row>): boolean {
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
 * Did a later answer of the marketplace overtake this one? Then this one says nothing new. A clock that was ahead may have dated
 * the stored row in the future. Such a row does not silence the answers of today.
 * @param askedAtMs when this answer was asked for; undefined: it is the answer to a write
 */
export function isOutdated(
  before: (Modified & Partial<Stored>) | undefined,
  { modified }: Modified,
  askedAtMs?: number,
): boolean {
  return isOlder(modified, before?.modified, wasAskedBefore(before, askedAtMs));
}

interface Changed {
  readonly changedAt: string | null;
}

/** Was this page of the ERP on its way while the entity was changed? Then the page says nothing new of the entity. */
export function isOutdatedInErp(
  before: (Changed & Partial<Stored>) | undefined,
  { changedAt }: Changed,
  askedAtMs?: number,
): boolean {
  return isOlder(changedAt, before?.changedAt, wasAskedBefore(before, askedAtMs));
}

/** A row without a time is never overtaken, and overtakes nobody. */
function isOlder(text: string | null, known: string | null | undefined, wasAsked: boolean): boolean {
  return text !== null && known != null && isOvertaken(text, known, wasAsked);
}

/** Was this asked for before the stored row came? */
export function wasAskedBefore(before: Partial<Stored> | undefined, askedAtMs: number | undefined): boolean {
  return askedAtMs !== undefined && before?.seenAtMs !== undefined && askedAtMs <= before.seenAtMs;
}
