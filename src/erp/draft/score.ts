import { type FieldRule, LINE_FIELDS, LISTS, type ListName, type ListRule } from './roles.ts';
import { BOUNDS, type Collection, type Field, words } from './shape.ts';

/** Decides which collection and which field plays which role, and says why. Pure. */

export interface Found {
  readonly field: Field;
  /** "name matches sku; unique in 50 rows; e.g. A-100" */
  readonly evidence: string;
}

export type Fields = Readonly<Partial<Record<string, Found>>>;

export interface Reading<Place> {
  readonly collection: Collection<Place>;
  readonly evidence: string;
  readonly fields: Fields;
  /** The fields of the lines of an order, of a list inside its row or of a collection that refers to it. */
  readonly lines: { readonly collection: Collection<Place> | null; readonly fields: Fields } | null;
  /** Another collection that looks almost as likely. */
  readonly rival: string | null;
}

export type Readings<Place> = { readonly [Name in ListName]: Reading<Place> | null };

/** Points of a name, by the place of its pattern in the rule. */
const POINTS = [6, 4, 2] as const;

export function readingsOf<Place>(collections: readonly Collection<Place>[]): Readings<Place> {
  const of = (name: ListName): Reading<Place> | null => bestFor(name, LISTS[name], collections);
  const [products, orders] = [of('products'), of('orders')];
  return {
    products,
    stock: of('stock') ?? stockBeside(products),
    orders: orders === null ? null : { ...orders, lines: linesOf(orders, collections) },
    customers: of('customers'),
  };
}

/** The lines of orders stand in such collections. */
const LINE_NAMES = /(line|position|pos|item|detail|zeile)(s|en|n)?$/;

/** How likely a collection of this name is one that is looked for: 0 is the likeliest. Infinity: not at all. */
export function rankOf(name: string): number {
  const own = words(name);
  const ranks = Object.values(LISTS).map(({ names, never }) => {
    const at = names.findIndex((pattern) => pattern.test(own));
    return at < 0 ? Infinity : never.test(own) ? POINTS.length : at;
  });
  return Math.min(...ranks, LINE_NAMES.test(own) ? POINTS.length + 1 : Infinity);
}

/** The collections whose fields are read: all, or those with the likeliest names, and then a line for the head of the draft. */
export function likeliest<One>(
  all: readonly One[],
  nameOf: (one: One) => string,
  what: string,
): { taken: readonly One[]; cut: readonly string[] } {
  if (all.length <= BOUNDS.collections) return { taken: all, cut: [] };
  const taken = all
    .map((one) => ({ one, rank: rankOf(nameOf(one)) }))
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, BOUNDS.collections)
    .map(({ one }) => one);
  return {
    taken,
    cut: [`whether a list is missing: ${taken.length} of ${all.length} ${what} were read, chosen by name`],
  };
}

/** An ERP may keep the figure of stock with the product. */
function stockBeside<Place>(products: Reading<Place> | null): Reading<Place> | null {
  if (products === null) return null;
  const { collection, fields } = products;
  const own = fieldsFor(LISTS.stock.fields, collection);
  if (own['on_hand'] === undefined && own['available'] === undefined) return null;
  const key = fields['id'] ?? fields['sku'];
  const evidence = `${collection.shown}: the products have a figure of stock`;
  return { collection, evidence, fields: { ...own, ...(key && { product_id: key }) }, lines: null, rival: null };
}

function bestFor<Place>(
  list: ListName,
  rule: ListRule,
  collections: readonly Collection<Place>[],
): Reading<Place> | null {
  const scored = collections
    .flatMap((collection) => {
      const name = words(collection.name);
      const named = rule.never.test(name) ? -1 : rule.names.findIndex((pattern) => pattern.test(name));
      if (named < 0) return [];
      const fields = fieldsFor(rule.fields, collection);
      if (!rule.needs.every((group) => group.some((role) => fields[role] !== undefined))) return [];
      const found = Object.keys(fields).length;
      return [{ collection, fields, points: (POINTS[named] ?? 0) * 2 + found, found, named }];
    })
    .sort((one, other) => other.points - one.points);
  const [best, next] = scored;
  if (best === undefined) return null;
  const how = best.named === 0 ? 'name matches' : 'name is like';
  return {
    collection: best.collection,
    fields: best.fields,
    evidence: `${best.collection.shown}: ${how} ${list}; ${best.found} of its fields have a role`,
    lines: null,
    rival: next !== undefined && next.points >= best.points - 2 ? next.collection.shown : null,
  };
}

