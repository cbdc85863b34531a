import { Exact } from '../exact.ts';
import type { Sql } from '../sql.ts';
import type { ProductFields, ProductRecord, StockRecord } from './records.ts';
import { Refusal } from './refusal.ts';

type Columns = Pick<ProductRecord, 'sku' | 'name' | 'description' | 'unit_multiplier'> &
  Pick<StockRecord, 'on_hand' | 'reserved'> &
  ProductRecord['price'];
export interface ProductRow extends Columns {
  n: number;
  active: number;
  deleted: number;
  attributes: string;
  changed_ms: number;
  stock_changed_ms: number;
}

/** Signed changes of one SKU's figures. */
export interface StockMove {
  readonly sku: string;
  readonly reserved: string;
  readonly onHand: string;
}

/** Products and their stock. If several share a SKU, stock moves on the first. */
export function createCatalog(sql: Sql, nowMs: () => number) {
  const locations = createLocations(sql);

  function rowOf(sku: string): ProductRow {
    const row = sql.get<ProductRow>('SELECT * FROM products WHERE sku = ? ORDER BY n LIMIT 1', sku);
    if (row === undefined) throw new Refusal(422, `SKU ${sku} is not in this ERP`);
    return row;
  }

  return {
    /** Adds a row even for an existing SKU, as in real ERPs. */
    add(sku: string, fields: ProductFields): ProductRecord {
      const { n: _, ...row } = withFields(blankRow(sku), fields, nowMs());
      return productRecord({ ...row, n: sql.insert('products', row) });
    },
    /** Changes the first product with this SKU. */
    set(sku: string, fields: ProductFields): ProductRecord {
      const row = withFields(rowOf(sku), fields, nowMs());
      sql.update('products', 'n', row);
      return productRecord(row);
    },
    rename(sku: string, to: string): void {
      sql.update('products', 'n', { ...rowOf(sku), sku: to, changed_ms: nowMs(), stock_changed_ms: nowMs() });
    },
    /** Removes the product without a trace. */
    remove(sku: string): void {
      sql.run('DELETE FROM products WHERE n = ?', rowOf(sku).n);
    },
    move(moves: readonly StockMove[]): void {
      for (const move of moves) {
        const row = rowOf(move.sku);
        const reserved = new Exact(row.reserved).plus(move.reserved).toFixed();
        const onHand = new Exact(row.on_hand).plus(move.onHand).toFixed();
        sql.update('products', 'n', { ...row, reserved, on_hand: onHand, stock_changed_ms: nowMs() });
        locations.move(row.n, move);
      }
    },
    /** Sets the stock at one place. Stock on hand is the sum of all places. */
    setAt(sku: string, place: StockPlace, onHand: string): void {
      const row = rowOf(sku);
      locations.set(row.n, place, onHand);
      const total = locations.of(row.n).reduce((sum, each) => sum.plus(each.on_hand), new Exact(0));
      sql.update('products', 'n', { ...row, on_hand: total.toFixed(), stock_changed_ms: nowMs() });
    },
    /** One row for each place, or one for a product without places. */
    stockRows(row: ProductRow, asOf: string): StockRecord[] {
      const places = locations.of(row.n);
      return places.length === 0 ? [stockRecord(row, asOf)] : places.map((place) => placeRecord(row, place, asOf));
    },
    /** Over all places. */
    stockOf: (sku: string): StockRecord => stockRecord(rowOf(sku), new Date(nowMs()).toISOString()),
  };
}

export type Catalog = ReturnType<typeof createCatalog>;

function productId(n: number): string {
  return `P-${String(n).padStart(6, '0')}`;
}

export function productRecord(row: ProductRow): ProductRecord {
  return {
    id: productId(row.n),
    sku: row.sku,
    name: row.name,
    description: row.description,
    active: row.active === 1,
    deleted: row.deleted === 1,
    price: { amount: row.amount, currency: row.currency },
    unit_multiplier: row.unit_multiplier,
    attributes: JSON.parse(row.attributes) as Record<string, unknown>,
    changed_at: new Date(row.changed_ms).toISOString(),
  };
}

/** `as_of` is the time of this read. */
function stockRecord(row: ProductRow, asOf: string): StockRecord {
  return {
    sku: row.sku,
    product_id: productId(row.n),
    on_hand: row.on_hand,
    reserved: row.reserved,
    available: new Exact(row.on_hand).minus(row.reserved).toFixed(),
    as_of: asOf,
  };
}

function placeRecord(row: ProductRow, { location, batch, ...figures }: LocationRow, asOf: string): StockRecord {
  const whole = stockRecord({ ...row, ...figures }, asOf);
  return { ...whole, location, ...(batch === '' ? {} : { batch }) };
}

function blankRow(sku: string): ProductRow {
  return {
    n: 0,
    sku,
    name: `Product ${sku}`,
    description: '',
    active: 1,
    deleted: 0,
    amount: '10.00',
    currency: 'USD',
    unit_multiplier: '1',
    attributes: '{}',
    changed_ms: 0,
    on_hand: '0',
    reserved: '0',
    stock_changed_ms: 0,
  };
}

/** A stock change dates only the stock row, any other change the product. A new row is new in both. */
function withFields(row: ProductRow, fields: ProductFields, nowMs: number): ProductRow {
  const { on_hand: onHand, ...facts } = fields;
  const isNew = row.changed_ms === 0;
  return {
    ...row,
    name: facts.name ?? row.name,
    description: facts.description ?? row.description,
    active: Number(facts.active ?? row.active === 1),
    deleted: Number(facts.deleted ?? row.deleted === 1),
    amount: facts.price?.amount ?? row.amount,
    currency: facts.price?.currency ?? row.currency,
    unit_multiplier: facts.unit_multiplier ?? row.unit_multiplier,
    attributes: facts.attributes === undefined ? row.attributes : JSON.stringify(facts.attributes),
    changed_ms: isNew || Object.keys(facts).length > 0 ? nowMs : row.changed_ms,
    on_hand: onHand ?? row.on_hand,
    stock_changed_ms: isNew || onHand !== undefined ? nowMs : row.stock_changed_ms,
  };
}

/** An empty batch means none. */
export interface StockPlace {
  readonly location: string;
  readonly batch: string;
}

export interface LocationRow extends StockPlace {
  readonly on_hand: string;
  readonly reserved: string;
}

const PLACES = 'SELECT location, batch, on_hand, reserved FROM stock_locations WHERE n = ? ORDER BY rowid';

/** Stock by location and batch, where people assigned them. `n` is the product's number. */
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
    /** Orders take from the first place with enough, or else the first. Released units return the same way. */
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
