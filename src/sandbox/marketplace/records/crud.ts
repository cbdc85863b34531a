import type { z } from 'zod';
import type { Operation } from '../../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../marketplace/operations/table.ts';
import { type Answer, type Call, type Handler, NO_CONTENT } from '../call.ts';
import { shownAs } from '../field-names.ts';
import { showTime } from '../instants.ts';
import { type Condition, fieldOf, listPage, type Page } from '../list-query.ts';
import type { Market } from '../market.ts';
import { type Fields, invalid, refuse, without } from '../wire-values.ts';
import {
  deleteRecord,
  type Family,
  field,
  fieldIs,
  fieldsOf,
  findRecord,
  insertRecord,
  needRecord,
  ofCompanySlug,
  type RecordRow,
  updateRecord,
} from './family.ts';

/**
 * A family's operations: `FAMILY.list`, `.get`, `.create` and so on, and its own. `list-unified` is `list` with the
 * company in the query.
 */
export function handlersOf(family: Family): Readonly<Record<string, Handler>> {
  const { name, param = 'id', within = () => ({}), handlers = {} } = family;
  const own = (market: Market, call: Call) => {
    const row = needRecord(market, family, call.params[param]);
    const fields = fieldsOf(row);
    const isWithin = Object.entries(within(market, call)).every(([path, value]) => fields[path] === value);
    if (!isWithin) throw refuse(404, 'Not found.');
    return row;
  };
  const shown = (market: Market, row: RecordRow) => recordAnswer(market, family, row);
  const verbs: Readonly<Record<string, Handler>> = {
    list: (market, call) => {
      const scope = Object.entries(within(market, call)).map(([path, value]) => fieldIs(path, value));
      return listAnswer(market, family, call, scope);
    },
    get: (market, call) => shown(market, own(market, call)),
    create: (market, call) =>
      shown(market, createRecord(market, family, { ...withoutId(call.body), ...within(market, call) })),
    replace: (market, call) => shown(market, replaceRecord(market, family, own(market, call), withoutId(call.body))),
    patch: (market, call) => shown(market, patchRecord(market, family, own(market, call), withoutId(call.body))),
    delete: (market, call) => {
      deleteRecord(market, family, own(market, call));
      return NO_CONTENT;
    },
    ...handlers,
  };
  const ids = Object.keys(OPERATIONS).filter((id) => id.startsWith(`${name}.`));
  return Object.fromEntries(
    ids.flatMap((id) => {
      const verb = id.slice(name.length + 1);
      const handler = verbs[verb] ?? verbs[verb.replace('-unified', '')];
      return handler === undefined ? [] : [[id, handler] as const];
    }),
  );
}

/** Ids in bodies are ignored. */
function withoutId(body: Fields): Fields {
  return without(body, new Set(['id']));
}

/** @throws Refusal 400 */
export function createRecord(market: Market, family: Family, sent: Fields): RecordRow {
  return insertRecord(market, family, taken(market, family, { ...startOf(family), ...sent }, { before: null, sent }));
}

/** @throws Refusal 400 */
function replaceRecord(market: Market, family: Family, row: RecordRow, sent: Fields): RecordRow {
  const before = fieldsOf(row);
  const kept = Object.entries(before).filter(([name]) => family.kept?.includes(name));
  const fields = { ...startOf(family), ...Object.fromEntries(kept), ...sent };
  return updateRecord(market, family, row, taken(market, family, fields, { before: null, sent }));
}

/** @throws Refusal 400 */
export function patchRecord(market: Market, family: Family, row: RecordRow, sent: Fields): RecordRow {
  const before = fieldsOf(row);
  return updateRecord(market, family, row, taken(market, family, { ...before, ...sent }, { before, sent }));
}

function taken(market: Market, family: Family, fields: Fields, write: { before: Fields | null; sent: Fields }): Fields {
  for (const [name, reference] of Object.entries(family.refers ?? {})) {
    for (const value of [write.sent[name]].flat()) {
      if (value === undefined || value === null) continue;
      const found = typeof reference === 'string' ? findRecord(market, reference, value) : reference(market, value);
      if (!found) throw invalid(name, `There is no ${name.replace(/_id$/, '')} ${JSON.stringify(value)}.`);
    }
  }
  return family.take?.(market, fields, write) ?? fields;
}

/** Defaults of the table and the family for a create. */
function startOf({ name, initial }: Family): Fields {
  const create = (OPERATIONS as Readonly<Record<string, Operation>>)[`${name}.create`]?.body;
  return { ...defaultsOf(create ?? null), ...initial };
}

function defaultsOf(body: z.ZodType | null): Fields {
  const shape = (body as Partial<z.ZodObject> | null)?.shape ?? {};
  const defaults = Object.entries(shape).map(([name, schema]) => [name, defaultOf(schema as z.ZodType)] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

/** In the schema's metadata, or in that inside `optional`. */
function defaultOf(schema: z.ZodType): unknown {
  const inner = (schema as Partial<z.ZodOptional<z.ZodType>>).def?.innerType;
  return schema.meta()?.['default'] ?? (inner === undefined ? undefined : defaultOf(inner));
}

/** A page within `scope` that passes the filters. */
export function listAnswer(
  market: Market,
  family: Family,
  call: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[] = [],
): Answer {
  const { count, rows } = listRecords(market, family, call, scope);
  return { kind: 'rows', count, rows: rows.map((row) => recordJson(market, family, row)) };
}

export function listRecords(
  market: Market,
  family: Family,
  call: Pick<Call, 'query' | 'window'>,
  scope: readonly Condition[] = [],
): Page<RecordRow> {
  const { name, id, attributes = {}, times, searched = [field('name')], filters = {}, hidden } = family;
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
    filters: { company_slug: ofCompanySlug, ...filters },
    ordering: 'id',
  };
  const shown = hidden === undefined ? [] : [{ sql: `NOT coalesce(${hidden}, 0)`, values: [] }];
  return listPage(market, listed, call, [...shown, ...scope]);
}

const CREATED = new Set(['created', 'created_on', 'created_date']);
const MODIFIED = new Set(['modified', 'modified_date']);

export function recordAnswer(market: Market, family: Family, row: RecordRow): Answer {
  return { kind: 'entity', json: recordJson(market, family, row) };
}

export function recordJson(market: Market, family: Family, row: RecordRow): string {
  const fields = fieldsOf(row);
  const json = JSON.stringify({
    id: family.id === 'uuid' ? row.key : row.id,
    ...shownTimes(market, family, row),
    ...(family.show?.(market, fields, row) ?? fields),
  });
  return family.name === 'customers' ? shownAs('customer', json, market.settings()) : json;
}

function shownTimes(market: Market, { times }: Family, row: RecordRow): Fields {
  if (times === undefined) return {};
  const settings = market.settings();
  return { [times[0]]: showTime(row.created, settings), [times[1]]: showTime(row.modified, settings) };
}
