import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import type { App } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { allStanding } from '../../src/use/notify.ts';
import { gatherStatus } from '../../src/use/status.ts';
import { shareStage } from '../support/beside.ts';
import { needing } from '../support/needing.ts';
import { stopPostgres } from '../support/postgres.ts';
import { openStage, until } from '../support/stage.ts';

const { test } = needing('postgres');
afterAll(stopPostgres);

const PRODUCTS = 15;
const [STOCK, LEFT] = ['80', '30'];

test('of two daemons with different files the newer one works, an alert is raised, and every listing is right once one file is left', async () => {
  const stage = await openStage();
  const { marketplace, erp, configFile, dir } = stage;
  const { startOther } = await shareStage(stage);
  erp.control.seed(PRODUCTS);
  for (let n = 1; n <= PRODUCTS; n += 1) erp.control.setStock(`SB-${String(n).padStart(4, '0')}`, STOCK);
  const shown = (value: string) => marketplace.products().filter(({ available }) => available === value).length;
  const codes = async ({ core: { config, state } }: App) =>
    ((await allStanding(config, state.store)).get('main') ?? []).map(({ code }) => code);
  const status = async ({ core: { config, state } }: App) => {
    const [account] = (await gatherStatus(config, state.store, Date.now())).accounts;
    return { state: account?.verdict.state, worker: account?.worker };
  };
  const first = await stage.start();
  await until('all are on sale', () => shown(STOCK) === PRODUCTS);

  const newer = join(dir, 'newer.yaml');
  writeFileSync(newer, readFileSync(configFile, 'utf8').replace('buffer: 0', 'buffer: 50'));
  const { accounts } = loadConfig(newer, {}).config;
  const other = await startOther('other', (config) => ({ ...config, accounts }));
  await until('it is in step by the newer file', async () => {
    const { state, worker } = await status(first);
    return state === 'in-step' && worker !== 'nobody' && worker?.name.startsWith('other:');
  });
  expect(shown(LEFT)).toBe(PRODUCTS);
  for (const app of [first, other]) expect(await codes(app)).toContain('configurations-differ');

  await other.stop(5_000);
  await until('it is in step by the file that is left', async () => {
    const { state, worker } = await status(first);
    return state === 'in-step' && worker !== 'nobody' && !worker?.name.startsWith('other:');
  });
  expect(shown(STOCK)).toBe(PRODUCTS);
  expect(await codes(first)).not.toContain('configurations-differ');
});
