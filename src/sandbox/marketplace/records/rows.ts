import { parseJson } from '../../../http/json.ts';
import type { Market } from '../market.ts';
import { refuse } from '../refusal.ts';
import type { Fields } from '../wire-values.ts';
import type { Family, RecordRow } from './family.ts';

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

/** Adds a record; with an id of its own when one is given, with the next one otherwise. */
export function insertRecord(market: Market, family: Family, fields: Fields, given?: number): RecordRow {
  const id = given ?? nextId(market, family);
  const at = market.stamp('records');
  const { id: uuid, ...rest } = fields;
  const key = family.id === 'uuid' ? ((uuid as string | undefined) ?? market.uuid()) : String(id);
  const row = { id, key, created: at, modified: at, fields: JSON.stringify(rest) };
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
