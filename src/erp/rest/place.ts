/** The place of a part of a description, for messages: `erp.yaml:41:12 lists.orders.row.total`. */
export type Place = (at: string) => string;

/** @param where the place of a path: `erp.yaml:41:12`; null when unknown */
export function placesOf(where: ((path: readonly string[]) => string | null) | undefined): Place {
  return (at) => {
    const written = where?.(at.split('.')) ?? null;
    return written === null ? at : `${written} ${at}`;
  };
}
