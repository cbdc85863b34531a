import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { onMarketplace } from '../support/marketplace-people.ts';
import { openStage } from '../support/stage.ts';

const PERSON = { name: 'Ann Example', phone: '5035550100', email: 'ann@example.test', license_number: 'LIC-998877' };
const ADDRESS = { address: '17 Elm Street', city: 'Portland', state: 'OR', zipcode: '97201' };
const TEXTS = [...Object.values(PERSON), 'ann@', '5550100', '17 Elm'];

test('customer export lists all data, and customer forget leaves only ids and amounts in any file', async () => {
  const stage = await openStage({
    account: '    customers: { to_marketplace: true, to_erp: true, poll: 100ms }',
  });
  stage.erp.control.seed(2);
  stage.erp.control.addCustomer({ ...PERSON, active: true, addresses: { delivery: ADDRESS } });
  await stage.sync();
  const { results } = await onMarketplace<{ results: { id: number }[] }>(stage, 'GET', '/customers/?page_size=500');
  const customer = results[0]?.id ?? 0;
  const items = [{ product: 1, quantity: '2' }];
  const { number } = stage.marketplace.placeOrder({ customer, items });
  await stage.sync();
  const verb = (...args: string[]) => run(['customer', ...args, '--config', stage.configFile]);

  expect(await verb('forget', String(customer))).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(number),
  });
  stage.marketplace.forceStatus(number, 'Complete');
  await stage.sync();
  const exported = (await verb('export', String(customer))).stdout;
  for (const text of Object.values(PERSON)) expect(exported).toContain(text);
  expect((JSON.parse(exported) as { kept: object }).kept).toMatchObject({
    orders: [{ number }],
    journal: expect.any(Array),
  });
  await stage.stop();

  const forgotten = await verb('forget', String(customer));
  expect([forgotten.exitCode, forgotten.stdout]).toEqual([
    0,
    expect.stringContaining(`customer ${customer} is erased`),
  ]);
  const dir = join(stage.dir, 'data');
  const files = readdirSync(dir).filter((name) => name.startsWith('stockbridge.db'));
  for (const name of files) {
    const text = readFileSync(join(dir, name)).toString('latin1');
    for (const one of TEXTS) expect([name, one, text.includes(one)]).toEqual([name, one, false]);
  }
  const left = (await verb('export', String(customer))).stdout;
  expect(left).toContain(number);
  expect((await run(['audit', 'list', '--config', stage.configFile])).stdout).toContain('forget');
  expect((await run(['verify', '--config', stage.configFile])).exitCode).toBe(0);
  expect((await verb('forget', 'nobody')).stderr).toContain('nothing is kept of a customer nobody');
});
