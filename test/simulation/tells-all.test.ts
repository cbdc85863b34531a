import { expect, test } from 'vitest';
import { createTellsAll } from './tells-all.ts';

const at = (minute: number) => `2026-01-05T08:0${minute}:00.000Z`;
const changes = (since: number) => ({ target: `/v1/stock?changed_since=${encodeURIComponent(at(since))}&limit=500` });
const truly = { body: '{"items":[],"complete":true}' };
const falsely = { ...truly, untrue: true };

test('an answer that left rows out is not complete, nor is a later read that begins after it', () => {
  const tellsAll = createTellsAll();
  expect(tellsAll(changes(1), truly)).toBe(true);
  expect(tellsAll(changes(2), falsely)).toBe(false);
  expect(tellsAll(changes(3), truly)).toBe(false);
  expect(tellsAll({ target: '/v1/orders?limit=500' }, truly)).toBe(true);
});

test.each([
  ['a read that begins where the false one did', changes(2)],
  ['a read that reaches further back', changes(1)],
  ['a whole list', { target: '/v1/stock?limit=500' }],
])('%s returns the rows that were left out, and later answers are complete again', (_, request) => {
  const tellsAll = createTellsAll();
  tellsAll(changes(2), falsely);
  expect(tellsAll(request, truly)).toBe(true);
  expect(tellsAll(changes(3), truly)).toBe(true);
});

test('a list that the ERP calls incomplete is rejected: the next one begins where it did', () => {
  const tellsAll = createTellsAll();
  expect(tellsAll(changes(2), { body: '{"items":[],"complete":false}', untrue: true })).toBe(false);
  expect(tellsAll(changes(3), truly)).toBe(true);
});
