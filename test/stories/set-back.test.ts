import { expect, test } from 'vitest';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { alertsOf } from '../../src/shadow/alerts.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage } from '../support/stage.ts';

/* A value that somebody writes on the marketplace goes back to that of the ERP, and people are told. */

const CUSTOMERS = `
    customers:
      to_marketplace: true
      poll: 100ms`;

async function open(): Promise<Stage> {
  const stage = await openStage({ account: CUSTOMERS });
  stage.erp.control.seed(1);
  stage.erp.control.addCustomer({
    name: 'Corner Shop',
    active: true,
    addresses: { delivery: { address: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' } },
  });
  await stage.sync();
  return stage;
}

const listing = ({ marketplace }: Stage) => marketplace.productBySku('SB-0001');
const customer = ({ marketplace }: Stage) => marketplace.records('customers')[0] ?? {};
const alerts = async (stage: Stage) =>
  (await alertsOf({ account: 'main', store: stage.store() })).flatMap(({ causes }) => causes.map((one) => told([one])));

const THINGS = {
  'a listing': {
    operation: 'products.patch',
    byHand: (stage: Stage) => void stage.marketplace.setProduct(listing(stage).id, { name: 'By hand' }),
    isBack: (stage: Stage) => listing(stage).name !== 'By hand',
    alert: 'listing-set-back',
  },
  'a customer': {
    operation: 'customers.patch',
    byHand: (stage: Stage) =>
      void stage.marketplace.changeRecord('customers', Number(customer(stage)['id']), { name: 'By hand' }),
    isBack: (stage: Stage) => customer(stage)['name'] === 'Corner Shop',
    alert: 'customer-set-back',
  },
  'an address': {
    operation: 'customers.patch-delivery-address',
    byHand: (stage: Stage) => {
      const { id, delivery_address: address } = customer(stage);
      stage.marketplace.changeRecord('customers', Number(id), {
        delivery_address: { ...(address as object), city: 'By hand' },
      });
    },
    isBack: (stage: Stage) => JSON.stringify(customer(stage)).includes('Reno'),
    alert: 'customer-set-back',
  },
};

test.each(Object.entries(THINGS))(
  '%s: overwriting it raises an alert, though the answer to our write is lost',
  async (_, thing) => {
    const stage = await open();
    stage.marketplace.faults.set(parseFault(`reset-after@${thing.operation}`));
    thing.byHand(stage);
    await stage.sync();
    await stage.sync();
    expect(thing.isBack(stage)).toBe(true);
    expect(await alerts(stage)).toEqual([expect.stringContaining(thing.alert)]);
  },
);

test.each(Object.entries(THINGS))('%s: no alert is raised while the value of a person stays', async (_, thing) => {
  const stage = await open();
  stage.marketplace.faults.set(parseFault(`status-before@${thing.operation},status=400`));
  thing.byHand(stage);
  await stage.sync();
  expect(thing.isBack(stage)).toBe(false);
  expect((await alerts(stage)).filter((alert) => alert.includes(thing.alert))).toEqual([]);
});
