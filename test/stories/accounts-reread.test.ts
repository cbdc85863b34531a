import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/** Writes the account of another stage as a file into the first stage's folder of accounts. */
function putAccount({ dir }: Stage, name: string, other: Stage, change: (text: string) => string = (text) => text) {
  const { main } = (parse(readFileSync(other.configFile, 'utf8')) as { accounts: { main: object } }).accounts;
  const section = stringify(main);
  writeFileSync(join(dir, 'brands', `${name}.yaml`), change(section));
}

const [UNSIGNED, UNKNOWN] = [401, 404];

const skus = ({ marketplace }: Stage) => marketplace.products().length;

test('an account that is added, changed or removed takes effect after SIGHUP, while the others go on', async () => {
  const [stage, other] = [await openStage(), await openStage()];
  stage.erp.control.seed(2);
  other.erp.control.seed(2);
  other.erp.control.setStock('SB-0001', '40');
  mkdirSync(join(stage.dir, 'brands'));
  writeFileSync(stage.configFile, `accounts_from: brands\n${readFileSync(stage.configFile, 'utf8')}`);
  const daemon = startDaemon(stage.configFile);
  await until('the first account is in step', () => skus(stage) === 2);
  const receiver = /"webhooks":"(http[^"]+)"/.exec(daemon.log())?.[1];
  const webhook = async () =>
    (await fetch(`${receiver}/webhooks/second/orders`, { method: 'POST', body: '{}' })).status;
  expect(await webhook()).toBe(UNKNOWN);
  const hangUp = async (words: string) => {
    const before = daemon.log().split(words).length;
    daemon.process.kill('SIGHUP');
    await until(words, () => daemon.log().split(words).length > before);
  };

  putAccount(stage, 'second', other);
  await hangUp('accounts are new');
  await until('the second account is in step', () => skus(other) === 2);
  expect(await webhook()).toBe(UNSIGNED);

  putAccount(stage, 'second', other, (text) => text.replace(/buffer: .*/, 'buffer: 7'));
  await hangUp('accounts have changed');
  await until('the setting is named', () =>
    daemon.log().includes('"changed":["accounts.second.inventory.buffer"],"msg":"configuration read again'),
  );
  await hangUp('configuration read again: nothing changed');
  await until('its buffer is kept', () => other.marketplace.productBySku('SB-0001').available === '33');

  putAccount(stage, 'second', other, (text) => `${text}nonsense: true\n`);
  await hangUp('the one in force stays');
  expect(await webhook()).toBe(UNSIGNED);

  rmSync(join(stage.dir, 'brands', 'second.yaml'));
  await hangUp('accounts are gone');
  await until('nobody takes its webhooks', async () => (await webhook()) === UNKNOWN);
  other.erp.control.clearRequests();
  stage.erp.control.setStock('SB-0001', '5');
  await until('the first one is kept in step', () => stage.marketplace.productBySku('SB-0001').available === '5');
  expect(other.erp.control.requests()).toEqual([]);
  expect(daemon.log().split('the work on them begins anew').length).toBe(2);
  expect(await daemon.terminate()).toBe(0);
});
