import { describe, expect, test } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import { told } from '../support/causes.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { run } from './capture.ts';
import { installation, TWO_ACCOUNTS } from './installation.ts';

test('pause stops one flow, with a reason; a second pause replaces the reason', async () => {
  const site = installation();
  const { store } = await site.open();
  expect(await site.run('pause', 'stock', '--reason', 'stocktaking')).toEqual({
    exitCode: 0,
    stdout: 'stock of main is paused: stocktaking\n',
    stderr: 'To go on: stockbridge resume stock\n',
  });
  await site.run('pause', 'stock', '--reason', 'still stocktaking');
  expect(await store.pauses.all()).toMatchObject([{ account: 'main', flow: 'stock', reason: 'still stocktaking' }]);
  expect(await store.journal.of('main', 'stock', '*', 1)).toMatchObject([
    { action: 'pause', outcome: 'noted', after: 'paused: still stocktaking' },
  ]);
  expect(await site.json('resume', 'stock')).toEqual({
    account: 'main',
    resumed: ['stock'],
    released: 0,
    still_paused: null,
  });
  expect(await site.run('resume', 'stock')).toEqual({
    exitCode: 0,
    stdout: 'stock of main is not paused: nothing to do\n',
    stderr: '',
  });
});

test('a pause of everything stops a flow that is resumed alone; "all" lifts every pause', async () => {
  const site = installation();
  const { store } = await site.open();
  await site.run('pause', 'stock');
  await site.run('pause', '--reason', 'moving house');
  const alone = await site.run('resume', 'stock');
  expect(alone.exitCode).toBe(1);
  expect(alone.stderr).toContain('Everything of main is paused (moving house), stock with it: stockbridge resume all');
  await site.run('pause', 'order-in');
  expect((await site.run('resume')).stdout).toMatch(/^every flow of main goes on .*\norder-in of main goes on /);
  expect(await store.pauses.all()).toEqual([]);
  expect((await site.run('resume')).stdout).toBe('nothing of main is paused: nothing to do\n');
});

test('pause asks at a terminal before it stops every flow; --yes and scripts are not asked', async () => {
  const site = installation();
  const { store } = await site.open();
  const asked: string[] = [];
  const answering = (answer: boolean) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  expect(await site.runAsked(answering(false), 'pause')).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Nothing was paused.\n',
  });
  expect(await store.pauses.all()).toEqual([]);
  await site.runAsked(answering(true), 'pause');
  expect(await store.pauses.all()).toMatchObject([{ account: 'main', flow: 'all' }]);
  expect(asked).toEqual(Array(2).fill('Until it is resumed, nothing is written for main. Stop all flows?'));
  await site.runAsked(answering(false), 'pause', '--yes');
  await site.runAsked(answering(false), 'pause', 'stock');
  expect([asked.length, (await store.pauses.all()).length]).toEqual([2, 2]);
});

test('a pause of one account leaves the others alone', async () => {
  const site = installation(TWO_ACCOUNTS);
  const { store } = await site.open();
  expect((await site.run('pause', 'stock')).exitCode).toBe(64);
  for (const account of ['main', 'other']) await site.run('pause', 'stock', '--account', account);
  await site.run('resume', 'stock', '--account', 'other');
  expect(await store.pauses.all()).toMatchObject([{ account: 'main', flow: 'stock' }]);
});

test('pause of an unknown flow exits 64', async () => {
  const { exitCode, stderr } = await installation().run('pause', 'stoc');
  expect([exitCode, stderr]).toEqual([64, expect.stringContaining('did you mean "stock"?')]);
});

test('pause before the first run makes the database, and says so', async () => {
  const { exitCode, stderr } = await installation().run('pause', 'stock');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('stockbridge.db did not exist and was created')]);
});

const PAUSED = cause('paused', { reason: 'stocktaking' });

test('resume does not release a key held for another reason, and a job that runs meanwhile does not hold its key', async () => {
  const site = installation();
  const { store } = await site.open();
  const key = (name: string) => ({ account: 'main', flow: 'stock', key: name });
  await store.work.mark([key('paused'), key('other'), key('running')], 'poll', 'stock changed');
  await store.work.hold(key('paused'), 1, [PAUSED]);
  await store.work.hold(key('other'), 1, [cause('sku-twice', { sku: 'SB-1', count: 2 })]);
  await store.pauses.pause('main', 'stock', 'stocktaking', 'somebody');
  expect(await site.json('resume', 'stock')).toMatchObject({ released: 1 });
  // The job read the pause before the pause was lifted.
  expect(await store.work.hold(key('running'), 1, [PAUSED])).toBe(false);
  const states = await Promise.all(['paused', 'other', 'running'].map((name) => store.work.get(key(name))));
  expect(states.map((row) => row?.state)).toEqual(['pending', 'held', 'pending']);
});

describe('a running daemon', () => {
  let stage: Stage;

  test('a running daemon writes nothing of a paused flow and reads on; resumed, it writes the rest', async () => {
    stage = await openStage();
    const { marketplace, erp, configFile } = stage;
    const verb = (...args: string[]) => run([...args, '--config', configFile]);
    erp.control.seed(2);
    await stage.start();
    const shown = (sku: string) => marketplace.products().find((product) => product.sku === sku)?.available;
    const inStep = (sku: string) => shown(sku) === erp.control.stockOf(sku).available;
    await until('the stock is in step', () => inStep('SB-0001') && inStep('SB-0002'));
    const before = shown('SB-0001');

    await verb('pause', 'stock', '--reason', 'stocktaking');
    erp.control.setStock('SB-0001', '7777');
    const { store } = stage.app().core.state;
    const held = await until('the change was read, and is held', async () => {
      const rows = await store.work.held('main');
      return rows.find(({ flow, heldFor }) => flow === 'stock' && told(heldFor) === told([PAUSED]));
    });
    // Other flows go on.
    erp.control.setProduct('SB-0002', { name: 'Renamed' });
    await until('another flow writes', () => marketplace.productBySku('SB-0002').name === 'Renamed');
    expect(shown('SB-0001')).toBe(before);

    const { stderr } = await verb('resume', 'stock');
    expect(stderr).toContain('1 held because of it is looked at again.');
    await until('it is written', () => inStep('SB-0001'));
    expect(shown('SB-0001')).not.toBe(before);
    await until('it is on record', async () => {
      const [newest] = await store.journal.of('main', 'stock', held.key, 1);
      return newest?.outcome === 'written';
    });
  });
});
