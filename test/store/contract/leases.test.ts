import { expect, test } from 'vitest';
import { LeaseLost } from '../../../src/store/leases.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const leases = () => shelf().store.leases;
const LONG_MS = 60_000;

/** Waits until the lease has run out, by the clock of the store. */
async function passed(account: string): Promise<void> {
  const holds = async () => (await leases().list()).leases.some((lease) => lease.account === account);
  while (await holds()) shelf().nowMs += 50;
}

test('an account is worked by one daemon until its lease expires, and the next has a higher fence', async () => {
  expect(await leases().take('main', 'one', 150)).toBe(1);
  expect(await leases().take('main', 'two', LONG_MS)).toBeNull();
  expect(await leases().take('other', 'two', LONG_MS)).toBe(1);
  await passed('main');
  expect(await leases().take('main', 'two', LONG_MS)).toBe(2);
  const { leases: held } = await leases().list();
  expect(held).toMatchObject([
    { account: 'main', holder: 'two', fence: 2 },
    { account: 'other', holder: 'two', fence: 1 },
  ]);
  expect(held.every(({ leftMs }) => leftMs > 0 && leftMs <= LONG_MS)).toBe(true);
});

test('a living daemon keeps the leases that it has not lost, and says who it is', async () => {
  const [one, two] = [
    { id: 'one', name: 'a machine, process 1', works: true },
    { id: 'two', name: 'a machine, process 2', works: false },
  ];
  const fence = await leases().take('main', 'one', 2_000);
  await leases().beat(two, LONG_MS);
  const standing = await leases().beat(one, LONG_MS);
  expect(standing.daemons).toEqual([one, two]);
  expect(standing.leases).toMatchObject([{ account: 'main', holder: 'one', fence }]);
  expect(standing.leases[0]?.leftMs).toBeGreaterThan(10_000);
  await leases().leave('one');
  expect(await leases().list()).toMatchObject({ daemons: [two], leases: [] });
});

test('an expired lease is not renewed by a heartbeat', async () => {
  await leases().take('main', 'one', 1);
  await passed('main');
  const standing = await leases().beat({ id: 'one', name: 'one', works: true }, LONG_MS);
  expect(standing.leases).toEqual([]);
});

test('a released lease can be taken at once; only its holder releases it', async () => {
  await leases().take('main', 'one', LONG_MS);
  await leases().release('main', 'one', 7);
  await leases().release('main', 'two', 1);
  expect(await leases().take('main', 'two', LONG_MS)).toBeNull();
  await leases().release('main', 'one', 1);
  expect(await leases().take('main', 'two', LONG_MS)).toBe(2);
});

test('with an expired lease nothing is written, and everything can be read', async () => {
  const held = shelf().fenced('main', (await leases().take('main', 'one', LONG_MS)) ?? 0);
  await held.facts.set('main', 'canary', 'sings');
  await leases().release('main', 'one', 1);
  const refused = held.facts.set('main', 'canary', 'is silent');
  await expect(refused).rejects.toThrow(LeaseLost);
  await expect(refused).rejects.toMatchObject({ account: 'main', fence: 1 });
  await expect(held.cursors.tick('main')).rejects.toThrow(LeaseLost);
  expect(await held.facts.get('main', 'canary')).toBe('sings');
  const next = shelf().fenced('main', (await leases().take('main', 'two', LONG_MS)) ?? 0);
  await next.facts.set('main', 'canary', 'sings again');
  await expect(held.facts.clear('main', 'canary')).rejects.toThrow(LeaseLost);
  expect(await held.facts.get('main', 'canary')).toBe('sings again');
});

test('the newer of two configurations is active while any living daemon has it', async () => {
  const [one, two] = [
    { id: 'one', name: 'first', works: true },
    { id: 'two', name: 'second', works: true },
  ];
  for (const daemon of [one, two]) await leases().beat(daemon, LONG_MS);
  const announce = (daemon: typeof one, settings: string) =>
    leases().announce(daemon, [
      { account: 'main', settings, mayWork: true, problem: null },
      { account: 'left-out', settings: null, mayWork: false, problem: 'it is empty' },
    ]);
  const standing = async () => {
    const { configured, inForce } = await leases().list();
    const of = configured.filter(({ account }) => account === 'main');
    return [inForce.map(({ settings, broughtBy }) => `${settings} by ${broughtBy}`), of.map((had) => had.isInForce)];
  };
  await announce(one, 'a');
  await announce(two, 'a');
  expect(await standing()).toEqual([['a by first'], [true, true]]);
  await announce(two, 'b');
  await announce(one, 'a');
  expect(await standing()).toEqual([['b by second'], [false, true]]);
  // The first is told to read its file, which was set back.
  await announce(one, 'b');
  await announce(one, 'a');
  expect(await standing()).toEqual([['a by first'], [true, false]]);
  await leases().leave('one');
  await announce(two, 'b');
  expect(await standing()).toEqual([['b by second'], [true]]);
  const { configured } = await leases().list();
  expect(configured.find(({ account }) => account === 'left-out')).toEqual({
    daemon: 'two',
    account: 'left-out',
    settings: null,
    mayWork: false,
    problem: 'it is empty',
    isInForce: false,
  });
});
