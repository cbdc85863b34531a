import type { z } from 'zod';
import type { Operation } from '../../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../marketplace/operations/table.ts';
import type { Answer, Handler } from '../call.ts';
import { showInstant } from '../instants.ts';
import type { Market } from '../market.ts';
import { invalid } from '../refusal.ts';
import { type Fields, without } from '../wire-values.ts';
import type { Family, RecordRow } from './family.ts';
import { listRecords } from './list.ts';
import { deleteRecord, fieldsOf, findRecord, insertRecord, needRecord, updateRecord } from './rows.ts';

/** The work of the marketplace for the operations `FAMILY.list`, `.get`, `.create` and so on, as far as there are any. */
export function handlersOf(family: Family): Readonly<Record<string, Handler>> {
  const own = (params: Readonly<Record<string, unknown>>) => params[family.param ?? 'id'];
  const all: Readonly<Record<string, Handler>> = {
    list: (market, call) => recordsAnswer(market, family, listRecords(market, family, call)),
    get: (market, { params }) => recordAnswer(market, family, needRecord(market, family, own(params))),
    create: (market, { body }) => recordAnswer(market, family, createRecord(market, family, withoutId(body))),
    replace: (market, { params, body }) => {
      const row = needRecord(market, family, own(params));
      return recordAnswer(market, family, replaceRecord(market, family, row, withoutId(body)));
    },
    patch: (market, { params, body }) => {
      const row = needRecord(market, family, own(params));
      return recordAnswer(market, family, patchRecord(market, family, row, withoutId(body)));
    },
    delete: (market, { params }) => {
      deleteRecord(market, family, needRecord(market, family, own(params)));
      return { kind: 'entity', json: null };
    },
  };
  const known = Object.entries(all).map(([verb, handler]) => [`${family.name}.${verb}`, handler] as const);
  return Object.fromEntries(known.filter(([id]) => id in OPERATIONS));
}

/** A record's id is given by the marketplace; some bodies may name it all the same. */
function withoutId(body: Fields): Fields {
  return without(body, new Set(['id']));
}

/** @throws Refusal 400 */
export function createRecord(market: Market, family: Family, sent: Fields): RecordRow {
  const { id, ...fields } = taken(market, family, { ...startOf(family), ...sent }, { before: null, sent });
  if (typeof id === 'number') return insertRecord(market, family, fields, id);
  return insertRecord(market, family, id === undefined ? fields : { ...fields, id });
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

/** The fields of a new record where nothing is sent: the table's defaults, and the family's own. */
function startOf({ name, initial }: Family): Fields {
  const create = (OPERATIONS as Readonly<Record<string, Operation>>)[`${name}.create`]?.body;
  return { ...defaultsOf(create ?? null), ...initial };
}

function defaultsOf(body: z.ZodType | null): Fields {
  const shape = (body as Partial<z.ZodObject> | null)?.shape ?? {};
  const defaults = Object.entries(shape).map(([name, schema]) => [name, defaultOf(schema as z.ZodType)] as const);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined));
}

/** A default is told of the schema inside `optional`. */
function defaultOf(schema: z.ZodType): unknown {
  const inner = (schema as Partial<z.ZodOptional<z.ZodType>>).def?.innerType;
  return schema.meta()?.['default'] ?? (inner === undefined ? undefined : defaultOf(inner));
}

export function recordsAnswer(
  market: Market,
  family: Family,
  page: { readonly count: number; readonly rows: readonly RecordRow[] },
): Answer {
  return { kind: 'rows', count: page.count, rows: page.rows.map((row) => recordJson(market, family, row)) };
}

export function recordAnswer(market: Market, family: Family, row: RecordRow): Answer {
  return { kind: 'entity', json: recordJson(market, family, row) };
}

export function recordJson(market: Market, family: Family, row: RecordRow): string {
  const fields = fieldsOf(row);
  return JSON.stringify({
    id: family.id === 'uuid' ? row.key : row.id,
    ...shownTimes(market, family, row),
    ...(family.show?.(market, fields, row) ?? fields),
  });
}

function shownTimes(market: Market, { times }: Family, row: RecordRow): Fields {
  if (times === undefined) return {};
  const { timesShown, utcOffsetMinutes } = market.settings();
  const shown = (micros: number) => showInstant(micros, timesShown, utcOffsetMinutes);
  return { [times[0]]: shown(row.created), [times[1]]: shown(row.modified) };
}
