/** The location and the batch where the ERP keeps some of a product. A row without both is the product's whole stock. */
export interface Placed {
  readonly location?: string;
  readonly batch?: string;
}

export function isPlaced({ location, batch }: Placed): boolean {
  return location !== undefined || batch !== undefined;
}

/** The name of a place as a key. An ERP may keep stock by location, by batch, or by both. */
export function erpPlaceKey({ location, batch }: Partial<Record<keyof Placed, string | undefined>>): string {
  return JSON.stringify([location ?? null, batch ?? null]);
}

/** For a person: `EAST`, `EAST batch LOT-7`. */
export function erpPlaceText({ location, batch }: Placed): string {
  return `${location ?? '(no location)'}${batch === undefined ? '' : ` batch ${batch}`}`;
}

/** The name of a stock row among all others: the product's id, and its place where it has one. */
export function stockRowName(row: Placed & { readonly productId: string }): string {
  return isPlaced(row) ? `${row.productId} at ${erpPlaceText(row)}` : row.productId;
}
