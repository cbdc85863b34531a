import { Decimal } from 'decimal.js';
import { createBrakeLaw } from './brake-law.ts';
import type { Names } from './names.ts';
import type { Approved } from './operator.ts';
import { createPairs, type Pairs } from './pairs.ts';
import type { Request, Sides } from './sides.ts';
import type { World } from './world.ts';

/** For each kind, the time of the latest answer that reached the program. It cannot know anything later. */
export type Known = { -readonly [Kind in 'erp-products' | 'erp-stock' | 'erp-orders' | 'orders' | 'products']: number };

interface Moment {
  readonly atMs: number;
  /** The units that the ERP has available. */
  readonly here: Decimal;
  /** For each order, the units that it wants and the units that the ERP counts for it. */
  readonly shares: ReadonlyMap<string, Share>;
  readonly sold: boolean;
  readonly listings: ReadonlyMap<number, Shown>;
}

interface Share {
  /** The wanted units; zero once the order is given up. */
  readonly wanted: Decimal;
  readonly counted: Decimal;
  /** The ERP keeps the units back, and has not shipped them. */
  readonly isHeld: boolean;
}

/** The figures of a listing on the marketplace. */
interface Shown {
  readonly sku: string;
  /** The ERP's product that it carries as its external id. */
  readonly erpId: string | undefined;
  /** The units that buyers may take: none of an archived listing. */
  readonly available: Decimal;
  /** The units that the marketplace itself keeps back of the quantity. */
  readonly reserved: Decimal;
  readonly archived: boolean;
  readonly priceAmount: Decimal;
}

const LIVE = new Set(['Submitted', 'Accepted', 'Fulfilled', 'Shipped', 'Complete']);
const MAX_MOMENTS = 2_000;
const ZERO = new Decimal(0);
const NO_SHARE: Share = { wanted: ZERO, counted: ZERO, isHeld: false };

/** The ERP's SKU of a listing that somebody linked; undefined: the SKU that the listing shows. */
type SkuOf = (listingId: number) => string | undefined;

