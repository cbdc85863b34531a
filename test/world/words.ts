/** The words of the table of the world: everything that exists, everything that can happen to it, when, and on which side. */

/** Things, each with the words of the guide. */
export const THINGS = {
  product: 'a product',
  sku: 'the SKU of a product',
  price: 'the price of a product',
  stock: 'the stock of a product',
  image: 'an image of a product',
  listing: 'a listing',
  order: 'an order',
  line: 'a line of an order',
  quantity: 'the quantity of a line',
  'line price': 'the price of a line',
  discount: 'the discount of an order',
  shipping: 'the shipping of an order',
  note: 'the note of an order',
  status: 'the status of an order',
  shipment: 'the shipment of an order',
  'part shipment': 'the shipment of a part of an order',
  return: 'the return of an order',
  payment: 'a payment',
  customer: 'a customer',
  address: 'the address of a customer',
  contact: 'the e-mail and phone of a customer',
  group: 'a group of customers',
  assignment: 'an assignment of a product to buyers',
  batch: 'a batch of a product',
  'transport order': 'a transport order',
  link: 'a link between both sides',
} as const;
export type Thing = keyof typeof THINGS;

/** Happenings, each with the words of the guide. */
export const HAPPENINGS = {
  created: 'is created',
  'created twice': 'is created a second time',
  changed: 'is changed',
  cleared: 'is cleared',
  'beyond its range': 'is set beyond its range',
  'moved forward': 'is moved forward',
  'moved back': 'is moved back',
  cancelled: 'is cancelled',
  'taken up again': 'is taken up again after a cancellation',
  deleted: 'is deleted',
  'made again': 'is deleted and made again',
  archived: 'is archived',
  restored: 'is archived and restored',
  renamed: 'has its key renamed',
  reused: 'gives its key to another one',
  swapped: 'swaps its key with another one',
  cut: 'has its key cut short',
  'upper-cased': 'has its key in other letters',
  trimmed: 'has spaces around its key',
  merged: 'is merged into another one',
  split: 'is split in two',
  amended: 'is amended by a cancellation and a copy',
  'imported anew': 'is imported anew under another id',
  rewritten: 'is rounded or rewritten by the side that keeps it',
  'left out once': 'is left out of one list',
  'left out': 'is left out of the whole list',
} as const;
export type Happening = keyof typeof HAPPENINGS;

/** Times, each with the words of the guide. */
export const TIMES = {
  'before the first start': 'before the first start',
  'before the link': 'before both sides are linked',
  'while quiet': 'while both sides are linked and quiet',
  'while we write': 'while one of our writes is under way',
  'after shipping': 'after the order was shipped',
  'while the other side is away': 'while the other side is away',
} as const;
export type Time = keyof typeof TIMES;

export const SIDES = { marketplace: 'on the marketplace', erp: 'in the ERP' } as const;
export type Side = keyof typeof SIDES;

/** The name of something that happens, in one of its ways. An empty way: it has only one. */
export function nameOf(thing: Thing, happening: Happening, way: string, side: Side): string {
  return `${thing} | ${happening}${way === '' ? '' : ` (${way})`} | ${side}`;
}

export function keysOf<Key extends string>(words: Readonly<Record<Key, string>>): readonly Key[] {
  return Object.keys(words) as Key[];
}
