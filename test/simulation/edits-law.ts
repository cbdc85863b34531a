import { Decimal } from 'decimal.js';
import type { Known } from './laws.ts';
import { createPairs, type Pairs } from './pairs.ts';
import type { Request, Sides } from './sides.ts';

type Side = 'marketplace' | 'erp';

/** By SKU: the quantities and the prices of its lines, sorted. */
type Content = ReadonlyMap<string, { readonly quantities: string; readonly prices: ReadonlySet<string> }>;
interface Pair {
  readonly marketplace: Content;
  /** Its lines by the ids of their listings, which another SKU on a listing leaves as they are. */
  readonly byListing: string;
  readonly erp: Content | null;
  /** The lines of the ERP by their keys, which another SKU of a product leaves as they are. */
  readonly byKey: string;
  readonly erpId: string | null;
}
type Orders = ReadonlyMap<string, Pair>;

const READ_OF: Readonly<Record<Side, keyof Known>> = { marketplace: 'orders', erp: 'erp-orders' };

/**
 * I15 and I16, judged from both sides' own orders: no write of the program changes a price of an order that both sides have.
 * No write undoes a change that a person made on that side, once the program has read it. A line that both sides show alike is
 * settled.
 */
export function createEditsLaw(
  sides: Sides,
  broken: string[],
  nowMs: () => number,
  trueSku: TrueSku = () => undefined,
) {
  const edited = new Map<string, Edited>();
  /** The times of price changes by a person. The program cannot know of a change before its next read. */
  const priced = new Map<string, number>();
  let hiddenSinceMs = Number.POSITIVE_INFINITY;
  const pairOf = createPairs();
  let before = ordersOf(sides, trueSku, pairOf);

  const settle = (now: Orders): void => {
    for (const [number, { marketplace, erp }] of now) {
      const was = before.get(number);
      // A line that both sides took out is settled as well.
      for (const sku of skusOf(marketplace, erp, was?.marketplace ?? null, was?.erp ?? null)) {
        if (marketplace.get(sku)?.quantities !== erp?.get(sku)?.quantities) continue;
        for (const side of ['marketplace', 'erp']) edited.delete(`${side} ${number} ${sku}`);
      }
    }
    before = now;
  };

  const changesOf = (side: Side, now: Orders) =>
    [...now].flatMap(([number, order]) => {
      const earlier = before.get(number);
      const [was, is] = [earlier?.[side] ?? null, order[side]];
      // Another order of the ERP that takes the place of the first has lines of its own.
      if (was === null || is === null || (side === 'erp' && earlier?.erpId !== order.erpId)) return [];
      return skusOf(was, is).map((sku) => ({ number, sku, was: was.get(sku), is: is.get(sku) }));
    });

  return {
    mayHide(): void {
      hiddenSinceMs = Math.min(hiddenSinceMs, nowMs());
    },
    /** To be called after a person did something. */
    note(): void {
      const now = ordersOf(sides, trueSku, pairOf);
      for (const side of ['marketplace', 'erp'] as const) {
        for (const { number, sku, was, is } of changesOf(side, now)) {
          const lines = side === 'marketplace' ? 'byListing' : 'byKey';
          if (before.get(number)?.[lines] === now.get(number)?.[lines]) continue;
          if (was !== undefined && is !== undefined && was.prices.isDisjointFrom(is.prices)) {
            priced.set(`${side} ${number} ${sku}`, nowMs());
          }
          if (was?.quantities === is?.quantities) continue;
          const key = `${side} ${number} ${sku}`;
          const { from, passed } = edited.get(key) ?? { from: was?.quantities ?? '', passed: [] };
          const quantities = is?.quantities ?? '';
          edited.set(key, { from, quantities, passed: [...passed, was?.quantities ?? ''], atMs: nowMs() });
        }
      }
      settle(now);
    },
    /** To be called after a write of the program was applied. */
    judge(side: Side, { target }: Pick<Request, 'target'>, sent: Known): void {
      const now = ordersOf(sides, trueSku, pairOf);
      // Another SKU on a listing shows in the lines of its orders, and changes none of them.
      if (target.includes('/products/')) return settle(now);
      for (const { number, sku, was, is } of changesOf(side, now)) {
        const knewMs = side === 'erp' ? sent[READ_OF[side]] : Math.min(sent[READ_OF[side]], hiddenSinceMs);
        const isKnown = (priced.get(`${side} ${number} ${sku}`) ?? 0) < knewMs;
        if (isKnown && was !== undefined && is !== undefined && was.prices.isDisjointFrom(is.prices)) {
          broken.push(
            `I15: ${sku} of order ${number} costs ${shown(is.prices)} on the side of ${side}, not ${shown(was.prices)}`,
          );
        }
        if (was?.quantities === is?.quantities) continue;
        const edit = edited.get(`${side} ${number} ${sku}`);
        if (edit !== undefined && edit.atMs < knewMs && isUndone(edit, is?.quantities ?? '')) {
          broken.push(
            `I16: somebody made ${edit.quantities} of ${sku} in order ${number} on the side of ${side}, and it was set to ${is?.quantities ?? 'nothing'}`,
          );
        }
        edited.delete(`${side} ${number} ${sku}`);
      }
      settle(now);
    },
  };
}

