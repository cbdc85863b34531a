import { type Fields, fieldsFor, POINTS } from './fields.ts';
import { LINE_FIELDS, LISTS, type ListName, type ListRule } from './roles.ts';
import { BOUNDS, type Collection, DraftFault, type Field, field, words } from './shape.ts';
import { DECIDE } from './yaml.ts';

/** Decides which collection is which list, and why. Pure. */

export interface Reading<Place> {
  readonly collection: Collection<Place>;
  readonly evidence: string;
  readonly fields: Fields;
  /** The line fields, from a list inside the row or from a collection that refers to it. */
  readonly lines: { readonly collection: Collection<Place> | null; readonly fields: Fields } | null;
  readonly rival: string | null;
}

export type Readings<Place> = { readonly [Name in ListName]: Reading<Place> | null };

/** The collections that a person chose for lists or order lines. */
export type Named = Readonly<Partial<Record<ListName | 'lines', string>>>;
export const NAMEABLE = [...(Object.keys(LISTS) as ListName[]), 'lines'] as const;

/** @throws DraftFault if a named collection does not exist */
export function readingsOf<Place>(collections: readonly Collection<Place>[], named: Named = {}): Readings<Place> {
  const lineTable = named.lines === undefined ? null : collectionNamed(named.lines, collections);
  const lines = (orders: Reading<Place>) => linesOf(orders, collections, lineTable);
  const of = (name: ListName): Reading<Place> | null => {
    const own = named[name];
    return own === undefined ? bestFor(name, collections) : byPerson(name, collectionNamed(own, collections));
  };
  const [products, orders] = [of('products'), of('orders')];
  return {
    products,
    stock: of('stock') ?? stockBeside(products),
    orders: orders === null ? null : { ...orders, lines: lines(orders) },
    customers: of('customers'),
  };
}

function collectionNamed<Place>(name: string, collections: readonly Collection<Place>[]): Collection<Place> {
  const found = collections.find((one) => one.name === name);
  if (found !== undefined) return found;
  const like = collections.filter((one) => one.name.includes(name.slice(0, 3))).map((one) => one.name);
  const some = (like.length > 0 ? like : collections.map((one) => one.name)).slice(0, 10);
  throw new DraftFault(`it has no ${name} that was read; there is ${some.join(', ')}`);
}

function byPerson<Place>(list: ListName, collection: Collection<Place>): Reading<Place> {
  const fields = fieldsFor(LISTS[list].fields, collection);
  return { collection, fields, evidence: `${collection.shown}, as it was asked for`, lines: null, rival: null };
}

/** Names of collections of order lines. */
const LINE_NAMES = /(line|position|pos|item|detail|zeile)(s|en|n)?$/;

/** A match by fields ranks behind a match by name. */
const RANK_OF_FIELDS = 1.5;

/**
 * 0 is the best rank, Infinity no match.
 * @param fields the known field names
 */
export function rankOf(name: string, fields: readonly string[] = []): number {
  const own = words(name);
  const looksLike =
    fields.length > 0 && hasFieldsOfList({ ...NOTHING, name, fields: fields.map((one) => field([one])) });
  const ranks = Object.values(LISTS).map(({ names, never }) => {
    const at = names.findIndex((pattern) => pattern.test(own));
    return at < 0 ? Infinity : never.test(own) ? POINTS.length : at;
  });
  const lines = LINE_NAMES.test(own) ? POINTS.length + 1 : Infinity;
  return Math.min(...ranks, lines, looksLike ? RANK_OF_FIELDS : Infinity);
}

const NOTHING: Omit<Collection, 'name' | 'fields'> = { shown: '', rows: 0, place: null };

function hasFieldsOfList(collection: Collection): boolean {
  if (hasGoods(collection)) return true;
  return Object.values(LISTS).some((rule: ListRule) =>
    fitsByFields(rule, collection, fieldsFor(rule.fields, collection)),
  );
}

/** Lines of any document have a quantity and a price. */
function hasGoods(collection: Collection): boolean {
  const { quantity, unit_price: price } = fieldsFor(LINE_FIELDS, collection);
  return quantity !== undefined && price !== undefined;
}

function fitsByFields({ byFields }: ListRule, { fields }: Collection, found: Fields): boolean {
  if (byFields === undefined) return false;
  const isOther = fields.some(({ path }) => byFields.never.test(words(path.join(' '))));
  return !isOther && byFields.needs.every((group) => group.some((role) => found[role] !== undefined));
}

