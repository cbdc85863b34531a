import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cause } from '../../src/domain/causes/cause.ts';
import type { Store } from '../../src/store/store.ts';
import { installation } from './installation.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOBODY = 'No daemon is running. To process it: stockbridge run, or stockbridge sync.\n';
const POOL = { account: 'main', flow: 'product', kind: 'archive' };
const me = userInfo().username;

let site: ReturnType<typeof installation>;
let store: Store;
beforeEach(async () => {
  site = installation();
  ({ store } = await site.open());
});

afterEach(() => vi.restoreAllMocks());

const write = (id: number) => ({
  key: `P-${id}`,
  action: 'product.archive',
  target: `listing ${id} (SB-${id})`,
  before: 'listed',
  after: 'archived',
  why: 'gone in the ERP',
});
const TOO_MANY = cause('too-many-writes', { count: 2, span: 'pass', most: 1 });
const LIMIT = 'would be one of 2 such writes within 15 minutes; the limit is 1';
const hold = (...ids: number[]) =>
  store.brakes.hold(POOL, ids.map(write), { holdsAll: true, reason: TOO_MANY, expiryMs: DAY_MS });
const hashNow = async () => (await store.brakes.list())[0]?.hash ?? '';
const states = async () => (await store.brakes.list()).flatMap(({ items }) => items.map(({ state }) => state));

test('brakes list prints each plan with its hash, its expiry, and its items', async () => {
  await hold(1, 2);
  const hash = await hashNow();
  const { exitCode, stdout, stderr } = await site.run('brakes', 'list');
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\d{4}-\d\d-\d\d \S+Z/g, 'WHEN')).toBe(
    [
      `plan 1  archive  ${hash}  product, 2 writes, since WHEN, to approve until`,
      '  WHEN',
      `  all writes of this kind wait: each ${LIMIT}`,
      '  1  product.archive listing 1 (SB-1): listed -> archived  product/P-1',
      '  2  product.archive listing 2 (SB-2): listed -> archived  product/P-2',
      '',
    ].join('\n'),
  );
  expect(stderr).toBe(`To approve plan 1: stockbridge brakes approve ${hash}\n`);
});

test('brakes list prints the beginning of a long plan, and all of it with --all', async () => {
  await hold(...Array.from({ length: 25 }, (_, index) => index + 1));
  expect((await site.run('brakes', 'list')).stdout).toContain(
    '\n  and 5 more: "stockbridge brakes list --all" shows them\n',
  );
  expect((await site.run('brakes', 'list', '--all')).stdout.match(/product\.archive/g)).toHaveLength(25);
  expect(await site.json('brakes', 'list')).toMatchObject({ plans: [{ id: 1, count: 25, holds_all: true }] });
});

test('brakes list prints the reason of each item that waits for itself, and the hash of each plan', async () => {
  const price = (id: number, percent: string) =>
    store.brakes.hold(
      { ...POOL, kind: 'price' },
      [{ ...write(id), action: 'product.price', before: '10', after: '3' }],
      {
        holdsAll: false,
        reason: cause('price-moves-far', { percent, span: 'pass', most: '50', otherCase: null }),
        expiryMs: DAY_MS,
      },
    );
  await price(1, '70.1');
  await price(2, '70.2');
  await hold(3);
  const { stdout, stderr } = await site.run('brakes', 'list');
  expect(stdout).toContain(
    [
      '  only these wait, each for itself',
      '  1  product.price listing 1 (SB-1): 10 -> 3, -70.0 percent  product/P-1',
      '     changes the price by 70.1 percent; the limit is 50',
      '  2  product.price listing 2 (SB-2): 10 -> 3, -70.0 percent  product/P-2',
      '     changes the price by 70.2 percent; the limit is 50',
      '',
    ].join('\n'),
  );
  // The reason of the first write is gone with it. The second write has a reason of its own.
  await store.brakes.keepOnly('main', 'product', 'P-1', []);
  expect((await site.run('brakes', 'list')).stdout).not.toContain('70.1');
  expect((await site.run('status')).stdout).toMatch(/holds product\.price\s+listing 2 \(SB-2\).*70\.2 percent/s);
  expect(stderr.match(/To approve plan \d: stockbridge brakes approve \w{16}\n/g)).toHaveLength(2);
});