/** The laws that must hold at every step, judged only from both sides' own books. */
export function createLaws(
  sides: Sides,
  { brakes }: World,
  nowMs: () => number,
  broken: string[],
  names: Names,
  skuOf: SkuOf = () => undefined,
) {
  const history = new Map<string, Moment[]>();
  let hiddenSinceMs = Number.POSITIVE_INFINITY;
  let before = new Map<number, Shown>();
  const brakeLaw = brakes === null ? null : createBrakeLaw(brakes, broken);
  const pairOf = createPairs();
  /** The listings that the program made. */
  const made = new Set<number>();
  /** By reference: the ERP's orders that the program entered. */
  const entered = new Map<string, string[]>();
  let erpOrderIds = new Set<string>();

  const listings = () =>
    new Map(
      sides.marketplace
        .products()
        .map(({ id, sku, externalIds, available, reserved, archived, price }): [number, Shown] => {
          const figures = { available: archived ? ZERO : new Decimal(available), reserved: new Decimal(reserved) };
          const erpId = ofErp(externalIds);
          return [id, { sku: skuOf(id) ?? sku, erpId, archived, ...figures, priceAmount: new Decimal(price.amount) }];
        }),
    );

  const momentsOf = (sku: string, sinceMs: number): Moment[] => {
    const all = history.get(sku) ?? [];
    // Events of the same moment may have come after it.
    const last = all.findLastIndex(({ atMs }) => atMs < sinceMs);
    return all.slice(Math.max(0, last));
  };

  /** The moments of each product that the listing may stand for: of several only after people moved SKUs between products. */
  const momentsOfEach = (id: number, { sku }: Shown, sinceMs: number): (readonly Moment[])[] => {
    const all = [...names.of(id, sku)].map((name) => momentsOf(name, sinceMs)).filter(({ length }) => length > 0);
    return all.length === 0 ? [[]] : all;
  };

  /**
   * A written figure must have been right by the knowledge of the program: the ERP's stock at some moment since its last known
   * answer, less the orders of that moment or later. One race remains: a quantity that was right until an order was fulfilled
   * or rejected meanwhile. It must be corrected by the end.
   */
  const judgeStock = (id: number, was: Decimal, shown: Shown, written: Stock, knewMs: number): void => {
    const { sku, available: now } = shown;
    const each = momentsOfEach(id, shown, knewMs);
    if (now.greaterThan(Decimal.max(was, 0))) {
      const allowed = each.map((moments) =>
        mostOf(moments).plus(
          written.field === 'quantity' ? Decimal.max(0, ...moments.map((moment) => figuresOf(id, moment).reserved)) : 0,
        ),
      );
      const most = Decimal.max(...allowed);
      if (written.value.greaterThan(most)) {
        broken.push(
          `I4: buyers of ${sku} may take ${now.toFixed()} instead of ${was.toFixed()}: the ${written.field} of ${written.value.toFixed()} was never more than ${most.toFixed()}`,
        );
      }
    }
    if (now.lessThanOrEqualTo(0) && was.greaterThan(0)) {
      // No lower figure is right. The stock may be known from one moment, and each order from another.
      const least = Decimal.min(
        ...each.map((moments) => Decimal.min(...moments.map(({ here }) => here)).minus(everWanted(moments))),
      );
      if (least.greaterThan(0)) broken.push(`I5: ${sku} was set to ${now.toFixed()}, and ${least.toFixed()} is there`);
    }
  };

  /**
   * Only certain cases count, whatever buyers did meanwhile: buyers could take some units before and can take none of the
   * written figure, or could take less at every earlier moment. An order that has just been read may be in the listing's
   * figures or not, and the program may subtract it twice.
   */
  const judgeBrakes = (id: number, was: Shown, now: Shown, { body }: Request, knewMs: number): void => {
    const stock = writtenBy(body);
    const each = momentsOfEach(id, now, knewMs);
    const isAlways = (is: (moment: Moment) => boolean) =>
      each.every((moments) => moments.length > 0 && moments.every(is));
    const leftOf = (written: Stock, moment: Moment) =>
      written.field === 'quantity' ? written.value.minus(figuresOf(id, moment).reserved) : written.value;
    const isZero = (written: Stock) =>
      isAlways(
        (moment) =>
          figuresOf(id, moment).available.greaterThan(uncounted(moment.shares)) &&
          leftOf(written, moment).lessThanOrEqualTo(0),
      );
    const isMore = (written: Stock) =>
      isAlways((moment) => leftOf(written, moment).greaterThan(Decimal.max(0, figuresOf(id, moment).available)));
    const priceAmount = { before: was.priceAmount, after: now.priceAmount };
    brakeLaw?.written({
      target: `listing ${id}`,
      archived: now.archived && !was.archived,
      zeroed: stock !== null && isZero(stock),
      increased: stock !== null && isMore(stock),
      rejected: false,
      value: stock === null ? '' : `${stock.field} ${stock.value.toFixed()}`,
      priceAmount: priceAmount.before.equals(priceAmount.after) ? null : priceAmount,
    });
  };

  const judgeRejected = (target: string): void => {
    const nothing = { archived: false, zeroed: false, increased: false, value: '', priceAmount: null };
    brakeLaw?.written({ ...nothing, target, rejected: true });
  };

  /**
   * Another order of this reference may stand there because people copied it: the program adds none to one that it made or saw. An
   * order that people made in the ERP is another order, whatever its reference: the program tells of it.
   */
  const judgeOnce = (): void => {
    const all = sides.erp.books.orderList({ limit: '1000' }, null).items;
    const isThere = new Set(all.map(({ id }) => id));
    for (const { id, origin, reference } of all) {
      if (origin !== 'marketplace' || erpOrderIds.has(id)) continue;
      const others = all.filter(
        (one) =>
          one.id !== id &&
          ((one.origin === 'marketplace' && one.reference === reference) || isMadeFor(one.id, reference)),
      );
      if (others.length > 0) broken.push(`I2: order ${reference} stands ${others.length + 1} times in the ERP`);
      entered.set(
        reference,
        [...(entered.get(reference) ?? []), id].filter((one) => isThere.has(one)),
      );
    }
  };
  const isMadeFor = (id: string, reference: string): boolean => entered.get(reference)?.includes(id) ?? false;

  /** An archived listing of another product keeps its SKU while the ERP does not sell that product. */
  const isOfUnsold = (listing: number, fresh: number): boolean => {
    const all = new Map(sides.marketplace.products().map((one) => [one.id, one]));
    const owner = ofErp(all.get(listing)?.externalIds);
    const isSold = sides.erp.control
      .state()
      .products.some(({ id, active, deleted }) => id === owner && active && !deleted);
    const isAnother = owner !== undefined && owner !== ofErp(all.get(fresh)?.externalIds);
    return all.get(listing)?.archived === true && isAnother && !isSold;
  };

  const judgeWrite = (request: Request, sent: Known, after: ReadonlyMap<number, Shown>): void => {
    const { method, target } = request;
    const created = method === 'POST' && target.endsWith('/products/');
    const id = created ? Math.max(...after.keys()) : Number(/\/products\/(\d+)\//.exec(target)?.[1] ?? 0);
    const was = before.get(id);
    const now = after.get(id);
    const knewMs = Math.min(sent['erp-stock'], sent['erp-orders'], sent.orders, hiddenSinceMs);
    if (now !== undefined && (created || method === 'PATCH')) {
      // A listing that is restored without a figure is sold with its present figure.
      const written = writtenBy(request.body) ?? { field: 'available_inventory', value: now.available };
      judgeStock(id, was?.available ?? ZERO, now, written, knewMs);
    }
    if (was !== undefined && now !== undefined && (method === 'PATCH' || method === 'DELETE')) {
      judgeBrakes(id, was, now, request, Math.min(knewMs, sent.products));
    }
    if (was !== undefined && now !== undefined && now.archived && !was.archived) {
      if (
        momentsOfEach(id, now, sent['erp-products'])
          .flat()
          .every(({ sold }) => sold)
      ) {
        broken.push(`I5: ${now.sku} was archived, and the ERP has always sold it`);
      }
    }
    if (created && now !== undefined) {
      // Another listing that people have made since the last read cannot be known.
      const others = [...after]
        .filter(([other, { sku }]) => sku === now.sku && other !== id && !isOfUnsold(other, id))
        .map(([other]) => other);
      if (others.some((other) => made.has(other)) || (others.length > 0 && names.isShown(now.sku, sent.products)))
        broken.push(`I3: ${now.sku} is listed ${others.length + 1} times`);
      made.add(id);
    }
    const [, rejected] = /\/orders-received\/([^/]+)\/transition\/reject\//.exec(target) ?? [];
    if (rejected !== undefined) judgeRejected(`order ${rejected}`);
    if (method === 'POST' && target.endsWith('/orders-received/')) {
      const { external_id: own } = JSON.parse(request.body) as { external_id?: string };
      const carrying = sides.marketplace.orderContents().filter(({ externalId }) => externalId === own);
      if (own !== undefined && carrying.length > 1)
        broken.push(`I2: ERP order ${own} stands on the marketplace more than once`);
    }
  };

  const note = (shown: Map<number, Shown>): void => {
    before = shown;
    names.note(shown, nowMs());
    erpOrderIds = new Set(sides.erp.books.orderList({ limit: '1000' }, null).items.map(({ id }) => id));
    for (const [sku, moment] of allowances(sides, {
      listings: shown,
      pairOf,
      names,
      known: history.keys(),
      atMs: nowMs(),
    })) {
      const moments = history.get(sku) ?? [];
      moments.push(moment);
      if (moments.length > MAX_MOMENTS) moments.shift();
      history.set(sku, moments);
    }
  };

  return {
    broken,
    /** From now on, there may be orders that no list shows yet, so the program cannot know of them. */
    ordersMayHide(): void {
      hiddenSinceMs = Math.min(hiddenSinceMs, nowMs());
    },
    /** From now on, orders of the ERP may be cancelled or gone without a sign in reads of changes. */
    erpOrdersMayHide(): void {
      hiddenSinceMs = Math.min(hiddenSinceMs, nowMs());
    },
    /** An operator has approved these writes. */
    approved({ kind, items }: Approved): void {
      for (const { target, after } of items)
        brakeLaw?.approved(kind, target.split(' ').slice(0, 2).join(' '), after ?? '');
    },
    /** To be called after a change on a side: notes the figures that are allowed from now on. */
    note: () => note(listings()),
    /**
     * To be called after a write of the program was applied: judges the write, and notes the figures that are allowed from now
     * on.
     */
    judge(side: 'marketplace' | 'erp', request: Request, sent: Known): void {
      const after = listings();
      if (side === 'marketplace') judgeWrite(request, sent, after);
      else if (request.method === 'POST') judgeOnce();
      note(after);
    },
  };
}

interface Stock {
  readonly field: string;
  readonly value: Decimal;
}

function ofErp(externalIds: Readonly<Record<string, string>> = {}): string | undefined {
  return externalIds['stockbridge'];
}

function writtenBy(body: string): Stock | null {
  const [, field, value] = /"(quantity|available_inventory)":"?([\d.]+)/.exec(body) ?? [];
  return field === undefined || value === undefined ? null : { field, value: new Decimal(value) };
}

const NO_FIGURES = { available: ZERO, reserved: ZERO };

/** Each of several listings with one SKU has figures of its own. */
function figuresOf(id: number, { listings }: Moment): Pick<Shown, 'available' | 'reserved'> {
  return listings.get(id) ?? NO_FIGURES;
}

/**
 * The most units that buyers may take by any of these moments of the ERP and the orders of that moment or later. An order that
 * is over by now may be known as such before a newer order is known: the program may have rejected it itself.
 */
function mostOf(moments: readonly Moment[]): Decimal {
  const last = moments.at(-1)?.shares;
  const isOver = (number: string) => (last?.get(number) ?? NO_SHARE).wanted.isZero();
  let most = ZERO;
  for (const [index, { here, shares }] of moments.entries()) {
    for (const { shares: orders } of moments.slice(index)) {
      let left = here;
      for (const number of new Set([...shares.keys(), ...orders.keys()])) {
        const { counted, isHeld } = shares.get(number) ?? NO_SHARE;
        const { wanted } = isOver(number) ? NO_SHARE : (orders.get(number) ?? NO_SHARE);
        const more = wanted.minus(counted);
        // Given-up units that the ERP still holds may be sold again. Shipped units may not.
        if (isHeld || more.greaterThan(0)) left = left.minus(more);
      }
      most = Decimal.max(most, left);
    }
  }
  return most;
}

/**
 * The most units that each order wanted in these moments, in total. An order that is gone may be known together with a new
 * one.
 */
function everWanted(moments: readonly Moment[]): Decimal {
  const most = new Map<string, Decimal>();
  for (const { shares } of moments) {
    for (const [number, { wanted }] of shares) most.set(number, Decimal.max(wanted, most.get(number) ?? ZERO));
  }
  return most.values().reduce((sum, wanted) => sum.plus(wanted), ZERO);
}

/** The units that orders want and the ERP does not count yet. */
function uncounted(shares: Moment['shares']): Decimal {
  return shares.values().reduce((sum, { wanted, counted }) => sum.plus(Decimal.max(0, wanted.minus(counted))), ZERO);
}

interface Look {
  readonly listings: ReadonlyMap<number, Shown>;
  readonly pairOf: Pairs;
  readonly names: Names;
  /** The SKUs that the ERP has had. */
  readonly known: Iterable<string>;
  readonly atMs: number;
}

function allowances(sides: Sides, { listings: all, pairOf, names, known, atMs }: Look): Map<string, Moment> {
  const { erp } = sides;
  const products = erp.books.products({ limit: '1000' }).items;
  const skus = new Map(products.map(({ id, sku }) => [id, sku]));
  // A listing shows the SKU that its product had until the program has written the present one.
  const present = ({ sku, erpId = '' }: Shown) => (names.wasCalled(erpId, sku) ? skus.get(erpId) : undefined) ?? sku;
  const listings = new Map(all.entries().map(([id, one]) => [id, { ...one, sku: present(one) }]));
  const shares = sharesOf(sides, listings, pairOf);
  const found = new Map<string, Moment>();
  const sold = new Map(products.map((one) => [one.sku, one.active && !one.deleted]));
  // A SKU that is gone is not sold, and has no stock.
  const gone = [...known].map((sku) => ({ sku, available: '0' }));
  for (const { sku, available } of [...gone, ...erp.books.stock({ limit: '1000' }, null).items]) {
    const here = new Decimal(available);
    const own = shares.get(sku) ?? new Map<string, Share>();
    found.set(sku, {
      atMs,
      here,
      shares: own,
      sold: sold.get(sku) ?? false,
      listings: all,
    });
  }
  return found;
}

/** By SKU and order: the marketplace's number, or the ERP's id of one that was made there, on the marketplace already or not. */
function sharesOf(
  { marketplace, erp, hidden }: Pick<Sides, 'marketplace' | 'erp' | 'hidden'>,
  listings: ReadonlyMap<number, Shown>,
  pairOf: Pairs,
): Map<string, Map<string, Share>> {
  const found = new Map<string, Map<string, Share>>();
  const add = (sku: string, of: string, change: (share: Share) => Share) => {
    const shares = found.get(sku) ?? new Map<string, Share>();
    found.set(sku, shares.set(of, change(shares.get(of) ?? NO_SHARE)));
  };
  // An order that no list shows holds its stock all the same.
  const erpOrders = [...erp.books.orderList({ limit: '1000' }, null).items, ...hidden];
  const entered = new Set<string>();
  for (const order of marketplace.orderContents()) {
    const theirs = pairOf(erpOrders, order);
    const of = theirs?.origin === 'erp' ? theirs.id : order.number;
    entered.add(of);
    const isLive = LIVE.has(order.status);
    for (const line of order.lines) {
      const sku = listings.get(line.product)?.sku;
      if (sku === undefined || line.late || !isLive) continue;
      add(sku, of, (share) => ({ ...share, wanted: share.wanted.plus(line.quantity) }));
    }
    const isHeld = theirs?.status === 'reserved';
    if (!isHeld && !(isLive && theirs?.status === 'shipped')) continue;
    for (const { sku, quantity } of theirs.lines) {
      add(sku, of, (share) => ({ ...share, isHeld, counted: share.counted.plus(quantity) }));
    }
  }
  for (const { id, origin, status, lines } of erpOrders) {
    if (origin !== 'erp' || entered.has(id) || !['reserved', 'shipped'].includes(status)) continue;
    for (const { sku, quantity } of lines) {
      add(sku, id, ({ wanted, counted }) => ({
        wanted: wanted.plus(quantity),
        counted: counted.plus(quantity),
        isHeld: status === 'reserved',
      }));
    }
  }
  return found;
}
