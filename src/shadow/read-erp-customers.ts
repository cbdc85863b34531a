import { cause } from '../domain/causes/cause.ts';
import type { ErpCustomer, ErpPage } from '../erp/connector.ts';
import { noteWhole, setAlert } from './alerts.ts';
import type { ErpReading, Look } from './context.ts';
import { pageRecorder } from './erp-shadow.ts';
import { beginRead, noteRead, nowKnown } from './last-read.ts';
import { ERP_CUSTOMERS_READ } from './read-customers.ts';
import { readChanged, readThrough } from './read-erp.ts';

/** Alert: why the ERP's customers are not known. */
const UNKNOWN = 'erp:customers';

/** Reads what changed in the ERP's customers since the last read. */
export async function readErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store } = context;
  if (config.customers === null) return;
  if ((await store.cursors.get(account, 'erp-customers')) === null) return listErpCustomers(context, look);
  const list = erp.listCustomers?.bind(erp) ?? noCustomers;
  const began = await beginRead(context);
  const complete = await readChanged(context, look, 'erp-customers', list, recorder(context, look));
  if (complete) await noteRead(context, 'erp-customers', began);
}

/**
 * Lists every customer of the ERP. A customer that is missing from the list stays unchanged: only the ERP's word about a
 * customer counts.
 */
export async function listErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store, now } = context;
  if (config.customers === null) return;
  if (erp.listCustomers === undefined) {
    await setAlert(context, UNKNOWN, [cause('erp-customers-unlisted')]);
    return;
  }
  const startedMs = now();
  const began = await beginRead(context);
  const { asOf, complete, rows } = await readThrough(
    context,
    'erp-customers',
    erp.listCustomers(null, look.signal),
    recorder(context, look),
  );
  const cursor = complete ? asOf : null;
  const doubt = complete ? null : cause('erp-customers-incomplete');
  await noteWhole(context, { collection: 'erp-customers', to: cursor, rows, cursor }, doubt, UNKNOWN);
  if (!complete) return;
  await store.misfits.clear(account, 'erp-customers', startedMs);
  await noteRead(context, 'erp-customers', began);
  await nowKnown(context, ERP_CUSTOMERS_READ, 'customers-unread');
}

function recorder(context: ErpReading, look: Look): (page: ErpPage<ErpCustomer>) => Promise<void> {
  const { account, store } = context;
  return pageRecorder(context, look, 'erp-customers', (items) => store.erp.recordCustomers(account, items, look.lane));
}

async function* noCustomers(): AsyncGenerator<ErpPage<ErpCustomer>> {}