test('brakes list prints the open plans before the decided ones, and the newest first', async () => {
  await hold(1);
  await site.run('brakes', 'drop', '1');
  await hold(2);
  await store.brakes.hold({ ...POOL, kind: 'price' }, [write(3)], {
    holdsAll: true,
    reason: TOO_MANY,
    expiryMs: DAY_MS,
  });
  const { stdout } = await site.run('brakes', 'list');
  expect(stdout.match(/^plan \d+/gm)).toEqual(['plan 3', 'plan 2', 'plan 1']);
});

test('after a decision, brakes list prints only the remaining items as waiting', async () => {
  await hold(1, 2);
  await site.run('brakes', 'approve', '1', '--yes', '--except', '2');
  const whole = (await site.run('brakes', 'list')).stdout;
  expect(whole).not.toContain('all writes of this kind wait');
  expect(whole).toContain('each approved write is made once; what was excepted stays held until its value changes\n');
  await store.brakes.used(1);
  const left = (await site.run('brakes', 'list')).stdout;
  expect(left).toContain(`1 write, approved by ${me}\n  what was excepted stays held until its value changes\n`);
  await site.run('brakes', 'drop', '1');
  expect((await site.run('brakes', 'list')).stdout).toContain('\n  each stays held until its value changes\n');
});

test('brakes list says that a plan or an approval has expired, and what follows', async () => {
  await hold(1);
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
  const plan = await site.run('brakes', 'list');
  expect(plan.stdout).toMatch(
    /since \S+ \S+, expired\s+\S+ \S+\n {2}it cannot be approved any more: the next full pass/,
  );
  expect(plan.stderr).toBe('');
  expect((await site.run('brakes', 'approve', '1')).stderr).toContain('plan 1 has expired: the next full pass');
  vi.restoreAllMocks();
  await site.run('brakes', 'approve', '1', '--yes');
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + DAY_MS);
  expect((await site.run('brakes', 'list')).stdout).toMatch(
    new RegExp(
      `approved by ${me}, expired\\s.*\\n {2}writes that were not made in time are held again: the next full pass`,
    ),
  );
  expect(await site.json('brakes', 'list')).toMatchObject({ plans: [{ expired: true }] });
});

test.each([40, 60])('brakes list fits a terminal of %i columns', async (columns) => {
  await hold(1, 2);
  const wide = (await site.run('brakes', 'list')).stdout;
  const { stdout } = await site.runIn({ COLUMNS: String(columns) }, 'brakes', 'list');
  expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
  expect(stdout.split(/\s+/)).toEqual(wide.split(/\s+/));
});

test('brakes list says when there is no plan, and checks the account name', async () => {
  expect((await site.run('brakes', 'list')).stdout).toBe('No brake holds anything.\n');
  expect((await site.run('brakes', 'list', '--account', 'mian')).exitCode).toBe(64);
});

