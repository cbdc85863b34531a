import { describe, expect, test } from 'vitest';
import { cause, shownCause } from '../../src/domain/causes/cause.ts';
import { stepOnScreen } from '../../src/domain/causes/on-screen.ts';
import { bodyOf } from '../../src/notify/body.ts';
import { type Around, textOf, type WordedConcerns, wholeText } from '../../src/notify/text.ts';
import type { Message } from '../../src/store/notices.ts';

const example = { key: '9f1c', ...shownCause(cause('erp-order-unfinished', { erpOrder: 'SO-17' })) };
type Told = NonNullable<ReturnType<WordedConcerns['get']>>[number];
const standing: Told = {
  kind: 'held',
  about: 'order-in',
  of: ['order-in'],
  code: example.code,
  count: 3,
  causes: 3,
  sinceMs: Date.UTC(2030, 0, 2, 3, 4),
  example,
  unseen: null,
  sentence: `3 orders wait: ${example.text}`,
  words: example.text,
  name: '9f1c (Corner Shop)',
  plan: null,
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

const AROUND: Around = { screen: null, unseen: new Map(), ended: 'by maria, who linked it at 10:02 UTC' };
const SCREEN = 'https://bridge.brand.example/stockbridge';
const worded = (more: Partial<Message> = {}, around: Partial<Around> = {}, of: WordedConcerns = all) =>
  textOf(message(more), of, { ...AROUND, ...around });

test('a message about an opened cause has an example, whose turn it is, since when and the next step', () => {
  const told = worded();
  expect(told.subject).toBe('main: 3 orders wait: ERP order SO-17 is still being written: not all steps are done');
  expect(told.lines.join('\n')).toBe(
    `Such as 9f1c (Corner Shop): ERP order SO-17 is still being written: not all steps are done
it waits by itself, since 2030-01-02 03:04 UTC (erp-order-unfinished)
-> Nothing to do: it continues once the ERP shows the complete order. If this message stays, finish or cancel the order in the ERP.
More: stockbridge guide orders`,
  );
  expect(told.facts).toMatchObject({
    event: 'opened',
    account: 'main',
    code: 'erp-order-unfinished',
    count: 3,
    page: 'orders',
  });
});

test('a message with the address of the screen links to the cases, and names the act on the screen', () => {
  const product = shownCause(
    cause('product-unlinked', { order: '9f1c', line: '1', product: 4711, sku: 'SB-1', elsewhere: null }),
  );
  const unlinked = { ...standing, code: product.code, example: { key: '9f1c', ...product } };
  const told = worded({ code: product.code }, { screen: SCREEN }, new Map([['main', [unlinked]]]));
  expect(told.link).toBe(`${SCREEN}/needs?account=main&state=held&error=product-unlinked`);
  expect(told.lines).toContain(`-> ${stepOnScreen(product)}`);
  expect(wholeText(told)).not.toMatch(/stockbridge (?:map|jobs|guide)/);
  expect(wholeText(told).split('\n').at(-1)).toBe(told.link);
});

test('a message about a brake links to its plan, as long as it waits', () => {
  const brake = { kind: 'brake', about: 'product, price', code: 'brake-plan' };
  const link = (more: Partial<Message>) =>
    worded({ ...brake, ...more }, { screen: SCREEN }, new Map([['main', [{ ...standing, ...brake, plan: 7 }]]])).link;
  expect(link({})).toBe(`${SCREEN}/brakes?account=main&plan=7`);
  expect(link({ about: 'stock, zero' })).toBe(`${SCREEN}/brakes?account=main`);
});

test('a message only names a cause that has closed since', () => {
  expect(wholeText(worded({}, {}, new Map()))).toBe('main: 3 orders wait\n(erp-order-unfinished)');
  expect(wholeText(worded({ event: 'closed' }))).toBe(
    'main: over: 3 orders waited\nEnded by maria, who linked it at 10:02 UTC (erp-order-unfinished)',
  );
});

const DIGEST = { event: 'digest', account: '', kind: '', about: '', code: '', count: 0 } as const;

test('a digest counts the needs of every account, in twenty lines at most', () => {
  const turn = (whose: 'operator' | 'erp') => ({ ...standing, example: { ...example, turn: whose } });
  const both = new Map([
    ['main', [turn('operator'), turn('erp')]],
    ['second', []],
  ]);
  expect(wholeText(worded(DIGEST, {}, both))).toBe(
    `1 thing needs you; 1 thing waits for the ERP
${Array(2).fill('main: 3 orders wait: ERP order SO-17 is still being written: not all steps are done').join('\n')}
second: nothing needs you`,
  );
  expect(worded(DIGEST, {}, new Map([['main', []]])).subject).toBe('Nothing needs you');
  expect(worded(DIGEST, {}, both).facts['accounts']).toEqual([
    { account: 'main', needs: 1, waits: { erp: 1, marketplace: 0 } },
    { account: 'second', needs: 0, waits: { erp: 0, marketplace: 0 } },
  ]);
  const many = Array.from({ length: 50 }, () => standing);
  const { lines } = worded(DIGEST, {}, new Map([['main', many]]));
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('and 30 more: stockbridge status');
});

test('a digest before the first full read gives no all-clear', () => {
  const told = worded(
    DIGEST,
    { unseen: new Map([['main', 'not all of its lists have been read yet']]) },
    new Map([['main', []]]),
  );
  expect(wholeText(told)).toBe('Nothing is known to need you\nmain: not all of its lists have been read yet');
});

test('a message with text of either side has no forged line', () => {
  const forgery = 'Order 1\n-> do as I say\u202e';
  const forged = { ...standing, words: forgery, sentence: forgery, name: forgery };
  const text = wholeText(worded({}, {}, new Map([['main', [forged]]])));
  expect(text.split('\n')).toHaveLength(5);
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
])(
  'a message with text of either side mentions nobody in a chat, has no foreign link and is short: %.40s',
  (erpOrder, told) => {
    const { text: said } = shownCause(cause('erp-order-unfinished', { erpOrder }));
    const of = { ...standing, words: said, sentence: said, name: erpOrder };
    const text = wholeText(worded({}, {}, new Map([['main', [of]]])));
    expect(text).toContain(told);
    expect(text.split('\n')).toHaveLength(5);
    expect(text.length).toBeLessThan(4_000);
  },
);

describe('the body of a webhook', () => {
  const told = worded({}, { screen: SCREEN });

  test('the body of a webhook has the text, the link and the facts for programs', () => {
    expect(bodyOf(told, 'json')).toMatchObject({ text: wholeText(told), link: told.link, event: 'opened', count: 3 });
    expect(bodyOf(worded(), 'json')).not.toHaveProperty('link');
  });

  test('the body of a webhook for Slack has a header, a text without mark-up and a button', () => {
    const { text, blocks } = bodyOf(told, 'slack') as { text: string; blocks: Record<string, unknown>[] };
    expect(text).toBe(told.subject);
    expect(blocks.map(({ type }) => type)).toEqual(['header', 'section', 'actions']);
    expect(JSON.stringify(blocks)).not.toContain('mrkdwn');
    expect(blocks[2]).toMatchObject({ elements: [{ type: 'button', url: told.link }] });
  });

  test('the body of a webhook for Teams is a message with one card, whose button opens the screen', () => {
    const { type, attachments } = bodyOf(told, 'teams') as {
      type: string;
      attachments: { contentType: string; content: Record<string, unknown> }[];
    };
    expect([type, attachments.length]).toEqual(['message', 1]);
    expect(attachments[0]?.contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(attachments[0]?.content).toMatchObject({
      type: 'AdaptiveCard',
      actions: [{ type: 'Action.OpenUrl', url: told.link }],
    });
  });

  test('the body of a webhook stays within the limits of Slack, however long the texts are', () => {
    const long = { subject: 'x'.repeat(5_000), lines: ['y'.repeat(5_000)], link: null, facts: {} };
    const { blocks } = bodyOf(long, 'slack') as { blocks: { text: { text: string } }[] };
    expect(blocks.map(({ text }) => text.text.length)).toEqual([150, 3_000]);
  });
});
