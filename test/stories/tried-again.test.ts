import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { textRedactor } from '../../src/logging/redaction.ts';
import { explainEntity } from '../../src/use/explain/explain.ts';
import { divided, needsOf } from '../../src/use/needs.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

const told = async ({ store }: Stage) => divided(await needsOf('main', store()));

async function orderUnder(
  fault: Parameters<Stage['erp']['control']['inject']>[0],
): Promise<{ stage: Stage; number: string }> {
  const stage = await openStage({ timeout: '1s' });
  const { erp, marketplace } = stage;
  erp.control.seed(1);
  erp.control.setStock('SB-0001', '10');
  await stage.start();
  await until('it is listed', () => marketplace.products().length === 1);
  erp.control.inject(fault);
  const customer = marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const items = [{ product: marketplace.productBySku('SB-0001').id, quantity: '2' }];
  return { stage, number: marketplace.placeOrder({ customer, items }).number };
}

const WORDS = 'We do not have enough stock';
const FAULT = { kind: 'status', method: 'POST', path: '/v1/orders', status: 500, error: WORDS } as const;

test('while an order is retried, status and explain say why the last attempt failed', async () => {
  const { stage, number } = await orderUnder({ ...FAULT, times: null });
  const waits = async () => (await told(stage)).waits.filter(({ example }) => example.text.includes(WORDS));
  await until('status tells it', async () => (await waits()).length > 0);
  expect((await told(stage)).needs).toEqual([]);
  const [{ example }] = (await waits()) as [Awaited<ReturnType<typeof waits>>[number]];
  expect([example.key, example.turn]).toEqual([number, 'nobody']);
  const { config } = loadConfig(stage.configFile, {});
  const log = createLogger({ level: 'silent', secrets: [] });
  const opened = { config, store: stage.store(), by: 'ada', log, redact: textRedactor([]) };
  expect(JSON.stringify(await explainEntity(opened, { name: number }))).toContain(WORDS);

  stage.erp.control.clearFaults();
  await until('the order is in the ERP', () => stage.erp.control.findOrders(number).length === 1);
  await until('nothing is told of it any more', async () => (await waits()).length === 0);
});
