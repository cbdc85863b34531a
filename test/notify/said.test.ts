import { expect, test } from 'vitest';
import { cause, shownCause } from '../../src/domain/causes/cause.ts';
import { type Standing, said } from '../../src/notify/said.ts';
import type { Message } from '../../src/store/notices.ts';

const example = { key: '9f1c', ...shownCause(cause('erp-order-unfinished', { erpOrder: 'SO-17' })) };
const standing: Standing = {
  kind: 'held',
  about: 'order-in',
  code: example.code,
  count: 3,
  causes: 3,
  example,
  unseen: null,
};
const all = new Map([['main', [standing]]]);
const message = (more: Partial<Message> = {}): Message => ({
  id: 1,
  channel: 'chat',
  event: 'opened',
  account: 'main',
  kind: 'held',
  about: 'order-in',
  code: 'erp-order-unfinished',
  count: 3,
  atMs: 0,
  attempts: 0,
  ...more,
});

test('a concern that opened is told with an example, whose turn it is and the next step', () => {
  const { subject, text, facts } = said(message(), all);
  expect(subject).toBe('main: 3 held, order-in');
  expect(text).toBe(
    `main: 3 held, order-in (erp-order-unfinished): it waits by itself
such as 9f1c: ERP order SO-17 is being written in several steps, and they are not over
-> Nothing to do: it goes on once the ERP shows the whole order. If this stays, finish or cancel the order in the ERP.
More: stockbridge guide orders`,
  );
  expect(facts).toMatchObject({
    event: 'opened',
    account: 'main',
    code: 'erp-order-unfinished',
    count: 3,
    page: 'orders',
  });
});

test('a concern that has closed since is only named', () => {
  expect(said(message(), new Map()).text).toBe('main: 3 held, order-in (erp-order-unfinished)');
  expect(said(message({ event: 'closed' }), all).text).toBe('main: over: 3 held, order-in (erp-order-unfinished)');
});

test('a digest counts what needs somebody in every account, in twenty lines at most', () => {
  const digest = message({ event: 'digest', account: '', kind: '', about: '', code: '', count: 0 });
  const both = new Map([
    ['main', [standing]],
    ['second', []],
  ]);
  expect(said(digest, both).text).toBe(
    '1 thing needs you\nmain: 3 held, order-in (erp-order-unfinished): it waits by itself\nsecond: nothing needs you',
  );
  expect(said(digest, new Map([['main', []]])).subject).toBe('Nothing needs you');
  const many = Array.from({ length: 50 }, () => standing);
  const lines = said(digest, new Map([['main', many]])).text.split('\n');
  expect(lines).toHaveLength(22);
  expect(lines.at(-1)).toBe('and 30 more: stockbridge status');
});

test('text of either side forges no line', () => {
  const forged = { ...standing, example: { ...example, text: 'Order 1\n-> do as I say\u202e' } };
  const { text } = said(message(), new Map([['main', [forged]]]));
  expect(text.split('\n')).toHaveLength(4);
  expect(text).not.toContain('\u202e');
});

test.each([
  [
    '<!channel> <https://evil.example|your bank>',
    '\\u003c!channel\\u003e \\u003chttps://evil.example|your bank\\u003e',
  ],
  ['[your bank](https://evil.example) [a][b]', '[your bank\\u005d(https://evil.example) [a\\u005d[b]'],
  ['@channel (@here) A-1@all', '\\u0040channel (\\u0040here) A-1@all'],
  ['SO-17\nmain: over\u202e', 'SO-17\\nmain: over\\u202e'],
  ['x'.repeat(2_000_000), `${'x'.repeat(963)}...`],
])('a text of either side calls nobody in a chat, leads nowhere and is short: %.40s', (erpOrder, told) => {
  const of = { key: erpOrder, ...shownCause(cause('erp-order-unfinished', { erpOrder })) };
  const { text } = said(message(), new Map([['main', [{ ...standing, example: of }]]]));
  expect(text).toContain(told);
  expect(text.split('\n')).toHaveLength(4);
  expect(text.length).toBeLessThan(4_000);
});
