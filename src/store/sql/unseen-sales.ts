import { decimalOf, sum, ZERO } from '../../domain/decimal.ts';
import { type UnseenSale, withJudgement } from '../../domain/shadow/unseen-sales.ts';
import type { SoldProduct, UnseenSaleStore } from '../stock.ts';
import type { Queryable, Readable } from './database.ts';
import { openIntent, unsettledOf } from './intents.ts';
import { eq } from './orm.ts';
import type { Reads, Writes } from './part.ts';
import { intents } from './tables/work.ts';

const KIND = 'unseen-sale';

export const unseenSaleReads = {
  kept({ db }, product) {
    return sum(salesOf(db, product).map(({ quantity }) => quantity));
  },
} satisfies Reads<UnseenSaleStore>;

export const unseenSaleWrites = {
  judge({ tx, nowMs }, product, explained, listing) {
    const changed = withJudgement(salesOf(tx, product), explained, listing);
    saveSales(tx, product, changed, nowMs);
    return changed.find(({ state }) => state === 'in-doubt')?.quantity ?? ZERO;
  },
} satisfies Writes<UnseenSaleStore>;

export function salesOf(db: Readable, { account, erpId: key }: SoldProduct): UnseenSale[] {
  const rows = unsettledOf(db, { account, kind: KIND, key });
  return rows.map(({ id, state, sent, evidence }) => ({
    id,
    state: state === 'in-doubt' ? state : 'open',
    quantity: decimalOf(sent),
    evidence,
  }));
}

export function saveSales(
  tx: Queryable,
  { account, erpId: key }: SoldProduct,
  sales: readonly UnseenSale[],
  nowMs: number,
): void {
  for (const { id, state, quantity, evidence } of sales) {
    const sent = quantity.toFixed();
    const told = evidence === null ? {} : { evidence };
    const set = { state, sent, ...told, settledAtMs: state === 'applied' ? nowMs : null };
    if (id === null) openIntent(tx, { account, kind: KIND, key, externalId: '', sent }, nowMs);
    else tx.update(intents).set(set).where(eq(intents.id, id)).run();
  }
}
