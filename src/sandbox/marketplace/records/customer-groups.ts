import type { Answer, Call, Handler } from '../call.ts';
import type { Market } from '../market.ts';
import { refuse } from '../refusal.ts';
import { without } from '../wire-values.ts';
import { checkViewer } from './companies.ts';
import { createRecord, patchRecord, recordAnswer, recordsAnswer } from './crud.ts';
import { type Family, field, type RecordRow } from './family.ts';
import { listRecords } from './list.ts';
import { deleteRecord, fieldsOf, needRecord } from './rows.ts';

/** Spec 2, Customer group. Each is of the company that made it. */
export const customerGroups: Family = {
  name: 'customer-groups',
  times: ['created_date', 'modified_date'],
  initial: { description: null, customers: [], status: 'active' },
  refers: { customers: 'customers' },
  searched: [field('name'), field('description')],
  filters: { company_id: () => null },
  show: (_market, fields) => without(fields, new Set(['company'])),
};

const list: Handler = (market, call) => {
  const scope = [{ sql: `${field('company')} = ?`, values: [viewer(market, call)] }];
  return recordsAnswer(market, customerGroups, listRecords(market, customerGroups, call, scope));
};
const get: Handler = (market, call) => shown(market, own(market, call));

/** The company is in the path or in the query: the two variants differ in nothing else. */
export const customerGroupHandlers: Readonly<Record<string, Handler>> = {
  'customer-groups.list': list,
  'customer-groups.list-unified': list,
  'customer-groups.get': get,
  'customer-groups.get-unified': get,
  'customer-groups.create': (market, call) =>
    shown(market, createRecord(market, customerGroups, { ...call.body, company: viewer(market, call) })),
  'customer-groups.patch': (market, call) =>
    shown(market, patchRecord(market, customerGroups, own(market, call), call.body)),
  'customer-groups.delete': (market, call) => {
    deleteRecord(market, customerGroups, own(market, call));
    return { kind: 'entity', json: null };
  },
};

function viewer(market: Market, { params, query }: Call): number {
  return checkViewer(market, params['company_id'] ?? query['company_id']);
}

function own(market: Market, call: Call): RecordRow {
  const row = needRecord(market, customerGroups, call.params['id']);
  if (fieldsOf(row)['company'] !== viewer(market, call)) throw refuse(404, 'Not found.');
  return row;
}

function shown(market: Market, row: RecordRow): Answer {
  return recordAnswer(market, customerGroups, row);
}
