import { expect, test } from 'vitest';
import { shouldActivate } from '../../src/domain/active-config.ts';

const [A, B, C] = [
  { settings: 'a', generation: 1 },
  { settings: 'b', generation: 2 },
  { settings: 'c', generation: 3 },
];
const NEW = { settings: 'new', generation: null };

test.each([
  ['the first configuration of an account', { ...NEW, before: null, inForce: null, others: [] }, true],
  ['what is in force already', { ...B, before: null, inForce: B, others: [A] }, false],
  ['settings that nobody ever had, at a start', { ...NEW, before: null, inForce: A, others: [A] }, true],
  ['settings that nobody ever had, by SIGHUP', { ...NEW, before: 'a', inForce: A, others: [A] }, true],
  ['an older file at a start, while another has the newer', { ...A, before: null, inForce: B, others: [B] }, false],
  ['an older file that SIGHUP did not change', { ...A, before: 'a', inForce: B, others: [B] }, false],
  ['a file that was set back and read by SIGHUP', { ...A, before: 'b', inForce: B, others: [B] }, true],
  ['an older file when nobody has the newer any more', { ...A, before: null, inForce: B, others: [A] }, true],
  ['the oldest file of two when nobody has the newest', { ...A, before: 'a', inForce: C, others: [B] }, false],
  ['the newer file of two when nobody has the newest', { ...B, before: 'b', inForce: C, others: [A] }, true],
])('the configuration in force: %s', (_, announced, comes) => {
  expect(shouldActivate(announced)).toBe(comes);
});