describe('brakes approve', () => {
  test('brakes approve takes the printed hash, and marks the keys', async () => {
    await hold(1, 2);
    const hash = await hashNow();
    const { exitCode, stdout, stderr } = await site.run('brakes', 'approve', hash);
    expect([exitCode, stdout.split('\n').at(-2), stderr]).toEqual([0, `plan 1 (${hash}): 2 approved`, NOBODY]);
    expect(await states()).toEqual(['approved', 'approved']);
    expect((await store.work.due('main', 10)).map(({ key, lane, reason }) => [key, lane, reason])).toEqual([
      ['P-1', 'backfill', `plan 1 was approved by ${me}`],
      ['P-2', 'backfill', `plan 1 was approved by ${me}`],
    ]);
    const { stdout: listed } = await site.run('brakes', 'list');
    expect(listed).toContain(`approved by ${me} until`);
    expect((await site.run('brakes', 'approve', '1')).stderr).toContain('nothing of plan 1 is left to approve');
  });

  test('brakes approve --except leaves single items out', async () => {
    await hold(1, 2, 3);
    const { stdout } = await site.run('brakes', 'approve', await hashNow(), '--except', '2', 'product/P-3');
    expect(stdout).toMatch(
      /^plan 1 \(\w+\): 1 approved\n {2}excepted: 2 {2}product\.archive listing 2 .*\n {2}excepted: 3 /m,
    );
    expect(await states()).toEqual(['approved', 'vetoed', 'vetoed']);
  });

  test.each([
    ['a hash of before', async () => [await beforeAnother()], 1, 'it has changed since it was shown'],
    ['no such plan', async () => ['7'], 1, 'there is no plan 7'],
    ['a number alone, and nobody at the terminal', async () => ['1'], 64, 'Nothing was approved'],
    ['neither', async () => ['soon'], 64, 'neither the number of a plan nor its hash'],
    ['no such item', async () => ['1', '--yes', '--except', '9'], 1, 'plan 1 holds no item 9'],
    ['no item at all', async () => ['1', '--yes', '--except', 'P-1'], 64, 'neither the number of an item nor FLOW/KEY'],
    ['all but all', async () => ['1', '--yes', '--except', '1', '2'], 1, 'to refuse it, drop it'],
  ])('brakes approve decides nothing: %s', async (_, args, code, message) => {
    await hold(1, 2);
    const { exitCode, stderr } = await site.run('brakes', 'approve', ...(await args()));
    expect(exitCode).toBe(code);
    expect(stderr).toContain(message);
    expect(new Set(await states())).toEqual(new Set(['held']));
  });

  test('brakes approve by number prints the writes, the largest price moves first, and asks', async () => {
    const price = (id: number, after: string) =>
      store.brakes.hold(
        { ...POOL, kind: 'price' },
        [{ ...write(id), action: 'product.price', before: '10 USD', after: `${after} USD` }],
        {
          holdsAll: false,
          reason: cause('price-moves-far', { percent: '1', span: 'pass', most: '50', otherCase: null }),
          expiryMs: DAY_MS,
        },
      );
    await price(1, '4');
    await price(2, '30.8');
    const asked: string[] = [];
    const answer = (yes: boolean) => async (question: string) => {
      asked.push(question);
      return yes;
    };
    const refused = await site.runAsked(answer(false), 'brakes', 'approve', '1');
    expect([refused.exitCode, refused.stderr]).toEqual([1, 'Nothing was approved.\n']);
    expect(refused.stdout).toMatch(
      /10\.00 USD -> 30\.80 USD, \+208\.0 percent[^]*10\.00 USD -> 4\.00 USD, -60\.0 percent/,
    );
    expect(await states()).toEqual(['held', 'held']);
    await site.runAsked(answer(true), 'brakes', 'approve', '1');
    expect(await states()).toEqual(['approved', 'approved']);
    expect(asked).toEqual(Array(2).fill('Let these 2 writes go ahead?'));
  });

  test('brakes approve by number approves what was printed, and not what joined during the question', async () => {
    await hold(1);
    const joins = async () => {
      await hold(2);
      return true;
    };
    const { exitCode, stderr } = await site.runAsked(joins, 'brakes', 'approve', '1');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('it has changed since it was shown')]);
    expect(await states()).toEqual(['held', 'held']);
  });

  async function beforeAnother(): Promise<string> {
    const hash = await hashNow();
    await hold(3);
    return hash;
  }
});

test('brakes drop refuses the writes that a plan holds', async () => {
  await hold(1, 2);
  const { exitCode, stdout } = await site.run('brakes', 'drop', await hashNow());
  expect([exitCode, stdout]).toEqual([0, 'plan 1: 2 dropped. Each write stays held until its value changes\n']);
  expect(await states()).toEqual(['dropped', 'dropped']);
  expect((await site.run('brakes', 'list')).stdout).toContain(`dropped by ${me}\n`);
});
