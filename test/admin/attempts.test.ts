import { beforeEach, expect, test } from 'vitest';
import { type Attempts, createAttempts } from '../../src/admin/session/attempts.ts';

let nowMs = 0;
let attempts: Attempts;
beforeEach(() => {
  nowMs = 5_000;
  attempts = createAttempts(() => nowMs);
});

function wrong(times: number, address: string, account: string): void {
  for (let at = 0; at < times; at++) attempts.begin(address, account)(false);
}

/** The waits between the wrong attempts of somebody who tries again as soon as that is allowed. */
function waits(times: number, address: string, account: string): number[] {
  return Array.from({ length: times }, () => {
    const waitMs = attempts.waitMs(address, account);
    nowMs += waitMs;
    wrong(1, address, account);
    return waitMs / 1_000;
  });
}

test('after ten wrong log-ins from an address, each further one waits twice as long as the previous one', () => {
  wrong(10, '192.0.2.1', 'maria');
  expect(waits(12, '192.0.2.1', 'another')).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
});

test('after ten wrong log-ins to one account, only addresses with three of them must wait', () => {
  for (let at = 0; at < 60; at++) wrong(3, `192.0.2.${at}`, 'maria');
  wrong(2, '192.0.2.100', 'maria');
  expect(attempts.waitMs('192.0.2.100', 'maria')).toBe(0);
  expect(attempts.waitMs('192.0.2.7', 'maria')).toBe(900_000);
  expect(attempts.waitMs('192.0.2.7', 'jan')).toBe(0);
  expect(attempts.waitMs('198.51.100.1', 'maria')).toBe(0);
});

test('log-ins whose outcome is unknown yet count for their address', () => {
  const ends = Array.from({ length: 10 }, () => attempts.begin('192.0.2.1', 'maria'));
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(1_000);
  for (const end of ends) end(true);
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(0);
});

test('a successful log-in does not reset the count of wrong ones', () => {
  wrong(9, '192.0.2.1', 'maria');
  attempts.begin('192.0.2.1', 'own-account')(true);
  wrong(1, '192.0.2.1', 'maria');
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(1_000);
});

test('a successful log-in resets the typing errors of its address on its account', () => {
  wrong(9, '192.0.2.1', 'maria');
  attempts.begin('192.0.2.1', 'maria')(true);
  wrong(9, '192.0.2.1', 'maria');
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(0);
});

test('after typing errors at one address, successful log-ins there do not wait for one another', () => {
  for (let at = 0; at < 20; at++) wrong(1, '192.0.2.1', `person-${at}`);
  nowMs += 900_000;
  for (const person of ['maria', 'jan', 'kim']) {
    expect(attempts.waitMs('192.0.2.1', person)).toBe(0);
    attempts.begin('192.0.2.1', person)(true);
  }
});

test('while a log-in is in progress after many wrong ones, the next one has to wait a second', () => {
  wrong(20, '192.0.2.1', 'maria');
  nowMs += 900_000;
  const end = attempts.begin('192.0.2.1', 'jan');
  expect(attempts.waitMs('192.0.2.1', 'kim')).toBe(1_000);
  end(true);
  expect(attempts.waitMs('192.0.2.1', 'kim')).toBe(0);
});

test('wrong log-ins are dropped an hour after the last one', () => {
  wrong(20, '192.0.2.1', 'maria');
  nowMs += 3_600_000;
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(0);
  wrong(9, '192.0.2.1', 'maria');
  expect(attempts.waitMs('192.0.2.1', 'maria')).toBe(0);
});

test('the addresses of one IPv6 network count as one, and IPv4 inside IPv6 as itself', () => {
  for (let at = 0; at < 10; at++) wrong(1, `2001:db8::${at}`, `user-${at}`);
  expect(attempts.waitMs('2001:db8:0:0:ffff::1', 'maria')).toBe(1_000);
  expect(attempts.waitMs('2001:db8:0:1::1', 'maria')).toBe(0);
  for (let at = 0; at < 10; at++) wrong(1, `::ffff:192.0.2.${at}`, `user-${at}`);
  expect(attempts.waitMs('::ffff:192.0.2.1', 'maria')).toBe(0);
  expect(attempts.waitMs('192.0.2.1', 'user-1')).toBe(0);
});

test('a flood of addresses and names uses a bounded memory', () => {
  for (let at = 0; at < 30_000; at++) wrong(1, `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`, `user-${at}`);
  expect(attempts.kept()).toBe(30_000);
});
