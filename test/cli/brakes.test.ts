import { userInfo } from 'node:os';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { installation } from './installation.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOBODY = 'No daemon runs on this data: "stockbridge run" or "stockbridge sync" takes it up.\n';
const POOL = { account: 'main', flow: 'product', kind: 'archive' };
const me = userInfo().username;

let site: ReturnType<typeof installation>;
let store: Store;
beforeEach(async () => {
  site = installation();
  ({ store } = await site.open());
});

const write = (id: number) => ({
  key: `P-${id}`,
  action: 'product.archive',
  target: `listing ${id} (SB-${id})`,
  before: 'listed',
  after: 'archived',
  why: 'gone in the ERP',
});
const hold = (...ids: number[]) =>
  store.brakes.hold(POOL, ids.map(write), { holdsAll: true, reason: 'brake archive: too many', expiryMs: DAY_MS });
const hashNow = async () => (await store.brakes.list())[0]?.hash ?? '';
const states = async () => (await store.brakes.list()).flatMap(({ items }) => items.map(({ state }) => state));

describe('brakes list', () => {
  test('shows each plan with its hash, until when it can be approved, and its items', async () => {
    await hold(1, 2);
    const hash = await hashNow();
    const { exitCode, stdout, stderr } = await site.run('brakes', 'list');
    expect(exitCode).toBe(0);
    expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \S+Z/g, 'WHEN')).toBe(
      [
        `plan 1  archive  ${hash}  product, 2 writes, since WHEN, to approve until WHEN`,
        '  everything of this kind waits: brake archive: too many',
        '  1  product.archive listing 1 (SB-1): listed -> archived  product/P-1',
        '  2  product.archive listing 2 (SB-2): listed -> archived  product/P-2',
        '',
      ].join('\n'),
    );
    expect(stderr).toBe(`To let it go ahead: stockbridge brakes approve ${hash}\n`);
  });

  test('shows the beginning of a long plan, and all of it when asked', async () => {
    await hold(...Array.from({ length: 25 }, (_, index) => index + 1));
    expect((await site.run('brakes', 'list')).stdout).toContain('\n  and 5 more: --all shows them\n');
    expect((await site.run('brakes', 'list', '--all')).stdout.match(/product\.archive/g)).toHaveLength(25);
    expect(await site.json('brakes', 'list')).toMatchObject({ plans: [{ id: 1, count: 25, holds_all: true }] });
  });

  test('says when there is nothing, and knows its accounts', async () => {
    expect((await site.run('brakes', 'list')).stdout).toBe('No brake holds anything.\n');
    expect((await site.run('brakes', 'list', '--account', 'mian')).exitCode).toBe(64);
  });
});

describe('brakes approve', () => {
  test('by the hash that was shown, and has the keys looked at', async () => {
    await hold(1, 2);
    const hash = await hashNow();
    const { exitCode, stdout, stderr } = await site.run('brakes', 'approve', hash);
    expect([exitCode, stdout, stderr]).toEqual([0, `plan 1 (${hash}): 2 approved\n`, NOBODY]);
    expect(await states()).toEqual(['approved', 'approved']);
    expect((await store.work.due(10)).map(({ key, lane, reason }) => [key, lane, reason])).toEqual([
      ['P-1', 'operator', `plan 1 was approved by ${me}`],
      ['P-2', 'operator', `plan 1 was approved by ${me}`],
    ]);
    const { stdout: listed } = await site.run('brakes', 'list');
    expect(listed).toContain(`approved by ${me} until`);
    expect((await site.run('brakes', 'approve', '1')).stderr).toContain('nothing of plan 1 is left to approve');
  });

  test('but not single items', async () => {
    await hold(1, 2, 3);
    const { stdout } = await site.run('brakes', 'approve', await hashNow(), '--except', '2', 'product/P-3');
    expect(stdout).toMatch(
      /^plan 1 \(\w+\): 1 approved\n {2}vetoed: 2 {2}product\.archive listing 2 .*\n {2}vetoed: 3 /,
    );
    expect(await states()).toEqual(['approved', 'vetoed', 'vetoed']);
  });

  test.each([
    ['a hash of before', async () => [await beforeAnother()], 1, 'it has changed since it was shown'],
    ['no such plan', async () => ['7'], 1, 'there is no plan 7'],
    ['neither', async () => ['soon'], 64, 'neither the number of a plan nor its hash'],
    ['no such item', async () => ['1', '--except', '9'], 1, 'plan 1 holds no item 9'],
    ['no item at all', async () => ['1', '--except', 'P-1'], 64, 'neither the number of an item nor FLOW/KEY'],
    ['all but all', async () => ['1', '--except', '1', '2'], 1, 'to refuse it, drop it'],
  ])('decides nothing: %s', async (_, args, code, message) => {
    await hold(1, 2);
    const { exitCode, stderr } = await site.run('brakes', 'approve', ...(await args()));
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
    expect(new Set(await states())).toEqual(new Set(['held']));
  });

  async function beforeAnother(): Promise<string> {
    const hash = await hashNow();
    await hold(3);
    return hash;
  }
});

test('brakes drop refuses what a plan holds', async () => {
  await hold(1, 2);
  const { exitCode, stdout } = await site.run('brakes', 'drop', await hashNow());
  expect([exitCode, stdout]).toEqual([0, 'plan 1: 2 dropped; each is held until it is another write\n']);
  expect(await states()).toEqual(['dropped', 'dropped']);
  expect((await site.run('brakes', 'list')).stdout).toContain(`dropped by ${me}\n`);
});
