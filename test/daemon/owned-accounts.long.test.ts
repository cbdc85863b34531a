import { randomUUID } from 'node:crypto';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import type { Begin, Held } from '../../src/daemon/account-leases.ts';
import { HAND_OVER_MS, holdAllAccounts, shareAccounts, WorkedElsewhereError } from '../../src/daemon/owned-accounts.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { LeaseLost } from '../../src/store/leases.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { needing } from '../support/needing.ts';
import { newSchema, stopPostgres } from '../support/postgres.ts';
import { until } from '../support/stage.ts';

const { test } = needing('postgres');
afterAll(stopPostgres);

const log = createLogger({ level: 'silent', secrets: [] });
const NAMES = ['a', 'b', 'c', 'd'];

async function open() {
  const schema = await newSchema();
  const opened = await openPostgres(schema.url, Date.now, true);
  onTestFinished(async () => {
    await opened.close();
    await schema.drop();
  });
  /** The daemon that works each account now. */
  const working = new Map<string, string>();
  const twice: string[] = [];
  const parts = (name: string, accounts = NAMES, failing: string[] = [], settings = () => 'the same') => {
    const held = new Map<string, Held>();
    const begin: Begin = async (account, one) => {
      if (failing.includes(account)) throw new Error('it is broken');
      if (working.has(account)) twice.push(account);
      working.set(account, name);
      held.set(account, one);
      return {
        async stop() {
          if (working.get(account) === name) working.delete(account);
          held.delete(account);
        },
      };
    };
    const shared = accounts.map((account) => ({ name: account, daemons: null, problem: null }));
    const configured = () => shared.map((one) => ({ ...one, settings: settings() }));
    return { parts: { id: randomUUID(), leases: opened.store.leases, name, accounts: configured, begin, log }, held };
  };
  const worked = (name: string) => [...working].filter(([account, by]) => account !== '' && by === name).length;
  return { ...opened, parts, worked, working, twice };
}

test('daemons share the accounts evenly, hand them over when they stop, and never work one account at once', async () => {
  const { parts, store, worked, working, twice } = await open();
  const { parts: mine } = parts('first');
  const first = await shareAccounts(mine);
  await until('the first has all', () => worked('first') === NAMES.length && working.get('') === 'first');
  const second = await shareAccounts(parts('second').parts);
  await until('each has half', () => worked('first') === 2 && worked('second') === 2);
  await first.stop(1_000);
  expect((await store.leases.list()).leases.filter(({ holder }) => holder === mine.id)).toEqual([]);
  await until('the second has all', () => worked('second') === NAMES.length && working.get('') === 'second');
  await second.stop(1_000);
  expect([working.size, twice]).toEqual([0, []]);
});

test('no daemon works by an older configuration than the one in force, unless nobody has the newer or a file was reverted', async () => {
  const { parts, worked } = await open();
  let file = 'a';
  const first = await shareAccounts(parts('first', NAMES, [], () => file).parts);
  await until('the first has all', () => worked('first') === NAMES.length);
  const second = await shareAccounts(parts('second', NAMES, [], () => 'b').parts);
  await until('the newer one has all', () => worked('second') === NAMES.length);
  await second.stop(1_000);
  await until('the older one has all, since nobody has the newer', () => worked('first') === NAMES.length);
  const third = await shareAccounts(parts('third', NAMES, [], () => 'b').parts);
  file = 'c';
  await first.reload(new Set(NAMES), async () => {});
  await until('what was changed and read again has all', () => worked('first') === NAMES.length);
  file = 'b';
  await first.reload(new Set(NAMES), async () => {});
  await until('both have the same', () => worked('first') === 2 && worked('third') === 2);
  await first.stop(0);
  await third.stop(0);
});

test('work that does not end delays the handover of an account by only some seconds', async () => {
  const { parts, working } = await open();
  const { parts: mine } = parts('first', ['a']);
  const limits: number[] = [];
  const daemon = await shareAccounts({
    ...mine,
    async begin(account, held) {
      const { stop } = await mine.begin(account, held);
      return { stop: (limitMs) => stop(limits.push(limitMs)) };
    },
  });
  await until('it has all', () => working.size === 2);
  await daemon.stop(20_000);
  expect(limits).toEqual([HAND_OVER_MS, HAND_OVER_MS]);
});

test('changed accounts start anew, removed accounts end, and the others go on', async () => {
  const { parts, working, twice } = await open();
  const begun: string[] = [];
  const { parts: mine, held } = parts('daemon');
  let inForce = ['a', 'b', 'c'];
  const daemon = await shareAccounts({
    ...mine,
    accounts: () => inForce.map((name) => ({ name, daemons: null, settings: 'the same', problem: null })),
    begin(account, one) {
      begun.push(account);
      return mine.begin(account, one);
    },
  });
  await until('it has all', () => working.size === 4);
  const [kept, changed] = [held.get('a'), held.get('b')];
  await daemon.reload(new Set(['b', 'c']), async () => {
    expect([...working.keys()].toSorted()).toEqual(['', 'a']);
    inForce = ['a', 'b', 'd'];
  });
  await until('it has all that are in force', () => ['', 'a', 'b', 'd'].every((name) => working.has(name)));
  expect([begun.toSorted(), working.has('c'), twice]).toEqual([['', 'a', 'b', 'b', 'c', 'd'], false, []]);
  expect([held.get('a') === kept, held.get('b') === changed]).toEqual([true, false]);
  await daemon.stop(1_000);
});

