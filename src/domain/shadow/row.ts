import { isOvertaken } from '../instant.ts';

/** An entity that has to be looked at: its flow, its key there, and why. */
export interface Due {
  readonly flow: string;
  readonly key: string;
  readonly why: string;
}

/** A row after an observation: null when the kept one stays. */
export interface Recorded<Row> {
  readonly row: Row | null;
  readonly due: readonly Due[];
}

/** A product of the ERP and its stock. */
export function dueOfBoth(key: string, why: string): Due[] {
  return [
    { flow: 'product', key, why },
    { flow: 'stock', key, why },
  ];
}

/** Does the row have just these values? */
export function shows<Row extends object>(row: Row, fields: Partial<Row>): boolean {
  return Object.entries(fields).every(([name, value]) => row[name as keyof Row] === value);
}

interface Modified {
  readonly modified: string | null;
}

/**
 * An answer of the marketplace that was overtaken by a later one says nothing new. A row that was dated in the future once, by a
 * server whose clock was there too, does not silence the answers of today.
 */
export function isOutdated(before: Modified | undefined, { modified }: Modified): boolean {
  return before?.modified != null && modified !== null && isOvertaken(modified, before.modified);
}

interface Changed {
  readonly changedAt: string | null;
}

/** A page of the ERP that was on its way while the entity was changed says nothing new. */
export function isOutdatedInErp(before: Changed | undefined, { changedAt }: Changed): boolean {
  return before?.changedAt != null && changedAt !== null && isOvertaken(changedAt, before.changedAt);
}
