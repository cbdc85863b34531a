import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { alertsOf } from '../../../src/shadow/alerts.ts';
import { disagreements } from '../../support/agreement.ts';
import { openStage, type Stage, until } from '../../support/stage.ts';
import { booksOf, peopleOf, sectionOf, startCompany } from './business-central/company.ts';
import type { Central } from './business-central/server.ts';

/* An earlier version of the description named an order by its GUID. Now its name is its number, which its invoices keep. */

const BY_GUID = {
  lists: { orders: { row: { id: 'id' } } },
  finds: {
    'order-by-id': {
      request: {
        path: '/companies({{ $settings.company }})/salesOrders({{ $id }})',
        query: { $expand: 'salesOrderLines' },
      },
    },
  },
};

/** Has the account connected to this company, with changes of the description. */
function connect({ configFile }: Stage, central: Central, more: object): void {
  const section = JSON.stringify(sectionOf(central, { poll: '200ms', ...more }));
  writeFileSync(configFile, readFileSync(configFile, 'utf8').replace(/^ {4}erp: .*$/m, `    erp: ${section}`));
}

/** Every order is linked, and the marketplace's copy marked, by this property of Business Central. */
const byProperty = ({ marketplace }: Stage, { business }: Central, name: 'id' | 'number') => {
  const marks = new Set(marketplace.orders().map(({ externalId }) => externalId));
  return marks.symmetricDifference(new Set(business.state.salesOrders.map((row) => row[name]))).size === 0;
};

test('orders that are linked by their GUID switch to their number at once, or with their reference: none is created twice, and no change is lost', async () => {
  const central = await startCompany([1.5, 2.5]);
  onTestFinished(central.stop);
  const people = peopleOf(central);
  const stage = await openStage();
  const { marketplace } = stage;
  connect(stage, central, BY_GUID);
  await stage.start();
  await until('all is listed', () => marketplace.products().length === 2);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.products()[0]?.id ?? 0, quantity: '2' }];
  const place = () => marketplace.placeOrder({ customer, items }).number;
  const [left, cancelled, shipped, renamed] = [place(), place(), place(), place()];
  await until('all are in', () => central.business.state.salesOrders.length === 4);
  await until('each is marked with its GUID', () => byProperty(stage, central, 'id'));
  marketplace.transition(shipped, 'accept');
  await stage.stop();
  marketplace.cancel(cancelled);
  await people.ship(shipped);
  const reference = `SB-${renamed.replaceAll('-', '').toUpperCase()}`;
  const refer = (before: string, after: string) =>
    central.does(({ state }, at) => {
      const order = state.salesOrders.find((row) => row['externalDocumentNumber'] === before) ?? {};
      order['externalDocumentNumber'] = after;
      order['lastModifiedDateTime'] = at.toISOString();
    });
  await refer(reference, 'PO-77');
  connect(stage, central, {});
  await stage.start();

  const codes = async () =>
    (await stage.store().work.held('main')).flatMap(({ key, heldFor }) =>
      key === renamed ? (heldFor ?? []).map(({ code }) => code) : [],
    );
  await until('one is not found', async () => (await codes()).includes('erp-order-gone'));
  await refer('PO-77', reference);
  const apart = () => {
    const { stockOf, ...state } = booksOf(central.business);
    return disagreements({ marketplace, erp: { control: { state: () => state, stockOf } } } as never, 'b');
  };
  await until(
    'both sides agree',
    () => apart().length === 0,
    () => apart().join(),
  );
  expect(marketplace.order(shipped).status).toBe('Fulfilled');
  const statuses = booksOf(central.business).orders.map((order) => `${order.reference} ${order.status}`);
  expect(new Set(statuses)).toEqual(
    new Set([`${left} reserved`, `${cancelled} cancelled`, `${shipped} shipped`, `${renamed} reserved`]),
  );
  expect(statuses).toHaveLength(4);
  await until('nothing is told of them any more', async () => (await alertsOf(stage.context())).length === 0);
  await until('nothing is held', async () => (await stage.store().work.held('main')).length === 0);
});