export function fieldsFor(rules: Readonly<Record<string, FieldRule>>, { name, fields, rows }: Collection): Fields {
  const own = words(name);
  const found = Object.entries(rules).flatMap(([role, rule]) => {
    const scored = fields
      .flatMap((one) => {
        const points = pointsOf(rule, role, one, own);
        return points === null ? [] : [{ one, points }];
      })
      .sort((a, b) => b.points - a.points || a.one.path.length - b.one.path.length);
    const [best] = scored;
    return best === undefined
      ? []
      : [[role, { field: best.one, evidence: evidenceOf(rule, role, best.one, rows) }] as const];
  });
  return Object.fromEntries(found);
}

function pointsOf(rule: FieldRule, role: string, one: Field, own: string): number | null {
  if (!rule.types.includes(one.type)) return null;
  const isOwnKey = role === 'id' && one.isKey;
  const named = namedAt(rule, one, own);
  if (named === null && !isOwnKey) return null;
  const unique = rule.unique !== true || one.unique === null ? 0 : one.unique ? 1 : -3;
  const points = (named === null ? 0 : (POINTS[named] ?? 0)) + unique + (isOwnKey ? 6 : 0);
  return points > 0 ? points : null;
}

/** The place of the pattern that the name fits: as it is, without the objects that only hold a row, or without the name of its collection. */
function namedAt({ names, never }: FieldRule, { path }: Field, own: string): number | null {
  const whole = words(path.join(' ')).replace(/^(node|attributes|fields|data) /, '');
  if (never?.test(whole)) return null;
  const short = whole.startsWith(`${own.replace(/s$/, '')} `) ? whole.slice(whole.indexOf(' ') + 1) : whole;
  const at = [whole, short]
    .map((name) => names.findIndex((pattern) => pattern.test(name)))
    .filter((index) => index >= 0);
  return at.length === 0 ? null : Math.min(...at);
}

function evidenceOf(rule: FieldRule, role: string, one: Field, rows: number): string {
  const named = namedAt(rule, one, '');
  const said = named === 0 ? `name matches ${role}` : named === null ? 'the key' : `name is like ${role}`;
  const seen = rule.unique !== true || one.unique === null ? null : uniqueText(one, rows);
  return [said, one.type === 'unknown' ? null : one.type, seen, exampleOf(one)]
    .filter((part) => part !== null)
    .join('; ');
}

function uniqueText({ unique }: Field, rows: number): string {
  if (unique !== true) return `not unique in ${rows} rows`;
  return rows === 0 ? 'unique' : `unique in ${rows} rows`;
}

export function exampleOf({ samples }: Field): string | null {
  const [first] = samples;
  return first === undefined ? null : `e.g. ${first}`;
}

/** A list inside the order, or the collection that refers to it and has quantities. */
function linesOf<Place>(orders: Reading<Place>, collections: readonly Collection<Place>[]): Reading<Place>['lines'] {
  const inside = orders.fields['lines']?.field;
  if (inside !== undefined) {
    const { collection } = orders;
    return { collection: null, fields: fieldsFor(LINE_FIELDS, { ...collection, rows: 0, fields: inside.fields }) };
  }
  const { name } = orders.collection;
  const found = collections
    .filter((one) => one !== orders.collection)
    .flatMap((collection) => {
      const link = collection.fields.find(({ refersTo }) => refersTo?.collection === name);
      const fields = fieldsFor(LINE_FIELDS, collection);
      if (link === undefined || fields['quantity'] === undefined) return [];
      return [{ collection, fields: { ...fields, order_id: { field: link, evidence: `refers to ${name}` } } }];
    })
    .sort((one, other) => Object.keys(other.fields).length - Object.keys(one.fields).length);
  return found[0] ?? linesBeside(orders);
}

/** Each row is a line, with its order repeated. */
function linesBeside<Place>({ collection, fields: { id, reference } }: Reading<Place>): Reading<Place>['lines'] {
  const fields = fieldsFor(LINE_FIELDS, collection);
  const order = id ?? reference;
  if (order === undefined || fields['quantity'] === undefined || fields['sku'] === undefined) return null;
  return { collection, fields: { ...fields, order_id: order } };
}

/** Why a collection was chosen, as comments. */
export function saidOf({ evidence, rival }: Reading<unknown>): string[] {
  return rival === null ? [evidence] : [evidence, `decide: whether it is not ${rival}, which looks as likely`];
}

/** The field of a collection that refers to another one. */
export function linkTo(collection: Collection, other: Collection): Field | undefined {
  return collection.fields.find(({ refersTo }) => refersTo?.collection === other.name);
}
