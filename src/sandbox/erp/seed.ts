import { createChance } from '../chance.ts';
import { Exact } from '../exact.ts';
import type { ProductFields } from './records.ts';

/** A product with its opening stock. */
export type SeedProduct = ProductFields & { sku: string };

const FLAVOURS = [
  'Lemon',
  'Wild Berry',
  'Blood Orange',
  'Mint',
  'Ginger',
  'Peach',
  'Hibiscus',
  'Vanilla',
  'Sea Salt',
] as const;
const GOODS = [
  'Gummies',
  'Seltzer',
  'Dark Chocolate',
  'Cold Brew',
  'Tincture',
  'Mints',
  'Caramels',
  'Body Balm',
] as const;
const SIZES = ['10 pack', '20 pack', '355 ml', '100 g', '30 ml', '50 ml'] as const;
const CASE_SIZES = [1, 1, 6, 10, 12, 24] as const;

/**
 * Sample products from SKU `SB-0001`. The same seed gives the same ones, and a longer list begins with the shorter.
 * Prices are per ERP unit.
 */
export function* seedProducts(count: number, seed = 1): Generator<SeedProduct> {
  for (let number = 1; number <= count; number += 1) {
    const chance = createChance(seed * 1_000_003 + number);
    const caseSize = chance.pick(CASE_SIZES);
    const cents = chance.whole(300, 2_699);
    const name = `${chance.pick(FLAVOURS)} ${chance.pick(GOODS)} ${chance.pick(SIZES)}`;
    yield {
      sku: `SB-${String(number).padStart(4, '0')}`,
      name: caseSize === 1 ? name : `${name}, case of ${caseSize}`,
      description: `${name}. Made in small batches.`,
      price: { amount: dollars(cents), currency: 'USD' },
      unit_multiplier: String(caseSize),
      attributes: { category: chance.pick(GOODS) },
      on_hand: String(caseSize * chance.whole(5, 64)),
    };
  }
}

function dollars(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}

interface Priced {
  readonly price?: { readonly amount: string; readonly currency: string } | undefined;
  readonly unit_multiplier?: string | undefined;
}

/** A listing's price is for a case. */
export function casePrice({ price = { amount: '0', currency: 'USD' }, unit_multiplier = '1' }: Priced) {
  return { amount: new Exact(price.amount).times(unit_multiplier).toFixed(), currency: price.currency };
}
