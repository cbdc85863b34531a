/** The ERP's location and batch of a stock row. A row without both is the product's total stock. */
export interface Placed {
  readonly location?: string;
  readonly batch?: string;
}

export function isPlaced({ location, batch }: Placed): boolean {
  return location !== undefined || batch !== undefined;
}

export function erpPlaceKey({ location, batch }: Partial<Record<keyof Placed, string | undefined>>): string {
  return JSON.stringify([location ?? null, batch ?? null]);
}

/** `EAST`, `EAST batch LOT-7`. */
export function erpPlaceText({ location, batch }: Placed): string {
  return `${location ?? '(no location)'}${batch === undefined ? '' : ` batch ${batch}`}`;
}

export function stockRowName(row: Placed & { readonly productId: string }): string {
  return isPlaced(row) ? `${row.productId} at ${erpPlaceText(row)}` : row.productId;
}
