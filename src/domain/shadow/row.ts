import { isOvertaken } from '../instant.ts';

/** An entity that has to be looked at: its flow, its key in that flow, and the reason. */
export interface Due {
  readonly flow: string;
  readonly key: string;
  readonly why: string;
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

interface Modified {
  readonly modified: string | null;
}

/**
 * Did a later answer of the marketplace overtake this one? Then this one says nothing new. A clock that was ahead may have dated
 * the stored row in the future. Such a row does not silence the answers of today.
 */
export function isOutdated(before: Modified | undefined, { modified }: Modified): boolean {
  return before?.modified != null && modified !== null && isOvertaken(modified, before.modified);
}

interface Changed {
  readonly changedAt: string | null;
}

/** Was this page of the ERP on its way while the entity was changed? Then the page says nothing new of the entity. */
export function isOutdatedInErp(before: Changed | undefined, { changedAt }: Changed): boolean {
  return before?.changedAt != null && changedAt !== null && isOvertaken(changedAt, before.changedAt);
}
