import { cause } from '../domain/causes/cause.ts';
import type { ErpCustomer, ErpPage } from '../erp/connector.ts';
import { recordFullRead, setAlert } from './alerts.ts';
import { claimsOfCustomer } from './claims.ts';
import type { ErpReading, Look } from './context.ts';
import { pageRecorder } from './erp-shadow.ts';
import { beginRead, markListKnown, recordReadTime } from './last-read.ts';
import { ERP_CUSTOMERS_READ } from './read-customers.ts';
import { readChanged, readWhole } from './read-erp.ts';
import { beginRoll, secondList } from './roll-call.ts';

const UNKNOWN = 'erp:customers';

export async function readErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store } = context;
  if (config.customers === null) return;
  if ((await store.cursors.get(account, 'erp-customers')) === null) return listErpCustomers(context, look);
  const list = erp.listCustomers?.bind(erp) ?? noCustomers;
  const began = await beginRead(context);
  const complete = await readChanged(context, look, 'erp-customers', list, recorder(context, look));
  if (complete) await recordReadTime(context, 'erp-customers', began);
}

/**
 * Lists every ERP customer. One that two lists in a row lack is gone. A marketplace customer is archived only if the
 * ERP says that it is inactive.
 */
export async function listErpCustomers(context: ErpReading, look: Look): Promise<void> {
  const { account, config, erp, store, now } = context;
  if (config.customers === null) return;
  if (erp.listCustomers === undefined) {
    await setAlert(context, UNKNOWN, [cause('erp-customers-unlisted')]);
    return;
  }
  const list = erp.listCustomers.bind(erp);
  const listOnce = () =>
    readWhole(context, 'erp-customers', list(null, look.signal), recorder(context, look), claimsOfCustomer);
  const startedMs = now();
  const began = await beginRead(context);
  const roll = await beginRoll(context, look, 'erp-customers');
  const { complete, asOf, rows, ids, claims } = await listOnce();
  roll.saw(ids, claims);
  const cursor = complete ? asOf : null;
  const doubt = complete ? null : cause('erp-customers-incomplete');
  await recordFullRead(context, { collection: 'erp-customers', to: cursor, rows, cursor }, doubt, UNKNOWN);
  if (!complete) return;
  await store.invalidRows.clear(account, 'erp-customers', startedMs);
  await recordReadTime(context, 'erp-customers', began);
  await markListKnown(context, ERP_CUSTOMERS_READ, 'customers-unread');
  await roll.settle(
    true,
    secondList(async () => {
      const again = await listOnce();
      return again.complete ? again.ids : null;
    }),
  );
}

function recorder(context: ErpReading, look: Look): (page: ErpPage<ErpCustomer>) => Promise<void> {
  const { account, store } = context;
  return pageRecorder(context, look, 'erp-customers', (items, askedAtMs) =>
    store.erp.recordCustomers(account, items, look.lane, askedAtMs),
  );
}

async function* noCustomers(): AsyncGenerator<ErpPage<ErpCustomer>> {}
