/** Where a part of a description stands, for messages: `erp.yaml:41:12 lists.orders.row.total`. */
export type Place = (at: string) => string;

/** @param where of a path: `erp.yaml:41:12`; null when nobody knows */
export function placesOf(where: ((path: readonly string[]) => string | null) | undefined): Place {
  return (at) => {
    const written = where?.(at.split('.')) ?? null;
    return written === null ? at : `${written} ${at}`;
  };
}