test('a daemon that loses a lease ends that work, sends nothing more and commits nothing', async () => {
  const { parts, working, store, fenced } = await open();
  const { parts: mine, held } = parts('first', ['a', 'b']);
  const daemon = await shareAccounts(mine);
  await until('it has both', () => held.has('a') && held.has('b'));
  const before = held.get('a');
  const under = fenced('a', before?.fence ?? 0);
  await under.facts.set('a', 'mine', 'yes');
  const { leases } = await store.leases.list();
  for (const { account, holder, fence } of leases)
    if (account === 'a') await store.leases.release(account, holder, fence);
  await expect(under.facts.set('a', 'mine', 'no')).rejects.toThrow(LeaseLost);
  await until('its work is over, and begun anew under another lease', () => held.has('a') && held.get('a') !== before);
  expect(before?.holds()).toBe(false);
  expect([held.get('a')?.holds(), held.get('b')?.holds()]).toEqual([true, true]);
  expect(await store.facts.get('a', 'mine')).toBe('yes');
  await daemon.stop(0);
  expect(working.size).toBe(0);
});

test.each([
  ['goes on by an hour, as after a sleep of the machine', 3_600_000],
  ['goes on by the time of a lease', 9_000],
])('while the clock of a daemon %s, nothing is sent, and it works again under a new lease', async (_, jumpMs) => {
  const { parts } = await open();
  const { parts: mine, held } = parts('first', ['a']);
  const daemon = await shareAccounts(mine);
  await until('it has it', () => held.has('a'));
  const before = held.get('a');
  expect(before?.holds()).toBe(true);
  const now = Date.now.bind(Date);
  const jumped = vi.spyOn(Date, 'now').mockImplementation(() => now() + jumpMs);
  onTestFinished(() => jumped.mockRestore());
  expect(before?.holds()).toBe(false);
  await until('it is renewed or begun anew', () => held.get('a')?.holds() === true);
  await daemon.stop(0);
});

test('a daemon that is cut off from the database stops sending before another daemon can have the account', async () => {
  const { parts, store } = await open();
  const { parts: mine, held } = parts('first', ['a']);
  let isCut = false;
  const whenCut = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    if (isCut) throw new Error('no route to the database');
    return ask();
  };
  const { leases } = store;
  const daemon = await shareAccounts({
    ...mine,
    leases: {
      ...leases,
      beat: (...asked) => whenCut(() => leases.beat(...asked)),
      take: (...asked) => whenCut(() => leases.take(...asked)),
      release: (...asked) => whenCut(() => leases.release(...asked)),
    },
  });
  await until('it has it', () => held.has('a'));
  const before = held.get('a');
  isCut = true;
  for (;;) {
    const isFree = !(await leases.list()).leases.some(({ account }) => account === 'a');
    // This is checked after the answer: a lease that was over by then must let nothing be sent now.
    if (isFree) expect(before?.holds()).toBe(false);
    if (isFree) break;
  }
  await until('its work is over', () => !held.has('a'));
  expect(await leases.take('a', 'another', 60_000)).toBeGreaterThan(before?.fence ?? 0);
  await daemon.stop(0);
});

test('the accounts of a daemon that died are free once its leases have expired, and not before', async () => {
  const { parts, worked, store } = await open();
  await store.leases.beat({ id: 'dead', name: 'dead:1', works: true }, 9_000);
  for (const account of NAMES) await store.leases.take(account, 'dead', 9_000);
  const diedMs = performance.now();
  const daemon = await shareAccounts(parts('other').parts);
  expect(worked('other')).toBe(0);
  await until('the other has all', () => worked('other') === NAMES.length);
  const tookMs = performance.now() - diedMs;
  expect(tookMs).toBeGreaterThan(8_900);
  expect(tookMs).toBeLessThan(15_000);
  await daemon.stop(0);
});

test('an account that cannot be started is released, and delays no other', async () => {
  const { parts, worked, store } = await open();
  const daemon = await shareAccounts(parts('first', NAMES, ['b']).parts);
  await until('the others are worked', () => worked('first') === NAMES.length - 1);
  await until('it is free', async () => !(await store.leases.list()).leases.some(({ account }) => account === 'b'));
  await daemon.stop(0);
});

test('a pass over all accounts is told which daemon works some, and why one cannot be started', async () => {
  const { parts, worked } = await open();
  const daemon = await shareAccounts(parts('daemon').parts);
  await until('the daemon has all', () => worked('daemon') === NAMES.length);
  await expect(holdAllAccounts(parts('pass').parts, 0)).rejects.toThrow(WorkedElsewhereError);
  await expect(holdAllAccounts(parts('pass').parts, 0)).rejects.toThrow('other daemons (daemon)');
  await daemon.stop(0);
  await expect(holdAllAccounts(parts('pass', NAMES, ['c']).parts)).rejects.toThrow('it is broken');
  const pass = await holdAllAccounts(parts('pass').parts);
  expect(worked('pass')).toBe(NAMES.length);
  await pass.stop(0);
});
