import type { Chance } from '../../src/sandbox/chance.ts';
import { type Deed, deedsOf } from '../world/cases.ts';
import { BUSY_SKU, createSubject, orderSubject, PRODUCTS, pay } from '../world/subject.ts';
import { HAPPENINGS, type Happening, keysOf } from '../world/words.ts';
import { any } from './pick.ts';
import type { Sides } from './sides.ts';

/** How often each happening comes, where nothing is left out. */
const WEIGHTS: Readonly<Record<Happening, number>> = {
  created: 1,
  'created twice': 1,
  changed: 2,
  cleared: 1,
  'beyond its range': 3,
  'moved forward': 1,
  'moved back': 4,
  cancelled: 2,
  'taken up again': 5,
  deleted: 4,
  'made again': 4,
  archived: 2,
  restored: 2,
  renamed: 2,
  reused: 3,
  swapped: 3,
  cut: 2,
  'upper-cased': 1,
  trimmed: 1,
  merged: 3,
  split: 1,
  amended: 5,
  'imported anew': 4,
  rewritten: 2,
  'left out once': 2,
  'left out': 2,
};

/** Happenings that no read of changes shows. */
const UNSEEN = new Set<Happening>([
  'deleted',
  'made again',
  'reused',
  'merged',
  'imported anew',
  'left out once',
  'left out',
]);

/** The happenings of the table of the world that people may choose from in a story. */
export type Happenings = readonly Happening[];

/** A few happenings by their weight, so that they meet each other; null: nobody does anything by the table. */
export function happeningsOf(luck: Chance): Happenings | null {
  if (luck.whole(1, 4) > 1) return null;
  const all = keysOf(HAPPENINGS).flatMap((happening) => Array.from({ length: WEIGHTS[happening] }, () => happening));
  return Array.from({ length: luck.pick([1, 2, 3, 6, 12]) }, () => any(luck, all));
}

const ALL: readonly Deed[] = deedsOf();

interface Parts {
  readonly sides: Sides;
  readonly clock: { after(delayMs: number, run: () => unknown): void };
  /** The time of the ERP. */
  readonly erpNowMs: () => number;
  /** Plays what people do. Called for each part of a deed. */
  readonly attempt: (told: string, act: () => void) => void;
}

/** People who do what the table says to its product, to orders of it and to their buyer. */
export function createTablePeople({ sides, clock, erpNowMs, attempt }: Parts, happenings: Happenings) {
  const numbers: string[] = [];
  const begun = new Set<() => void>();
  let buyer = 0;
  let stranger = 0;

  const order = () => void numbers.push(orderSubject(sides, buyer));
  /** An order beside the subject's, so that no list is empty when one row is gone. */
  const bystander = () => {
    const items = [{ product: sides.marketplace.productBySku(BUSY_SKU).id, quantity: '4' }];
    const beside = sides.marketplace.placeOrder({ customer: stranger, items });
    pay(sides, beside.number, '1.10');
  };
  const later = (luck: Chance, name: string) => (delayMs: number, act: () => void) => {
    const goOn = () => {
      if (begun.delete(goOn)) attempt(`${name}, and go on`, act);
    };
    begun.add(goOn);
    // People are as fast in a story as the story is short.
    clock.after(luck.pick([0, delayMs / 20, delayMs / 4, delayMs]), goOn);
  };

  return {
    /** Makes the subject. @param isListed it is on the marketplace already, and was ordered */
    begin([customer = 0, other = 0]: readonly number[], isListed: boolean): void {
      buyer = customer;
      stranger = other;
      sides.erp.control.addProducts(PRODUCTS);
      if (!isListed) return;
      for (const { sku, name, description, price, on_hand } of PRODUCTS)
        sides.marketplace.createProduct({ sku, name, description, wholesale_price: price, quantity: on_hand });
      order();
      bystander();
    },
    /** The subject is ordered, and something else beside it. */
    order(): void {
      order();
      bystander();
    },
    /** Lets people do something. Returns whether reads of changes show it. */
    act(luck: Chance): boolean {
      if (numbers.length === 0 || luck.whole(1, 6) === 1) {
        attempt('the subject is ordered', order);
        return true;
      }
      const number = any(luck, numbers);
      const happening = any(luck, happenings);
      const deed = any(
        luck,
        ALL.filter((one) => one.happening === happening),
      );
      const subject = createSubject({
        sides,
        clock: { nowMs: erpNowMs },
        customer: buyer,
        later: later(luck, deed.name),
        number: () => number,
      });
      subject.remember();
      attempt(deed.name, () => deed.way[0](subject));
      return !UNSEEN.has(happening);
    },
    /** People end what they have begun. */
    finish(): void {
      for (const goOn of begun) goOn();
    },
  };
}
