import { Decimal } from '../../../../src/domain/decimal.ts';
import { DOCTYPES } from './doctypes.ts';
import { refuse } from './failures.ts';

export type Doc = Record<string, unknown>;

/** India Standard Time, Frappe's usual time zone: stamps are local times without an offset (frappe/utils/data.py, now_datetime). */
export const ZONE = 'Asia/Kolkata';
const AHEAD_OF_UTC_MS = 19_800_000;

export interface State {
  /** The documents of each doctype by their name in small letters: MariaDB's collation utf8mb4_unicode_ci ignores the case. */
  readonly docs: Map<string, Map<string, Doc>>;
  readonly series: Map<string, number>;
}

export interface Site {
  state: State;
  readonly settings: {
    readonly company: string;
    readonly currency: string;
    readonly priceList: string;
    /** Stock Settings, default_warehouse. */
    readonly warehouse: string;
    /** Selling Settings, "Allow Multiple Sales Orders Against a Customer's Purchase Order". */
    readonly repeatedPurchaseOrders: boolean;
    /** The percentage that a pricing rule takes off an item. */
    readonly pricingRules: Readonly<Record<string, number>>;
    readonly roles: readonly string[];
  };
}

/** A value of a field as text; an empty one where there is none. */
export const plain = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
export const text = (doc: Doc, field: string): string => plain(doc[field]);
export const num = (doc: Doc, field: string): Decimal => flt(doc[field]);
export const rows = (doc: Doc, field = 'items'): Doc[] => (doc[field] ?? []) as Doc[];

/** frappe/utils/data.py, flt: what is no number counts as zero. */
export function flt(value: unknown, places?: number): Decimal {
  if (Decimal.isDecimal(value))
    return places === undefined ? value : value.toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN);
  const written = plain(value).replaceAll(',', '');
  const exact = /^-?\d*\.?\d+(e-?\d+)?$/i.test(written) ? new Decimal(written) : new Decimal(0);
  // System Settings, rounding_method: "Banker's Rounding" on new sites.
  return places === undefined ? exact : exact.toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN);
}

let micros = 0;
/** The time as Frappe stamps it, to the microsecond. */
export function stamp(at: Date): string {
  micros = (micros + 7) % 1_000;
  const local = new Date(at.getTime() + AHEAD_OF_UTC_MS).toISOString();
  return `${local.replace('T', ' ').replace('Z', '')}${String(micros).padStart(3, '0')}`;
}

export const today = (at: Date): string => stamp(at).slice(0, 10);

const tableOf = ({ state }: Site, doctype: string): Map<string, Doc> => {
  const table = state.docs.get(doctype) ?? new Map<string, Doc>();
  state.docs.set(doctype, table);
  return table;
};

/** MariaDB's comparison of two texts: without case, and without blanks at the end. */
export const folded = (value: unknown): string => plain(value).trimEnd().toLowerCase();

export function find(site: Site, doctype: string, name: unknown): Doc | undefined {
  return tableOf(site, doctype).get(folded(name));
}

/** frappe/model/document.py, load_from_db */
export function load(site: Site, doctype: string, name: string): Doc {
  return find(site, doctype, name) ?? refuse(`${doctype} ${name} not found`, 'DoesNotExistError');
}

export function put(site: Site, doc: Doc): void {
  tableOf(site, text(doc, 'doctype')).set(folded(doc['name']), doc);
}

export function remove(site: Site, doc: Doc): void {
  tableOf(site, text(doc, 'doctype')).delete(folded(doc['name']));
}

/** All documents of a doctype; the rows inside documents for a table. */
export function all(site: Site, doctype: string): Doc[] {
  if (DOCTYPES[doctype]?.isTable !== true) return [...tableOf(site, doctype).values()];
  return Object.entries(DOCTYPES).flatMap(([parent, { fields }]) =>
    Object.entries(fields)
      .filter(([, { type, options }]) => type === 'Table' && options === doctype)
      .flatMap(([field]) => [...tableOf(site, parent).values()].flatMap((doc) => rows(doc, field))),
  );
}

const hash = (): string => Math.random().toString(36).slice(2, 12).padEnd(10, '0');

/** frappe/model/naming.py, set_new_name */
export function newName(site: Site, doctype: string, doc: Doc, at: Date): string {
  if (text(doc, 'amended_from') !== '') return amendedName(site, doctype, text(doc, 'amended_from'));
  const named = DOCTYPES[doctype]?.named ?? 'hash';
  if (named === 'hash') return hash();
  if ('field' in named) {
    const name = text(doc, named.field).trim();
    if (name === '') refuse(`${named.field} is required`);
    if (find(site, doctype, name) !== undefined) refuse(`${doctype} ${name} already exists`, 'DuplicateEntryError');
    return name;
  }
  const prefix = named.series.replace('.YYYY.', today(at).slice(0, 4)).replace(/\.#+$/, '');
  const next = (site.state.series.get(prefix) ?? 0) + 1;
  site.state.series.set(prefix, next);
  return `${prefix}${String(next).padStart(5, '0')}`;
}

/** frappe/model/naming.py, _set_amended_name: "-1" for the first copy, then one more. */
function amendedName(site: Site, doctype: string, from: string): string {
  const before = load(site, doctype, from);
  if (text(before, 'amended_from') === '') return `${from}-1`;
  const parts = from.split('-');
  return `${parts.slice(0, -1).join('-')}-${Number(parts.at(-1)) + 1}`;
}
