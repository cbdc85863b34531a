import type { ProductFields } from './records.ts';

/** A product for the books, with its opening stock. */
export type SeedProduct = ProductFields & { sku: string };

const FLAVOURS = ['Lemon', 'Wild Berry', 'Blood Orange', 'Mint', 'Ginger', 'Peach', 'Hibiscus', 'Vanilla', 'Sea Salt'];
const GOODS = ['Gummies', 'Seltzer', 'Dark Chocolate', 'Cold Brew', 'Tincture', 'Mints', 'Caramels', 'Body Balm'];
const SIZES = ['10 pack', '20 pack', '355 ml', '100 g', '30 ml', '50 ml'];
const CASE_SIZES = [1, 1, 6, 10, 12, 24];

/**
 * `count` made-up products, SKU `SB-0001` onwards. The same seed gives the same products, and a longer list begins with
 * the shorter one. Prices are per sold-in unit (a case when the case size is above 1).
 */
export function* seedProducts(count: number, seed = 1): Generator<SeedProduct> {
  for (let number = 1; number <= count; number += 1) {
    const random = randomOf(seed * 1_000_003 + number);
    const caseSize = pick(random, CASE_SIZES);
    const cents = 300 + Math.floor(random() * 2_400);
    const name = `${pick(random, FLAVOURS)} ${pick(random, GOODS)} ${pick(random, SIZES)}`;
    yield {
      sku: `SB-${String(number).padStart(4, '0')}`,
      name: caseSize === 1 ? name : `${name}, case of ${caseSize}`,
      description: `${name}. Made in small batches.`,
      price: { amount: dollars(cents * caseSize), currency: 'USD' },
      unit_multiplier: String(caseSize),
      attributes: { category: pick(random, GOODS) },
      on_hand: String(caseSize * (5 + Math.floor(random() * 60))),
    };
  }
}

function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

function pick<T>(random: () => number, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Mulberry32: small, fast and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
