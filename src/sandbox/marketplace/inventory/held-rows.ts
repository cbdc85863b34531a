import { Exact, ZERO } from '../../exact.ts';
import type { Micros } from '../instants.ts';
import type { Holding } from '../inventory-effects.ts';
import type { Market } from '../market.ts';
import type { Held } from './holdings.ts';

interface HeldRow {
  readonly facility: number;
  readonly batch: number;
  readonly quantity: string;
  readonly fulfilled: string;
  readonly created_at: Micros;
}

export interface DatedHeld extends Held {
  /** null: the line is kept only inside its order. */
  readonly createdAt: Micros | null;
}

/**
 * The units that a line holds, by place. A line of a product without places holds all its units at the implicit place.
 */
export function heldOf(market: Market, line: number, holding: Holding): DatedHeld[] {
  const rows = market.sql.all<HeldRow>('SELECT * FROM reservations WHERE line = ? ORDER BY facility, batch', line);
  if (rows.length > 0 || holding.counted === 'none' || holding.quantity.isZero()) return rows.map(toHeld);
  const { counted, quantity } = holding;
  const place = market.settings().implicitPlace;
  return [{ place, quantity, fulfilled: counted === 'consumed' ? quantity : ZERO, createdAt: null }];
}

export function saveHeld(market: Market, line: number, held: readonly Held[]): void {
  const { sql, now } = market;
  const before = sql.all<HeldRow>('SELECT * FROM reservations WHERE line = ?', line);
  forgetHeld(market, line);
  for (const { place, quantity, fulfilled } of held) {
    const { facility, batch } = place;
    const known = before.find((row) => row.facility === facility && row.batch === batch);
    const figures = { quantity: quantity.toFixed(), fulfilled: fulfilled.toFixed() };
    sql.insert('reservations', { line, facility, batch, ...figures, created_at: known?.created_at ?? now() });
  }
}

export function forgetHeld(market: Market, line: number): void {
  market.sql.run('DELETE FROM reservations WHERE line = ?', line);
}

function toHeld(row: HeldRow): DatedHeld {
  return {
    place: { facility: row.facility, batch: row.batch },
    quantity: new Exact(row.quantity),
    fulfilled: new Exact(row.fulfilled),
    createdAt: row.created_at,
  };
}
