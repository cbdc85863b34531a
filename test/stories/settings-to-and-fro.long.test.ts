import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Status } from '../../src/use/status.ts';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, until } from '../support/stage.ts';

const PRODUCTS = 60;
/** The stock of every product, and what buyers see of it under each of two settings. */
const [STOCK, LEFT] = ['80', '30'];
/** The same after a change of the stock. */
const [CHANGED, LEFT_OF_CHANGED] = ['81', '31'];
const BUFFER = 50;
/** So few writes are let through that a change of the settings always meets writes that are under way. */
const SLOWLY = '      limits: { per_second: 40, per_minute: 60000 }';
const SOME = 10;
const skuOf = (n: number) => `SB-${String(n).padStart(4, '0')}`;

test('a setting that is switched back and forth while writes drain leaves every listing under the last one once status says in step', async () => {
  const stage = await openStage({ marketplace: SLOWLY, timeout: '60s' });
  const { marketplace, erp, configFile } = stage;
  erp.control.seed(PRODUCTS);
  for (let n = 1; n <= PRODUCTS; n += 1) erp.control.setStock(skuOf(n), STOCK);
  const daemon = startDaemon(configFile);
  const shown = (value: string) => marketplace.products().filter(({ available }) => available === value).length;
  const status = async () => JSON.parse((await run(['status', '--json', '--config', configFile])).stdout) as Status;
  const isInStep = async () => (await status()).accounts[0]?.verdict.state === 'in-step';
  const keepBack = async (from: number, to: number) => {
    const text = readFileSync(configFile, 'utf8');
    writeFileSync(configFile, text.replace(`buffer: ${from}`, `buffer: ${to}`));
    const words = 'the work on them begins anew';
    const before = daemon.log().split(words).length;
    daemon.process.kill('SIGHUP');
    await until('the account begins anew', () => daemon.log().split(words).length > before);
  };
  await until('all are on sale', async () => shown(STOCK) === PRODUCTS && (await isInStep()));

  // Everything has been compared with the new setting, and is being written.
  await keepBack(0, BUFFER);
  await until('some are written under the new setting', () => shown(LEFT) >= SOME);
  await keepBack(BUFFER, 0);
  await until('most of them are written back', () => shown(LEFT) < SOME);

  // Nothing has been compared with the new setting yet, because a list does not come.
  erp.control.inject({ kind: 'delay', delayMs: 60_000, method: 'GET', path: '/v1/products', times: null });
  await keepBack(0, BUFFER);
  for (let n = 1; n <= SOME; n += 1) erp.control.setStock(skuOf(n), CHANGED);
  await until('the changed ones are written under the new setting', () => shown(LEFT_OF_CHANGED) === SOME);
  expect(await isInStep()).toBe(false);
  erp.control.clearFaults();
  await keepBack(BUFFER, 0);

  await until('it says that it is in step', isInStep);
  expect([shown(STOCK), shown(CHANGED)]).toEqual([PRODUCTS - SOME, SOME]);
});
