import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Status } from '../../src/use/status.ts';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, until } from '../support/stage.ts';

const PRODUCTS = 120;
const STOCK = '80';
const [KEPT_BACK, LEFT] = [50, '30'];
/** So few writes are let through that a change of the settings always meets writes that are under way. */
const SLOWLY = '      limits: { per_second: 40, per_minute: 60000 }';
const MIXED = 20;

test('a setting that goes to and fro while writes drain leaves no listing under another one once status says in step', async () => {
  const stage = await openStage({ marketplace: SLOWLY });
  const { marketplace, erp, configFile } = stage;
  erp.control.seed(PRODUCTS);
  for (let n = 1; n <= PRODUCTS; n += 1) erp.control.setStock(`SB-${String(n).padStart(4, '0')}`, STOCK);
  const daemon = startDaemon(configFile);
  const shown = (value: string) => marketplace.products().filter(({ available }) => available === value).length;
  const status = async () => JSON.parse((await run(['status', '--json', '--config', configFile])).stdout) as Status;
  const isInStep = async () => (await status()).accounts[0]?.verdict.state === 'in-step';
  const keepBack = (from: number, to: number) => {
    const text = readFileSync(configFile, 'utf8');
    writeFileSync(configFile, text.replace(`buffer: ${from}`, `buffer: ${to}`));
    daemon.process.kill('SIGHUP');
  };
  await until('all are on sale', async () => shown(STOCK) === PRODUCTS && (await isInStep()));
  for (let round = 0; round < 2; round += 1) {
    keepBack(0, KEPT_BACK);
    await until('some are written under the new setting', () => shown(LEFT) >= MIXED);
    keepBack(KEPT_BACK, 0);
    await until('most of them are written back', () => shown(LEFT) < MIXED);
  }
  await until('it says that it is in step', isInStep);
  expect([shown(STOCK), shown(LEFT)]).toEqual([PRODUCTS, 0]);
});
