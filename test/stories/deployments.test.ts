import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deploymentOf } from '../../src/cli/sandbox-deployment.ts';
import { openSides } from '../../src/demo/sides.ts';
import { folderOf } from '../config/folder.ts';
import { ROOT } from '../support/guide.ts';
import { openStage } from '../support/stage.ts';

const PRESET = `
about: A deployment that is as odd as presets can say
proven: in a test
marketplace:
  version_header: Api-Version
  transitions: { accept: take, fulfill: pack, ship: send, reject: refuse }
  statuses: { Void: Canceled, Packed: Fulfilled }
  operations:
    orders.list: { paging: offset }
    products.list: { paging: offset }
products:
  required: [sku, name, license]
  create_fields: { license: L-1 }
`;

test('both sides are in step where the sandbox plays a preset and the configuration extends it', async () => {
  const file = folderOf({ 'deployment.yaml': PRESET })('deployment.yaml');
  const stage = await openStage({
    marketplace: `      extends: ${file}`,
    sandbox: { settings: deploymentOf(file).settings },
  });
  const { marketplace, erp } = stage;
  erp.control.seed(3);
  await stage.sync();
  expect(marketplace.products()).toHaveLength(3);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const [product] = marketplace.products();
  const order = () => {
    const items = [{ product: product?.id ?? 0, quantity: product?.unitMultiplier ?? 1 }];
    return marketplace.placeOrder({ customer, items }).number;
  };
  const [first, second] = [order(), order()];
  await stage.sync();
  const inErp = (number: string) => erp.control.findOrders(number)[0];
  marketplace.transition(second, 'cancel');
  erp.control.shipOrder(inErp(first)?.id ?? '');
  await stage.sync();
  expect(inErp(second)?.status).toBe('cancelled');
  expect(marketplace.order(first).status).toBe('Shipped');
  expect((await stage.sync()).written).toBe(0);
  const refused = marketplace.requestLog.calls().filter(({ status }) => (status ?? 0) >= 400);
  expect(refused.map(({ url, status }) => `${status} ${url}`)).toEqual([]);
});

test('the sandbox starts with every preset that is shipped', async () => {
  for (const file of readdirSync(join(ROOT, 'src/config/presets'))) {
    const { settings } = deploymentOf(file.replace('.yaml', ''));
    const sides = await openSides({ products: 3, seed: 1, settings });
    expect(sides.marketplace.settings()).toMatchObject(settings);
    await sides.close();
  }
});
