import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { EXIT } from '../../src/cli/exit.ts';
import type { Status } from '../../src/use/status.ts';
import { run } from '../cli/capture.ts';
import { type Daemon, startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

const WRONG = 'nonsense: true\n';
const WITH_BUFFER = /buffer: \d+/;

/** Two accounts: one in the configuration itself, the other in a file of its own. */
async function open() {
  const stages = { main: await openStage(), second: await openStage() };
  for (const { erp } of Object.values(stages)) {
    erp.control.seed(1);
    erp.control.setStock('SB-0001', '30');
  }
  const { dir, configFile } = stages.main;
  const file = join(dir, 'brands', 'second.yaml');
  const { main } = (parse(readFileSync(stages.second.configFile, 'utf8')) as { accounts: { main: object } }).accounts;
  mkdirSync(join(dir, 'brands'));
  writeFileSync(file, stringify(main));
  writeFileSync(configFile, `accounts_from: brands\n${readFileSync(configFile, 'utf8')}`);
  const change = (path: string, by: (text: string) => string) => writeFileSync(path, by(readFileSync(path, 'utf8')));
  const status = async () => JSON.parse((await run(['status', '--json', '--config', configFile])).stdout) as Status;
  return { stages, file, configFile, change, status };
}

const shown = ({ marketplace }: Stage) =>
  marketplace.products().find(({ sku }) => sku === 'SB-0001')?.available ?? 'not on sale';

async function served(daemon: Daemon, path: string): Promise<string> {
  const admin = await until('the admin pages are served', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  return (await fetch(`${admin}${path}`)).text();
}

test('an invalid file at SIGHUP stops nothing, blocks no other file, and is an alert until it is valid', async () => {
  const { stages, file, configFile, change, status } = await open();
  const daemon = startDaemon(configFile);
  await until('both are on sale', () => Object.values(stages).every((stage) => shown(stage) === '30'));
  const failed = async (account: string) =>
    new RegExp(`stockbridge_config_reload_failed\\{account="${account}"\\} (\\d)`).exec(
      await served(daemon, '/metrics'),
    )?.[1];
  const reread = async (): Promise<void> => {
    const words = 'cannot be used: the one in force stays';
    const before = daemon.log().split(words).length;
    daemon.process.kill('SIGHUP');
    await until('the fault is told', () => daemon.log().split(words).length > before);
  };
  const causesOf = async (account: string) =>
    (await status()).accounts.find((one) => one.account === account)?.needs.map(({ example }) => example.code);

  change(file, (text) => text + WRONG);
  change(configFile, (text) => text.replace(WITH_BUFFER, 'buffer: 7'));
  await reread();
  await until('the good change is in force', () => shown(stages.main) === '23');
  stages.second.erp.control.setStock('SB-0001', '20');
  await until('the account of the wrong file is worked', () => shown(stages.second) === '20');
  expect([await failed('second'), await failed('main'), await failed('')]).toEqual(['1', '0', '0']);
  expect(await served(daemon, '/readyz')).not.toContain('second');
  // The file of the program that asks is the same one, so it knows no more of the account than that.
  const { leftOut } = await status();
  expect(leftOut.map(({ account, needs }) => [account, needs[0]?.example.code])).toEqual([
    ['second', 'configuration-unusable'],
  ]);
  expect(leftOut[0]?.needs[0]?.example.text).toContain('accounts.second.nonsense: unknown key');
  expect(leftOut[0]).toMatchObject({ goesOn: true, counts: { failed: 0, held: 0, unread: 0 } });
  expect((await run(['status', '--config', configFile])).stdout).toContain('second  runs with its earlier settings');

  change(file, (text) => text.replace(WRONG, '').replace(WITH_BUFFER, 'buffer: 4'));
  change(configFile, (text) => `${text}nonsense: [`);
  await reread();
  await until('the change of the account is in force', () => shown(stages.second) === '16');
  expect([await failed('second'), await failed('')]).toEqual(['0', '1']);

  change(configFile, (text) => text.replace('nonsense: [', ''));
  expect((await status()).leftOut.map(({ account }) => account)).toEqual(['']);
  daemon.process.kill('SIGHUP');
  await until('nothing is wrong any more', async () => (await failed('')) === '0');
  expect((await status()).leftOut).toEqual([]);
  expect(await causesOf('second')).toEqual([]);
  expect(shown(stages.main)).toBe('23');
});

test('at a start, an invalid file leaves out its account alone with an error, until SIGHUP finds it valid', async () => {
  const { stages, file, configFile, change, status } = await open();
  change(file, (text) => text + WRONG);
  const daemon = startDaemon(configFile);
  await until('the other account is worked', () => shown(stages.main) === '30');
  expect(daemon.log()).toContain('"account":"second","problem":');
  expect(await served(daemon, '/readyz')).toContain(
    'second: this account is not worked, because its configuration cannot be used',
  );
  expect(await served(daemon, '/metrics')).toContain('stockbridge_config_reload_failed{account="second"} 1');
  const [leftOut] = (await status()).leftOut;
  expect([leftOut?.account, leftOut?.needs[0]?.example.code]).toEqual(['second', 'account-left-out']);
  const checked = await run(['status', '--check', '--config', configFile]);
  expect([checked.exitCode, checked.stdout]).toEqual([EXIT.failed, expect.stringContaining('second  not started')]);
  const asked = await run(['status', '--account', 'second', '--config', configFile]);
  expect([asked.exitCode, asked.stderr]).toEqual([
    EXIT.configuration,
    expect.stringContaining('accounts.second.nonsense'),
  ]);
  expect(shown(stages.second)).toBe('not on sale');
  change(file, (text) => text.replace(WRONG, ''));
  daemon.process.kill('SIGHUP');
  await until('it is worked', () => shown(stages.second) === '30');
});

test('with a configuration that is no YAML, read-only verbs list what is stored, the error first, and end with 78', async () => {
  const stage = await openStage();
  stage.marketplace.createProducts([{ sku: 'OWN-1', name: 'One', quantity: 5 }]);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { id: product } = stage.marketplace.productBySku('OWN-1');
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product, quantity: '1' }] });
  stage.marketplace.forceStatus(number, 'Combined');
  await stage.sync();
  await stage.stop();
  writeFileSync(stage.configFile, `${readFileSync(stage.configFile, 'utf8')}nonsense: [\n`);
  const asked = (...args: string[]) => run([...args, '--config', stage.configFile]);
  for (const [args, known] of [
    [['status'], 'Not in step: 1 held.'],
    [['jobs', 'list', '--state', 'held'], number],
    [['jobs', 'show', `order-in/${number}`], number],
    [['brakes', 'list'], 'No brake holds anything.'],
    [['journal'], ''],
  ] as const) {
    const { exitCode, stdout, stderr } = await asked(...args);
    expect([args, exitCode, stderr], stdout).toEqual([
      args,
      EXIT.configuration,
      expect.stringMatching(/^\S+stockbridge\.yaml:\d+:\d+: .*\nUntil that is fixed, this is the last stored state:\n/),
    ]);
    expect(stdout).toContain(known);
  }
  const status = JSON.parse((await asked('status', '--json')).stdout) as Status;
  expect(status.leftOut.map(({ account, counts }) => [account, counts?.held])).toEqual([
    ['', undefined],
    ['main', 1],
  ]);
  const explained = await asked('explain', number);
  expect([explained.exitCode, explained.stderr]).toEqual([
    EXIT.configuration,
    expect.stringContaining(`stockbridge journal --account main --key ${number}`),
  ]);
  expect((await asked('sync')).stderr).not.toContain('on record');
});

test('when the only account file is broken, its error is the only one that is reported', async () => {
  const { file, configFile, change } = await open();
  change(file, (text) => `${text}nonsense: [\n`);
  writeFileSync(configFile, 'accounts_from: brands\n');
  const { stderr } = await run(['config', 'check', '--config', configFile]);
  expect(stderr).toContain('second.yaml:');
  expect(stderr).not.toContain('at least one is needed');
});

test('a configuration without any usable account ends with 78', async () => {
  const { file, configFile, change } = await open();
  change(file, (text) => text + WRONG);
  writeFileSync(configFile, 'accounts_from: brands\n');
  const { exitCode, stderr } = await run(['run', '--config', configFile]);
  expect([exitCode, stderr]).toEqual([EXIT.configuration, expect.stringContaining('accounts.second.nonsense')]);
});
