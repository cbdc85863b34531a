import { Exact } from '../exact.ts';
import type { Sql } from '../sql.ts';

/** A place of stock. An empty batch means no batch. */
export interface StockPlace {
  readonly location: string;
  readonly batch: string;
}

export interface LocationRow extends StockPlace {
  readonly on_hand: string;
  readonly reserved: string;
}

const PLACES = 'SELECT location, batch, on_hand, reserved FROM stock_locations WHERE n = ? ORDER BY rowid';

/** Stock by location and batch, for products that people gave a place. `n` is the product's number. */
export function createLocations(sql: Sql) {
  const placesOf = (n: number) => sql.all<LocationRow>(PLACES, n);
  const put = (n: number, row: LocationRow) => sql.put('stock_locations', { n, ...row });

  function reserve(n: number, quantity: Exact): void {
    const rows = placesOf(n);
    const enough = rows.find((row) => new Exact(row.on_hand).minus(row.reserved).gte(quantity));
    const row = enough ?? rows[0];
    if (row !== undefined) put(n, { ...row, reserved: new Exact(row.reserved).plus(quantity).toFixed() });
  }

  function release(n: number, quantity: Exact, leaves: Exact): void {
    let [left, leaving] = [quantity, leaves];
    for (const row of placesOf(n)) {
      const freed = Exact.min(row.reserved, left);
      const gone = Exact.min(freed, leaving);
      [left, leaving] = [left.minus(freed), leaving.minus(gone)];
      put(n, { ...row, reserved: minus(row.reserved, freed), on_hand: minus(row.on_hand, gone) });
    }
    const [first] = placesOf(n);
    if (first !== undefined && !leaving.isZero()) put(n, { ...first, on_hand: minus(first.on_hand, leaving) });
  }

  return {
    of: placesOf,
    set(n: number, place: StockPlace, onHand: string): void {
      const known = placesOf(n).find((row) => row.location === place.location && row.batch === place.batch);
      put(n, { ...place, on_hand: onHand, reserved: known?.reserved ?? '0' });
    },
    /**
     * Orders take from the first place that has enough, else from the first place. Released units go back in the same way.
     */
    move(n: number, change: Readonly<Record<'reserved' | 'onHand', string>>): void {
      const reserved = new Exact(change.reserved);
      const leaves = new Exact(change.onHand).negated();
      if (reserved.greaterThan(0)) reserve(n, reserved);
      else release(n, reserved.negated(), leaves);
    },
  };
}

function minus(figure: string, quantity: Exact): string {
  return new Exact(figure).minus(quantity).toFixed();
}
