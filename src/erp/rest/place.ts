/** A part of a description in messages: `erp.yaml:41:12 lists.orders.row.total`. */
export type Place = (at: string) => string;

/** @param where the location of a path: `erp.yaml:41:12`; null: unknown */
export function placesOf(where: ((path: readonly string[]) => string | null) | undefined): Place {
  return (at) => {
    const written = where?.(at.split('.')) ?? null;
    return written === null ? at : `${written} ${at}`;
  };
}