/** The lines of one SKU that people changed. */
interface Edited {
  /** The lines before the first change. */
  readonly from: string;
  readonly quantities: string;
  /** All lines that people have replaced. */
  readonly passed: readonly string[];
  /** The time of the last change. */
  readonly atMs: number;
}

/**
 * Does this write undo the change? Lines that people have set back were not changed, so the other side's lines may replace them.
 * Lines that people have taken back may not come again.
 */
function isUndone({ from, quantities, passed }: Edited, written: string): boolean {
  if (written === quantities) return false;
  // Another line beside those that people left is the other side's, unless it is one that they took out.
  const beside = withoutLines(written, quantities);
  if (beside !== null && quantities !== '') return passed.includes(beside) || passed.includes(written);
  return quantities === from ? passed.includes(written) : true;
}

/** The lines without these, or null where they do not contain them. Both are sorted quantities, as in "1 + 2". */
function withoutLines(all: string, these: string): string | null {
  const rest = all.split(' + ');
  for (const quantity of these.split(' + ')) {
    const at = rest.indexOf(quantity);
    if (at === -1) return null;
    rest.splice(at, 1);
  }
  return rest.join(' + ');
}

/** The ERP's SKU of a listing that shows another; undefined: it shows it. */
type TrueSku = (listingId: number) => string | undefined;

function ordersOf({ marketplace, erp }: Sides, trueSku: TrueSku, pairOf: Pairs): Orders {
  const skus = new Map(marketplace.products().map(({ id, sku }) => [id, trueSku(id) ?? sku]));
  const erpOrders = erp.books.orderList({ limit: '1000' }, null).items;
  const found = new Map<string, Pair>();
  for (const { number, externalId, lines } of marketplace.orderContents()) {
    const theirs = pairOf(erpOrders, { number, externalId });
    const own = lines.map((line) => ({
      sku: skus.get(line.product) ?? '',
      quantity: line.quantity,
      price: line.price.amount,
    }));
    const here = theirs?.lines.map((line) => ({ ...line, quantity: leftOf(line), price: line.unit_price }));
    found.set(number, {
      marketplace: contentOf(own),
      byListing: JSON.stringify(lines.map(({ product, quantity, price }) => [product, quantity, price.amount])),
      erp: here === undefined ? null : contentOf(here),
      byKey: JSON.stringify(here?.map(({ key, sku, quantity, price }) => [key ?? sku, quantity, price])),
      erpId: theirs?.id ?? null,
    });
  }
  return found;
}

interface Line {
  readonly sku: string;
  readonly quantity: string;
  readonly price: string;
}

/** The quantity without the units that the ERP has given up. */
function leftOf({ quantity, given_up }: { readonly quantity: string; readonly given_up?: string | undefined }): string {
  return new Decimal(quantity).minus(given_up ?? 0).toFixed();
}

function contentOf(all: readonly Line[]): Content {
  const lines = all.filter(({ quantity }) => Number(quantity) > 0);
  const bySku = [...Map.groupBy(lines, ({ sku }) => sku)];
  return new Map(
    bySku.map(([sku, own]) => [
      sku,
      {
        quantities: own
          .map(({ quantity }) => new Decimal(quantity).toFixed())
          .toSorted()
          .join(' + '),
        prices: new Set(own.map(({ price }) => new Decimal(price).toFixed())),
      },
    ]),
  );
}

function skusOf(...all: readonly (Content | null)[]): string[] {
  return [...new Set(all.flatMap((content) => (content === null ? [] : [...content.keys()])))];
}

function shown(prices: ReadonlySet<string>): string {
  return [...prices].join(' and ');
}
