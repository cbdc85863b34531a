import { emailKey, licenseKey } from '../../../domain/customer.ts';
import { parseJson } from '../../../http/json.ts';
import { readCustomer } from '../../../marketplace/entities/customer.ts';
import type { Answer, Body, Query } from '../../../marketplace/request.ts';
import type { AccountRecords, Look, MarketplaceReading } from '../../../shadow/context.ts';
import { recordCustomerPage } from '../../../shadow/read-customers.ts';
import { runAfterWrite } from '../../engine/after-write.ts';
import { createOnce, similarEntities } from '../../engine/create-once.ts';
import { saveEchoes, shownFields, writeReplacing } from '../../engine/echoes.ts';
import type { WireFields } from '../../engine/fields.ts';
import type { Applied, WriteLook } from '../../engine/flow.ts';
import { linkFound } from '../../engine/link-found.ts';
import type { SetBack } from '../../engine/overwritten.ts';
import { addressField, type CustomerOutAction } from './decide.ts';
import { ADDRESS_WRITES } from './wanted.ts';

type Row = Answer<'customers.list'>;
type Filter = Omit<Query<'customers.list'>, 'page' | 'page_size'>;
type Action<Name extends CustomerOutAction['action']> = Extract<CustomerOutAction, { action: Name }>;

export async function applyCustomerOut(
  context: MarketplaceReading,
  look: WriteLook,
  action: CustomerOutAction,
): Promise<Applied> {
  switch (action.action) {
    case 'customer-out.link':
      return linkFound(context, {
        kind: 'customer',
        marketplaceId: String(action.customerId),
        erpId: look.key,
        how: action.how,
      });
    case 'customer-out.relink':
      return moveLink(context, action);
    case 'customer-out.create':
      return createCustomer(context, look, action);
    case 'customer-out.patch':
    case 'customer-out.discount':
    case 'customer-out.price-schedule':
      return patchCustomer(context, look, action.customerId, action.fields, action);
    case 'customer-out.archive':
      return patchCustomer(context, look, action.customerId, { is_archived: true });
    case 'customer-out.restore':
      return patchCustomer(context, look, action.customerId, { is_archived: false });
    case 'customer-out.address':
      return writeAddress(context, look, action);
  }
}

async function moveLink(
  { account, store }: AccountRecords,
  { customerId, erpId, how }: Action<'customer-out.relink'>,
): Promise<Applied> {
  const link = { account, kind: 'customer', marketplaceId: String(customerId), erpId, how } as const;
  await store.links.link(link, true, 'customer-out');
  return { outcome: 'noted', answer: `linked to ERP customer ${erpId}` };
}

async function patchCustomer(
  context: MarketplaceReading,
  look: WriteLook,
  id: number,
  fields: WireFields,
  on?: SetBack,
): Promise<Applied> {
  const shown = await writeReplacing(context, 'customer', look, on?.replaced ?? {}, (sending) =>
    context.client.call('customers.patch', { path: { id }, body: fields }, sending),
  );
  const answer = `customer ${id} changed`;
  return runAfterWrite(answer, async () => {
    await recordAnswer(context, look, id, shown, fields);
    await saveEchoes(context, 'customer', look.key, fields, shown, on);
  });
}

async function writeAddress(
  context: MarketplaceReading,
  look: WriteLook,
  action: Action<'customer-out.address'>,
): Promise<Applied> {
  const { customerId: id, kind, how, fields, wanted } = action;
  const shown = await writeReplacing(context, 'customer', look, action.replaced, (sending) =>
    sendAddress(context, sending, action),
  );
  const answer = `${kind} address of customer ${id} ${how === 'set' ? 'set' : 'changed'}`;
  return runAfterWrite(answer, async () => {
    const name = addressField(kind);
    const known = (await shownFields(context, 'customer', id))[name];
    const before = how === 'patch' && typeof known === 'object' ? known : {};
    await recordMerged(context, look, id, { [name]: { ...before, ...fields, ...shown } });
    await saveEchoes(context, 'customer', look.key, { [name]: wanted }, null, action);
  });
}

function sendAddress(
  { client }: MarketplaceReading,
  look: WriteLook,
  { customerId: id, kind, how, fields }: Action<'customer-out.address'>,
): Promise<Answer<'customers.set-delivery-address'>> {
  // The decider has checked that all fields required by `set` are present.
  const request = { path: { id }, body: fields as Body<'customers.set-delivery-address'> };
  return client.call(ADDRESS_WRITES[how][kind], request, look);
}

