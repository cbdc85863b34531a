import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { readBothSides, syncAccount } from '../../src/use/sync.ts';
import { syncAll } from '../../src/use/sync-all.ts';
import { openStage, until } from '../support/stage.ts';

const NAMED = '      transitions: { accept: accept, fulfill: fulfill, reject: reject }';

test('a pass reads both sides once more before it waits for a key that is postponed', async () => {
  const stage = await openStage({ marketplace: NAMED, timeout: '30s' });
  stage.erp.control.seed(1);
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  stage.marketplace.transition(number, 'accept');
  await stage.sync();
  const id = stage.erp.control.findOrders(number)[0]?.id ?? '';
  stage.erp.control.forceStatus(id, 'cancelled');
  // The answer to the rejection is lost, so the order is looked at again a minute later.
  stage.marketplace.faults.set(parseFault('reset-after@orders.transition,times=1'));

  const passes: number[] = [];
  const times: Promise<number>[] = [];
  const over = new AbortController();
  const key = { account: 'main', flow: 'order-in', key: number } as const;
  const progress = ({ step }: { step: string }) => {
    if (step === 'reading orders') passes.push(Date.now());
    if (passes.length > 1) over.abort();
    const { work } = stage.store();
    times.push(work.get(key).then((row) => row?.notBeforeMs ?? 0));
  };
  const core = stage.app().core;
  const goes = syncAccount(core, stage.context(), over.signal, progress);
  await until('the order is rejected', () => stage.marketplace.order(number).status === 'Rejected');
  stage.erp.control.forceStatus(id, 'reserved');
  await goes.catch(() => null);
  expect(passes[1]).toBeLessThan(Math.max(...(await Promise.all(times))));
});

test('sync counts what the workers wrote for an account before its turn', async () => {
  const [stage, other] = [await openStage(), await openStage()];
  other.erp.control.seed(2);
  const [, account = ''] = readFileSync(other.configFile, 'utf8').split(/^accounts:\n {2}main:\n/m);
  const file = join(stage.dir, 'two.yaml');
  writeFileSync(file, `${readFileSync(stage.configFile, 'utf8')}\n  other:\n${account}`);
  const { config } = loadConfig(file, {});
  const log = createLogger({ level: 'silent', secrets: [] });
  const { signal } = new AbortController();
  const start = async (onJournal: Parameters<Parameters<typeof syncAll>[2]>[0]) => {
    const app = await startApp({ config, log, unlimited: true, onJournal }, ['work']);
    const context = app.core.accounts.get('other');
    if (context === undefined) throw new Error('there is no account other');
    await readBothSides(context, signal, () => {});
    await until('both products are listed', async () => (await context.store.work.pending('other')) === 0);
    return app;
  };
  const reports = await syncAll(config, ['main', 'other'], start, { signal, progress: () => {} });
  expect(reports).toMatchObject([
    { account: 'main', written: 0 },
    { account: 'other', written: 2 },
  ]);
  expect(other.marketplace.products()).toHaveLength(2);
});
