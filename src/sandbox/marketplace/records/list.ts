import type { Call } from '../call.ts';
import { type Condition, fieldOf, listPage, type Page } from '../list-query.ts';
import type { Market } from '../market.ts';
import type { Family, RecordRow } from './family.ts';

/** A page of a family's records that pass the filters, within `scope`. */
export function listRecords(
  market: Market,
  family: Family,
  call: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[] = [],
): Page<RecordRow> {
  const { name, id, attributes = {}, times, searched = [], filters = {}, hidden } = family;
  const isTime = (attribute: string) => times !== undefined && (CREATED.has(attribute) || MODIFIED.has(attribute));
  const listed = {
    source: `(SELECT * FROM records WHERE family = '${name}')`,
    isTime,
    sqlOf(attribute: string) {
      const own = attributes[attribute];
      if (own !== undefined) return own;
      if (attribute === 'id') return id === 'uuid' ? 'key' : 'id';
      if (isTime(attribute)) return CREATED.has(attribute) ? 'created' : 'modified';
      return fieldOf(attribute);
    },
    searched,
    filters,
    ordering: 'id',
  };
  const shown = hidden === undefined ? [] : [{ sql: `NOT coalesce(${hidden}, 0)`, values: [] }];
  return listPage(market, listed, call, [...shown, ...scope]);
}

const CREATED = new Set(['created', 'created_on', 'created_date']);
const MODIFIED = new Set(['modified', 'modified_date']);
