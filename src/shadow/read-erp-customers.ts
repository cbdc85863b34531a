import { cause } from '../domain/causes/cause.ts';
import type { ErpCustomer, ErpPage } from '../erp/connector.ts';
import { setAlert } from './alerts.ts';
import type { ErpReading, Known, Look } from './context.ts';
import { nowKnown } from './last-read.ts';
import { ERP_CUSTOMERS_READ } from './read-customers.ts';
import { pageRecorder, readChanged, readThrough } from './read-erp.ts';

/** Alert: why the ERP's customers are not known. */
const LISTING_ALERT = 'erp:customers';

/** Reads what changed in the ERP's customers since the last read. */
export async function readErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { config, erp } = context;
  if (config.customers === null) return;
  if ((await context.store.cursors.get(context.account, 'erp-customers')) === null)
    return listErpCustomers(context, look);
  await readChanged(
    context,
    'erp-customers',
    (since) => erp.listCustomers?.(since, look.signal) ?? noCustomers(),
    recordCustomers(context, look),
  );
}

/**
 * Lists every customer of the ERP. A customer that is missing from the list stays unchanged: only the ERP's word about a
 * customer counts.
 */
export async function listErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store, now } = context;
  if (config.customers === null) return;
  if (erp.listCustomers === undefined) {
    await setAlert(context, LISTING_ALERT, [cause('erp-customers-unlisted')]);
    return;
  }
  const startedMs = now();
  const pages = erp.listCustomers(null, look.signal);
  const { asOf, complete, rows } = await readThrough(pages, recordCustomers(context, look));
  await setAlert(context, LISTING_ALERT, complete ? [] : [cause('erp-customers-incomplete')]);
  const cursor = complete ? asOf : null;
  const window = { account, collection: 'erp-customers', from: null, to: cursor, rows, cursor };
  await store.cursors.record({ ...window, finding: complete ? null : 'the ERP called this read incomplete' });
  if (!complete) return;
  await store.misfits.clear(account, 'erp-customers', startedMs);
  await nowKnown(context, ERP_CUSTOMERS_READ, 'customers-unread');
}

function recordCustomers(context: Known, look: Look): (page: ErpPage<ErpCustomer>) => Promise<void> {
  const { account, store } = context;
  return pageRecorder(context, look, 'erp-customers', (items) => store.erp.recordCustomers(account, items, look.lane));
}

async function* noCustomers(): AsyncGenerator<ErpPage<ErpCustomer>> {}
