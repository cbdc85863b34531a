import { parseJson } from '../../../http/json.ts';
import type { Call, Handler } from '../call.ts';
import type { Condition, Filter } from '../list-query.ts';
import type { Market } from '../market.ts';
import { type Fields, refuse } from '../wire-values.ts';

export interface RecordRow {
  /** Counts up within its family. */
  readonly id: number;
  /** The key of a record: its id, or its UUID. */
  readonly key: string;
  /** In microseconds. */
  readonly created: number;
  readonly modified: number;
  /** JSON object. */
  readonly fields: string;
}

/** One kind of records: how they are kept, found and shown. Parts that are left out are the same for most families. */
export interface Family {
  /** As in operation ids: `contacts`. */
  readonly name: string;
  /** `uuid`: the id of a record is a UUID. Left out: the id is a number. */
  readonly id?: 'uuid';
  /** The path parameter that carries the id; `id` by default. */
  readonly param?: string;
  /** The wire names of a record's two instants, if they are shown: when it was made, and when it last changed. */
  readonly times?: readonly [created: string, modified: string];
  /** Fields that a create may leave out, besides those with a default in the operation table. */
  readonly initial?: Fields;
  /** Fields that stay when a record is replaced, since a replacement does not name them. */
  readonly kept?: readonly string[];
  /** Field -> the family of the record, or records, that the field names. A missing record is a 400 with the field's name. */
  readonly refers?: Readonly<Record<string, Reference>>;
  /** SQL over a record's columns (id, created, modified, fields), by attribute; by default the field of that name. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** SQL of the texts that `search` looks in; by default the field `name`. */
  readonly searched?: readonly string[];
  /** Filters that no attribute describes: the SQL condition of a value, null when the value does not matter. */
  readonly filters?: Readonly<Record<string, Filter>>;
  /** A condition, in SQL, for rows that every list leaves out. */
  readonly hidden?: string;
  /** The fields that all records within reach of a call have. A new record gets them too. @throws Refusal 403, 404 */
  readonly within?: (market: Market, call: Call) => Fields;
  /** Operations besides list, get, create, replace, patch and delete, or in place of them; by verb. */
  readonly handlers?: Readonly<Record<string, Handler>>;
  /** The fields as they are kept. @throws Refusal 400 */
  readonly take?: (market: Market, fields: Fields, write: Write) => Fields;
  /** The fields as they are shown. */
  readonly show?: (market: Market, fields: Fields, row: RecordRow) => Fields;
}

/** The name of a family, or a test of one value. */
export type Reference = string | ((market: Market, value: unknown) => boolean);

export interface Write {
  /** The fields before; null for a new record. */
  readonly before: Fields | null;
  /** The fields that were sent, without defaults. */
  readonly sent: Fields;
}

/** SQL of a field of the record. */
export function field(path: string): string {
  return `json_extract(fields, '$.${path}')`;
}

/** The SQL condition that a field of the record has this value. */
export function fieldIs(path: string, value: unknown): Condition {
  return { sql: `${field(path)} = ?`, values: [value] };
}

const DAY_MICROS = 86_400_000_000;

/** Filters by the days on which a record may have been made: the first and the last, both included (UTC). */
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

/** Adds a record; with the id that the fields give, or with the next one. */
export function insertRecord(market: Market, family: Family, { id: given, ...fields }: Fields): RecordRow {
  const id = typeof given === 'number' ? given : nextId(market, family);
  const at = market.stamp('records');
  const key = family.id === 'uuid' ? (typeof given === 'string' ? given : market.uuid()) : String(id);
  const row = { id, key, created: at, modified: at, fields: JSON.stringify(fields) };
  market.sql.insert('records', { family: family.name, ...row });
  return row;
}

/** Ids are not used again, also when the last record is gone. */
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

/** The key's own company counts as well, even when a setting gave the key a company that has no record. */
export function isCompany(market: Market, id: unknown): boolean {
  return id === market.settings().sellerId || findRecord(market, 'companies', id) !== undefined;
}

/** The filter by a company: every record here is the seller's. */
export const ofCompany: Filter = (id, _all, market) =>
  id === market.settings().sellerId ? null : { sql: '0', values: [] };

/** The filter by the slug of a company. */
export const ofCompanySlug: Filter = (slug, _all, market) => {
  const seller = findRecord(market, 'companies', market.settings().sellerId);
  return seller && fieldsOf(seller)['slug'] === slug ? null : { sql: '0', values: [] };
};

/** The company that looks must be the key's own. @throws Refusal 403 or 404, as the setting says */
export function checkViewer(market: Market, company: unknown): number {
  const { sellerId, forbiddenStatus } = market.settings();
  if (company !== sellerId) throw refuse(forbiddenStatus, 'Not a company of this key.');
  return sellerId;
}