/** Answers may omit fields (spec 2). The customer is then read. */
async function recordAnswer(
  context: MarketplaceReading,
  look: WriteLook,
  id: number,
  answer: Answer<'customers.patch'>,
  known: WireFields,
): Promise<void> {
  const isArchived = known['is_archived'];
  const sure = typeof isArchived === 'boolean' ? { is_archived: isArchived } : {};
  const isWhole = answer?.id === id && typeof answer.name === 'string' && answer.external_ids !== undefined;
  const rows = isWhole
    ? [answer as Row]
    : (await readLike(context, look, { id: [id], ...sure })).filter((row) => row.id === id);
  const page = { rows: rows.map((row) => ({ ...sure, ...row })), invalidRows: [] };
  await recordCustomerPage(context, page, { window: null, lane: look.lane });
}

/** Merges the fields into the stored customer, because the answer to an address write shows nothing else. */
async function recordMerged(context: AccountRecords, look: Look, id: number, fields: WireFields): Promise<void> {
  const stored = await context.store.customers.get(context.account, id);
  if (stored === null) return;
  const shown = parseJson(stored.content) as WireFields;
  const row = { ...shown, ...fields, status: statusOf(shown), id, modified_date: stored.modified };
  await recordCustomerPage(context, { rows: [row as Row], invalidRows: [] }, { window: null, lane: look.lane });
}

function statusOf(shown: WireFields) {
  return 'status_id' in shown ? { id: shown['status_id'] } : undefined;
}

async function readLike({ client }: MarketplaceReading, look: Look, filter: Filter): Promise<readonly Row[]> {
  const page = await client.list('customers.list', { query: { ...filter, page: 1, page_size: 50 } }, look);
  return page.rows;
}

async function createCustomer(
  context: MarketplaceReading,
  look: WriteLook,
  { fields, adoptOnly }: Action<'customer-out.create'>,
): Promise<Applied> {
  const { client } = context;
  return createOnce<Row>(context, {
    intent: { kind: 'customer-out', key: look.key },
    alwaysFind: false,
    find: () => findCreated(context, look, fields),
    unprovable: () => namesakes(context, look, fields),
    create: adoptOnly
      ? null
      : (sending) =>
          client.call('customers.create', { body: fields as Body<'customers.create'> }, { ...look, sending }),
    record: async (row) => {
      const isWhole = typeof row.name === 'string' && row.external_ids !== undefined;
      const rows = isWhole ? [row] : await readLike(context, look, { id: [row.id] });
      await recordCustomerPage(context, { rows, invalidRows: [] }, { window: null, lane: look.lane });
    },
    idOf: ({ id }) => id,
    remember: (row) => saveEchoes(context, 'customer', look.key, fields, row),
  });
}

/** Searches by external id, then licence number, then e-mail address. A customer linked to another one is no match. */
async function findCreated(context: MarketplaceReading, look: Look, fields: WireFields): Promise<readonly Row[]> {
  const key = context.config.marketplace.externalIdKey;
  const { license_number: license, email } = fields;
  const ways: { filter: Filter; isIt: (row: Row) => boolean }[] = [
    {
      filter: { external_id_key: key, external_id_values: look.key },
      isIt: (row) => readCustomer(row, key).externalId === look.key,
    },
  ];
  if (typeof license === 'string') {
    ways.push({
      filter: { license_number: license },
      isIt: (row) => licenseKey(row.license_number) === licenseKey(license),
    });
  }
  if (typeof email === 'string') {
    ways.push({ filter: { email }, isIt: (row) => emailKey(row.email) === emailKey(email) });
  }
  for (const { filter, isIt } of ways) {
    const found: Row[] = [];
    // A server that ignores the filter returns every customer.
    for (const row of (await readLike(context, look, filter)).filter(isIt)) {
      const isOurs = (readCustomer(row, key).externalId ?? look.key) === look.key;
      if (isOurs && (await isFree(context, row, look.key))) found.push(row);
    }
    if (found.length > 0) return found;
  }
  return [];
}

async function isFree({ account, store }: AccountRecords, { id }: Row, erpId: string): Promise<boolean> {
  const mapping = await store.mappings.byMarketplaceId(account, 'customer', String(id));
  return mapping?.state !== 'linked' || mapping.erpId === erpId;
}

/** A marketplace that ignores external_ids on create leaves a customer that only its name identifies. */
async function namesakes(context: MarketplaceReading, look: Look, fields: WireFields) {
  const key = context.config.marketplace.externalIdKey;
  const name = String(fields['name']);
  const alike: string[] = [];
  for (const row of await readLike(context, look, { name })) {
    const isAlike = row.name === name && readCustomer(row, key).externalId === null;
    if (isAlike && (await isFree(context, row, look.key))) alike.push(String(row.id));
  }
  return similarEntities('Customers without an external id have its name', alike);
}