/** The collections to read: all, or the best ranked with a note for the head of the draft. */
export function likeliest<One>(
  all: readonly One[],
  rankOfOne: (one: One) => number,
  what: string,
  by = 'name',
): { taken: readonly One[]; cut: readonly string[] } {
  if (all.length <= BOUNDS.collections) return { taken: all, cut: [] };
  const taken = all
    .map((one) => ({ one, rank: rankOfOne(one) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, BOUNDS.collections)
    .map(({ one }) => one);
  return {
    taken,
    cut: [`whether a list is missing: ${taken.length} of ${all.length} ${what} were read, chosen by ${by}`],
  };
}

/** An ERP may keep the stock figure on the product. */
function stockBeside<Place>(products: Reading<Place> | null): Reading<Place> | null {
  if (products === null) return null;
  const { collection, fields } = products;
  const own = fieldsFor(LISTS.stock.fields, collection);
  if (own['on_hand'] === undefined && own['available'] === undefined) return null;
  const key = fields['id'] ?? fields['sku'];
  const evidence = `${collection.shown}: the products have a figure of stock`;
  return { collection, evidence, fields: { ...own, ...(key && { product_id: key }) }, lines: null, rival: null };
}

const POINTS_OF_FIELDS = 4;
const POINTS_OF_LINES = 8;

function bestFor<Place>(list: ListName, collections: readonly Collection<Place>[]): Reading<Place> | null {
  const rule: ListRule = LISTS[list];
  const scored = collections
    .flatMap((collection) => {
      const name = words(collection.name);
      if (rule.never.test(name)) return [];
      const named = rule.names.findIndex((pattern) => pattern.test(name));
      const fields = fieldsFor(rule.fields, collection);
      if (named < 0 && !fitsByFields(rule, collection, fields)) return [];
      const hasLines = list === 'orders' && linesReferringTo(collection, collections).length > 0;
      const isGiven = (role: string) => fields[role] !== undefined || (role === 'lines' && hasLines);
      if (!rule.needs.every((group) => group.some(isGiven))) return [];
      const found = Object.keys(fields).length;
      const own = named < 0 ? POINTS_OF_FIELDS : (POINTS[named] ?? 0) * 2;
      return [{ collection, fields, points: own + found + (hasLines ? POINTS_OF_LINES : 0), found, named }];
    })
    .sort((one, other) => other.points - one.points);
  const [best, next] = scored;
  if (best === undefined) return null;
  const { collection, fields, named, found } = best;
  const said =
    named < 0
      ? `${DECIDE} whether ${collection.shown} is the list of ${list}, which only its fields say; ${found} of them have a role`
      : `${collection.shown}: ${named === 0 ? 'name matches' : 'name is like'} ${list}; ${found} of its fields have a role`;
  const rival = next !== undefined && next.points >= best.points - 2 ? next.collection.shown : null;
  return { collection, fields, evidence: said, lines: null, rival };
}

/** A list inside the order, or a collection with quantities that refers to it. */
function linesOf<Place>(
  orders: Reading<Place>,
  collections: readonly Collection<Place>[],
  given: Collection<Place> | null,
): Reading<Place>['lines'] {
  const inside = orders.fields['lines']?.field;
  const { collection: of } = orders;
  if (inside !== undefined && given === null)
    return { collection: null, fields: fieldsFor(LINE_FIELDS, { ...of, rows: 0, fields: inside.fields }) };
  const referring = linesReferringTo(of, given === null ? collections : [given]);
  const [found] = referring;
  if (found !== undefined) return found;
  if (given === null) {
    const own = linesBeside(orders);
    if (own !== null) return own;
  }
  return linesByFields(of, given === null ? collections.filter(hasGoods) : [given]);
}

function linesReferringTo<Place>(
  orders: Collection<Place>,
  collections: readonly Collection<Place>[],
): NonNullable<Reading<Place>['lines']>[] {
  return collections
    .filter((one) => one !== orders)
    .flatMap((collection) => {
      const link = linkTo(collection, orders);
      const fields = fieldsFor(LINE_FIELDS, collection);
      if (link === undefined || fields['quantity'] === undefined) return [];
      return [
        {
          collection,
          fields: { ...fields, order_id: { field: link, evidence: `refers to ${orders.name}`, isTold: true } },
        },
      ];
    })
    .sort((one, other) => Object.keys(other.fields).length - Object.keys(one.fields).length);
}

/** Column names for the order of a line. */
const HEAD = /^(order|ord|sales?|trans|transaction|auftrags?|beleg|doc|document|head|header|parent) ?(id|no|nr|key)$/;

/** The lines if neither a key nor a name links them to orders. A name of an order line is preferred. */
function linesByFields<Place>(
  orders: Collection<Place>,
  collections: readonly Collection<Place>[],
): Reading<Place>['lines'] {
  const found = collections
    .filter((one) => one !== orders)
    .flatMap((collection) => {
      const head = collection.fields.find(
        ({ path, refersTo }) => refersTo === null && HEAD.test(words(path.join(' '))),
      );
      if (head === undefined) return [];
      const question = `${DECIDE} whether it is the key of ${orders.name}; no foreign key says so`;
      const fields: Fields = {
        ...fieldsFor(LINE_FIELDS, collection),
        order_id: { field: head, evidence: question, isTold: true },
      };
      const isNamed =
        /order|auftrag|bestell|sale/.test(words(collection.name)) && LINE_NAMES.test(words(collection.name));
      return [{ lines: { collection, fields }, points: Object.keys(fields).length + (isNamed ? POINTS_OF_LINES : 0) }];
    })
    .sort((one, other) => other.points - one.points);
  return found[0]?.lines ?? null;
}

/** Each row is a line that repeats its order. */
function linesBeside<Place>({ collection, fields: { id, reference } }: Reading<Place>): Reading<Place>['lines'] {
  const fields = fieldsFor(LINE_FIELDS, collection);
  const order = id ?? reference;
  if (order === undefined || fields['quantity'] === undefined || fields['sku'] === undefined) return null;
  return { collection, fields: { ...fields, order_id: order } };
}

export function choiceReasons({ evidence, rival }: Reading<unknown>): string[] {
  return rival === null ? [evidence] : [evidence, `decide: whether it is not ${rival}, which looks as likely`];
}

export function linkTo(collection: Collection, other: Collection): Field | undefined {
  return collection.fields.find(({ refersTo }) => refersTo?.collection === other.name);
}
