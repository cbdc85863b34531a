import { type Chance, createChance } from './prng.ts';

/** A made-up product, before it is in any system. Decimals are text. */
export interface CatalogueItem {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly category: { readonly id: number; readonly name: string };
  /** Per case. */
  readonly price: string;
  readonly currency: 'USD';
  /** Units in a case. */
  readonly unitMultiplier: number;
  /** Units on hand. */
  readonly quantity: number;
}

type NonEmpty<T> = readonly [T, ...T[]];

interface Kind {
  readonly code: string;
  readonly category: { readonly id: number; readonly name: string };
  readonly forms: NonEmpty<string>;
  readonly caseSizes: NonEmpty<number>;
  /** Per unit, in cents, lowest and highest. */
  readonly unitCents: readonly [number, number];
  readonly pitch: string;
}

const KINDS: NonEmpty<Kind> = [
  {
    code: 'FL',
    category: { id: 1, name: 'Flower' },
    forms: ['Flower 3.5 g Jar', 'Flower 7 g Pouch', 'Smalls 14 g Bag'],
    caseSizes: [16, 24, 32],
    unitCents: [900, 3200],
    pitch: 'Slow-cured, hand-trimmed and sealed the day it is packed.',
  },
  {
    code: 'PR',
    category: { id: 2, name: 'Pre-Rolls' },
    forms: ['Pre-Roll 1 g', 'Pre-Rolls 5 x 0.5 g', 'Infused Pre-Roll 1.2 g'],
    caseSizes: [12, 25, 50],
    unitCents: [280, 1400],
    pitch: 'Whole flower, no shake, in an unbleached cone.',
  },
  {
    code: 'VP',
    category: { id: 3, name: 'Cartridges' },
    forms: ['Cartridge 0.5 g', 'Cartridge 1 g', 'All-in-One 1 g'],
    caseSizes: [10, 20],
    unitCents: [900, 2600],
    pitch: 'Strain-specific oil in a ceramic cell.',
  },
  {
    code: 'ED',
    category: { id: 4, name: 'Edibles' },
    forms: ['Gummies 10 x 10 mg', 'Dark Chocolate 100 mg', 'Sparkling Drink 10 mg'],
    caseSizes: [6, 12, 24, 40],
    unitCents: [350, 1250],
    pitch: 'Made in small batches, fruit first.',
  },
  {
    code: 'TP',
    category: { id: 5, name: 'Topicals' },
    forms: ['Balm 50 ml', 'Bath Salts 250 g'],
    caseSizes: [1, 6, 8],
    unitCents: [1100, 2900],
    pitch: 'Unscented base, botanicals only.',
  },
];

export const CATEGORIES = KINDS.map(({ category }) => category);

const PLACES: NonEmpty<string> = [
  'Blue Mesa',
  'Fern Hollow',
  'Copper Canyon',
  'Quiet Tide',
  'Lantern Hill',
  'Cedar Fog',
  'Salt Meadow',
  'Paper Moon',
  'Long Valley',
  'Juniper Pass',
  'Amber Bay',
  'Stone Orchard',
];
const NOTES: NonEmpty<string> = [
  'Citrus',
  'Pine',
  'Vanilla',
  'Plum',
  'Ginger',
  'Mango',
  'Mint',
  'Honey',
  'Lime',
  'Berry',
];

/** Made-up products, the same for the same seed; the first N of a longer catalogue are the shorter one. */
export function catalogue(seed: number | string, count: number): CatalogueItem[] {
  const chance = createChance(`catalogue ${seed}`);
  return Array.from({ length: count }, (_, index) => item(chance, index + 1));
}

function item(chance: Chance, ordinal: number): CatalogueItem {
  const kind = chance.pick(KINDS);
  const note = chance.pick(NOTES);
  const name = `${chance.pick(PLACES)} ${note} ${chance.pick(kind.forms)}`;
  const unitMultiplier = chance.pick(kind.caseSizes);
  const unitCents = chance.whole(...kind.unitCents);
  const cents = unitCents * unitMultiplier;
  const cases = chance.fraction() < 0.08 ? 0 : chance.whole(2, 60);
  return {
    sku: `JRB-${kind.code}-${String(ordinal).padStart(5, '0')}`,
    name,
    description: `${name}. ${note} on the nose. ${kind.pitch} Case of ${unitMultiplier}.`,
    category: kind.category,
    price: `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`,
    currency: 'USD',
    unitMultiplier,
    quantity: cases * unitMultiplier,
  };
}
