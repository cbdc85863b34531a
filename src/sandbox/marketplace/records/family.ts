import { parseJson } from '../../../http/json.ts';
import type { Call, Handler } from '../call.ts';
import type { Condition, Filter } from '../list-query.ts';
import type { Market } from '../market.ts';
import { type Fields, refuse } from '../wire-values.ts';

export interface RecordRow {
  /** Unique in its family. */
  readonly id: number;
  /** The id or UUID. */
  readonly key: string;
  /** Microseconds. */
  readonly created: number;
  readonly modified: number;
  /** JSON object. */
  readonly fields: string;
}

/** How one kind of record is stored, found and shown. Optional parts have common defaults. */
export interface Family {
  /** As in operation ids: `contacts`. */
  readonly name: string;
  /** By default a number. */
  readonly id?: 'uuid';
  /** The path parameter with the id; by default `id`. */
  readonly param?: string;
  /** Wire names of when a record was created and changed, if shown. */
  readonly times?: readonly [created: string, modified: string];
  /** Defaults of a create, beyond the operation table's. */
  readonly initial?: Fields;
  /** Fields that survive a replacement. */
  readonly kept?: readonly string[];
  /** Field -> the family of the record or records it names. A missing record is a 400 with the field's name. */
  readonly refers?: Readonly<Record<string, Reference>>;
  /** SQL over a record's columns (id, created, modified, fields); by default the field of that name. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** The SQL texts that `search` covers; by default `name`. */
  readonly searched?: readonly string[];
  /** Filters beyond attributes; null: the value does not matter. */
  readonly filters?: Readonly<Record<string, Filter>>;
  /** SQL for rows omitted from every list. */
  readonly hidden?: string;
  /** Fields shared by all records that a call can reach. New records get them. @throws Refusal 403, 404 */
  readonly within?: (market: Market, call: Call) => Fields;
  /** Other operations, or replacements of the standard ones, by verb. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** The fields to store. @throws Refusal 400 */
  readonly take?: (market: Market, fields: Fields, write: Write) => Fields;
  /** The fields to show. */
  readonly show?: (market: Market, fields: Fields, row: RecordRow) => Fields;
}

/** A family's name, or a test of the value. */
export type Reference = string | ((market: Market, value: unknown) => boolean);

export interface Write {
  /** null: a new record. */
  readonly before: Fields | null;
  /** Without defaults. */
  readonly sent: Fields;
}

/** SQL of a record's field. */
export function field(path: string): string {
  return `json_extract(fields, '$.${path}')`;
}

export function fieldIs(path: string, value: unknown): Condition {
  return { sql: `${field(path)} = ?`, values: [value] };
}

const DAY_MICROS = 86_400_000_000;

/** Filters by creation day, both included (UTC). */
export function madeBetween(first: string, last: string): Readonly<Record<string, Filter>> {
  const startOf = (day: unknown) => Date.parse(String(day)) * 1000;
  return {
    [first]: (day) => ({ sql: 'created >= ?', values: [startOf(day)] }),
    [last]: (day) => ({ sql: 'created < ?', values: [startOf(day) + DAY_MICROS] }),
  };
}

export function fieldsOf(row: RecordRow): Fields {
  return parseJson(row.fields) as Fields;
}

export function findRecord(market: Market, family: string, key: unknown): RecordRow | undefined {
  return market.sql.get<RecordRow>('SELECT * FROM records WHERE family = ? AND key = ?', family, String(key));
}

/** @throws Refusal 404 */
export function needRecord(market: Market, family: Family, key: unknown): RecordRow {
  const row = findRecord(market, family.name, key);
  if (!row) throw refuse(404, 'Not found.');
  return row;
}

export function allRecords(market: Market, family: string): RecordRow[] {
  return market.sql.all<RecordRow>('SELECT * FROM records WHERE family = ? ORDER BY id', family);
}

/** With the fields' id, or the next one. */
export function insertRecord(market: Market, family: Family, { id: given, ...fields }: Fields): RecordRow {
  const id = typeof given === 'number' ? given : nextId(market, family);
  const at = market.stamp('records');
  const key = family.id === 'uuid' ? (typeof given === 'string' ? given : market.uuid()) : String(id);
  const row = { id, key, created: at, modified: at, fields: JSON.stringify(fields) };
  market.sql.insert('records', { family: family.name, ...row });
  return row;
}

/** Ids are never reused. */
function nextId(market: Market, family: Family): number {
  const last = market.sql.get<{ last: number }>(
    `INSERT INTO record_ids (family, last)
     VALUES (?, 1 + coalesce((SELECT max(id) FROM records WHERE family = ?), 0))
     ON CONFLICT (family) DO UPDATE SET last = max(last + 1, excluded.last) RETURNING last`,
    family.name,
    family.name,
  );
  return last?.last ?? 1;
}

export function updateRecord(market: Market, family: Family, row: RecordRow, fields: Fields): RecordRow {
  const changed = { ...row, modified: market.stamp('records'), fields: JSON.stringify(fields) };
  market.sql.put('records', { ...changed, family: family.name });
  return changed;
}

export function deleteRecord(market: Market, family: Family, row: RecordRow): void {
  market.sql.run('DELETE FROM records WHERE family = ? AND id = ?', family.name, row.id);
}

/** The key's own company counts even without a record. */
export function isCompany(market: Market, id: unknown): boolean {
  return id === market.settings().sellerId || findRecord(market, 'companies', id) !== undefined;
}

/** All records are the seller's. */
export const ofCompany: Filter = (id, _all, market) =>
  id === market.settings().sellerId ? null : { sql: '0', values: [] };

export const ofCompanySlug: Filter = (slug, _all, market) => {
  const seller = findRecord(market, 'companies', market.settings().sellerId);
  return seller && fieldsOf(seller)['slug'] === slug ? null : { sql: '0', values: [] };
};

/** Only the key's own company may read. @throws Refusal 403 or 404, by setting */
export function checkViewer(market: Market, company: unknown): number {
  const { sellerId, forbiddenStatus } = market.settings();
  if (company !== sellerId) throw refuse(forbiddenStatus, 'Not a company of this key.');
  return sellerId;
}
