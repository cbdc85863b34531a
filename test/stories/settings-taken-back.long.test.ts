import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/** The settings that are changed and taken back, and what buyers see of SB-0001, whose stock is 30, under each. */
const SETTINGS = {
  'inventory.buffer': { from: 'buffer: 0', to: 'buffer: 5', seen: ['30', '25'] },
  'inventory.write': { from: 'write: quantity', to: 'write: available_inventory, buffer: 7', seen: ['30', '23'] },
} as const;
type Setting = (typeof SETTINGS)[keyof typeof SETTINGS];

const change = ({ configFile }: Stage, from: string, to: string) =>
  writeFileSync(configFile, readFileSync(configFile, 'utf8').replace(from, to));
const available = ({ marketplace }: Stage) => marketplace.productBySku('SB-0001').available;

async function hangUp(daemon: Daemon): Promise<Daemon> {
  const words = 'the work on them begins anew';
  const before = daemon.log().split(words).length;
  daemon.process.kill('SIGHUP');
  await until('the account is begun anew', () => daemon.log().split(words).length > before);
  return daemon;
}

async function restart({ configFile }: Stage, daemon: Daemon): Promise<Daemon> {
  await daemon.kill();
  return startDaemon(configFile);
}

/** The program is in step, and then writes SB-0001 under other settings before it can compare everything with them. */
async function underOthers({ from, to, seen }: Setting) {
  const stage = await openStage({ timeout: '60s', inventory: from });
  stage.erp.control.seed(4);
  const daemon = startDaemon(stage.configFile);
  await until('all are on sale', () => stage.marketplace.activeProductIds().length === 4);
  // The list of products is read whole at each start, and nothing is compared before it has come.
  stage.erp.control.inject({ kind: 'delay', delayMs: 60_000, method: 'GET', path: '/v1/products', times: null });
  change(stage, from, to);
  await hangUp(daemon);
  stage.erp.control.setStock('SB-0001', '30');
  await until('it is written under the new setting', () => available(stage) === seen[1]);
  stage.erp.control.clearFaults();
  return { stage, daemon };
}

test.each(Object.entries(SETTINGS))(
  '%s that is reverted by SIGHUP leaves no write of the former setting',
  async (_, setting) => {
    const { stage, daemon } = await underOthers(setting);
    change(stage, setting.to, setting.from);
    await hangUp(daemon);
    await until('it is written under the old setting', () => available(stage) === setting.seen[0]);
  },
);

test('a setting that is reverted while the program is killed leaves no write of it, and status reports the change', async () => {
  const setting = SETTINGS['inventory.buffer'];
  const { stage, daemon } = await underOthers(setting);
  const told = async () => (await run(['status', '--json', '--config', stage.configFile])).stdout;
  expect(await told()).toContain('settings-comparing');
  change(stage, setting.to, setting.from);
  await restart(stage, daemon);
  await until('it is written under the old setting', () => available(stage) === setting.seen[0]);
  await until('all was compared', async () => !(await told()).includes('settings-comparing'));
});
