import { type Cause, cause } from '../../domain/causes/cause.ts';
import { Decimal, sum, ZERO } from '../../domain/decimal.ts';
import type { Intent } from '../intents.ts';
import type { SoldProduct, UnseenSaleStore } from '../stock.ts';
import type { Queryable, Readable } from './database.ts';
import { openIntent, unsettledOf } from './intents.ts';
import { eq } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { intents } from './tables/work.ts';

const KIND = 'unseen-sale';

/** So much of it was reserved by no known order, and has gone without having come back. */
export function keepUnseen(tx: Queryable, product: SoldProduct, quantity: Decimal, nowMs: number): void {
  const open = notJudged(tx, product);
  if (open !== undefined) return keep(tx, open, quantityOf(open).plus(quantity));
  const { account, erpId: key } = product;
  openIntent(tx, { account, kind: KIND, key, externalId: '', sent: quantity.toFixed() }, nowMs);
}

/** An order has taken, or let go of, so much more than was known of it: it may be the one. */
export interface KnownOrder {
  readonly number: string;
  readonly quantity: Decimal;
  /** It may have been there for long. Any other has come since the orders were read again for this judgement. */
  readonly wasHidden: boolean;
}

export function explainUnseen(tx: Queryable, product: SoldProduct, order: KnownOrder, nowMs: number): void {
  let { quantity } = order;
  // Nearly every order that moves explains nothing.
  if (quantity.isZero()) return;
  for (const row of keptRows(tx, product)) {
    if (quantity.isZero() || !(order.wasHidden || row.state === 'open')) continue;
    const kept = quantityOf(row);
    const its = Decimal.min(kept, quantity);
    quantity = quantity.minus(its);
    if (its.lessThan(kept)) keep(tx, row, kept.minus(its));
    else settle(tx, row, cause('order-shows-it', { orders: [order.number] }), nowMs);
  }
}

export const unseenSaleReads = {
  kept({ db }, product) {
    return sum(keptRows(db, product).map(quantityOf));
  },
} satisfies Reads<UnseenSaleStore>;

export const unseenSaleWrites = {
  judge({ tx, nowMs }, product, explained, listing) {
    const open = notJudged(tx, product);
    if (open === undefined) return ZERO;
    const left = quantityOf(open).minus(explained);
    if (left.lessThanOrEqualTo(0)) {
      settle(tx, open, cause('order-shows-it', { orders: [] }), nowMs);
      return ZERO;
    }
    const evidence = cause('unseen-sale', { listing, quantity: left.toFixed() });
    const set = { state: 'in-doubt' as const, sent: left.toFixed(), evidence };
    tx.update(intents).set(set).where(eq(intents.id, open.id)).run();
    return left;
  },
} satisfies Writes<UnseenSaleStore>;

function keptRows(db: Readable, { account, erpId }: SoldProduct): Intent[] {
  return unsettledOf(db, { account, kind: KIND, key: erpId });
}

function notJudged(tx: Queryable, product: SoldProduct): Intent | undefined {
  return keptRows(tx, product).find(({ state }) => state === 'open');
}

function quantityOf({ sent }: Intent): Decimal {
  return new Decimal(sent);
}

function keep(tx: Queryable, { id }: Intent, quantity: Decimal): void {
  tx.update(intents).set({ sent: quantity.toFixed() }).where(eq(intents.id, id)).run();
}

function settle(tx: Queryable, { id }: Intent, evidence: Cause, nowMs: number): void {
  tx.update(intents).set({ state: 'applied', evidence, settledAtMs: nowMs }).where(eq(intents.id, id)).run();
}
