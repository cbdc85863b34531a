import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resolveChannel } from '../../src/config/notify.ts';
import { SETTLE_MS } from '../../src/domain/notices.ts';
import { startNotify } from '../../src/notify/notify.ts';
import type { AllStanding, Standing } from '../../src/notify/text.ts';
import { tryChannels } from '../../src/use/notify.ts';
import { useShelf } from '../store/shelf.ts';
import { startChat, startMail } from '../support/channels.ts';
import { until } from '../support/stage.ts';

const example = {
  key: '9f1c',
  code: 'paused',
  params: {},
  text: 'Something is wrong',
  turn: 'operator',
  next: 'Look at it.',
  page: 'orders',
} as const;
const held: Standing = {
  kind: 'held',
  about: 'order-in',
  of: ['order-in'],
  code: 'a-code',
  count: 1,
  causes: 1,
  sinceMs: null,
  example,
  unseen: null,
  tell: async () => ({
    sentence: '1 order waits: Something is wrong',
    words: 'Something is wrong',
    name: '9f1c',
    plan: null,
  }),
};
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const shelf = useShelf();

/** Notifications whose clock is the shelf's, until the test ends. */
function started(channels: Parameters<typeof resolveChannel>[0][], standing: () => AllStanding) {
  const outcomes: string[] = [];
  const { stop } = startNotify({
    channels: channels.map(resolveChannel),
    notices: shelf().store.notices,
    standing: async () => standing(),
    sight: async () => ({ seen: [], unseen: [], isAway: false }),
    log,
    screen: null,
    unseen: async () => new Map(),
    ended: async () => 'by itself',
    onSent: (channel, outcome) => outcomes.push(`${channel} ${outcome}`),
    lookEveryMs: 10,
    now: () => shelf().nowMs,
  });
  onTestFinished(stop);
  return { outcomes, stop };
}

test('a cause that opens and one that closes send one message each, signed, and a refused message is sent again', async () => {
  const { got, url } = await startChat(500);
  let all: AllStanding = new Map([['main', [held]]]);
  const { outcomes } = started([{ type: 'webhook', url, secret: 'a-signing-secret' }], () => all);
  const later = (isSo: () => boolean) => () => {
    shelf().nowMs += SETTLE_MS;
    return isSo();
  };
  await until(
    'it was refused, then taken',
    later(() => outcomes.includes('webhook sent')),
  );
  all = new Map([['main', []]]);
  await until(
    'the end was told',
    later(() => outcomes.filter((one) => one === 'webhook sent').length === 2),
  );
  expect(outcomes).toEqual(['webhook failed', 'webhook sent', 'webhook sent']);
  const [refused, opened, closed] = got.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
  expect(opened).toEqual(refused);
  expect(opened).toMatchObject({ event: 'opened', account: 'main', code: 'a-code', count: 1, key: '9f1c' });
  expect(opened?.['text']).toContain('9f1c: Something is wrong\nyour turn (a-code)\n-> Look at it.');
  expect(closed).toMatchObject({ event: 'closed', code: 'a-code', ended: 'by itself' });
  expect(got).toHaveLength(3);
  for (const { headers, body } of got) {
    const [, seconds, hex] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(String(headers['stockbridge-signature'])) ?? [];
    expect(hex).toBe(createHmac('sha256', 'a-signing-secret').update(`${seconds}.${body}`).digest('hex'));
  }
});

test('a digest is sent once, also by whichever daemon takes over after its time, and not when that is long ago', async () => {
  const { got, url } = await startChat();
  const at = (time: string) => Date.parse(`2030-03-04T${time}Z`);
  const takeOver = async (nowMs: number, sent: number) => {
    shelf().nowMs = nowMs;
    const { outcomes, stop } = started([{ type: 'webhook', url, digest: '0 7 * * *' }], () => new Map());
    if (sent > 0) await until('it is sent', () => outcomes.length >= sent);
    await stop();
    expect(await shelf().store.notices.next('webhook')).toBeNull();
    return outcomes.length;
  };
  expect(await takeOver(at('06:30:00'), 0)).toBe(0);
  expect(await takeOver(at('07:00:09'), 1)).toBe(1);
  expect(await takeOver(at('07:30:00'), 0)).toBe(0);
  expect(await takeOver(at('07:00:09') + 24 * 3_600_000, 1)).toBe(1);
  expect(await takeOver(at('08:30:00') + 48 * 3_600_000, 0)).toBe(0);
  expect(got.map(({ body }) => (JSON.parse(body) as { event: string }).event)).toEqual(['digest', 'digest']);
});

test('a message that the channel accepts while the program ends is recorded, and not sent again by the next', async () => {
  const answer = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      asked.resolve();
      void answer.promise.then(() => response.end());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const { stop } = started([{ type: 'webhook', url }], () => {
    shelf().nowMs += SETTLE_MS;
    return new Map([['main', [held]]]);
  });
  await asked.promise;
  const stopped = stop();
  answer.resolve();
  await stopped;
  expect(await shelf().store.notices.next('webhook')).toBeNull();
});

test("a channel that accepts nothing does not delay another's messages", async () => {
  const dead = await startChat(...Array.from({ length: 1_000 }, () => 503));
  const mail = await startMail();
  const { outcomes } = started(
    [
      { type: 'webhook', url: dead.url },
      {
        type: 'email',
        smtp: `smtp://127.0.0.1:${mail.port}`,
        from: 'bridge@brand.test',
        to: ['ann@brand.test', 'bob@brand.test'],
      },
    ],
    () => new Map([['main', [held]]]),
  );
  await until('it was sent by mail', () => {
    shelf().nowMs += SETTLE_MS;
    return outcomes.includes('email sent');
  });
  expect(mail.heard()).toContain('RCPT TO:<bob@brand.test>');
  expect(mail.heard()).toContain('Subject: [Stockbridge] main: 1 order waits: Something is wrong');
});

test('a test of the channels says of each whether it accepts messages, and prints no secret', async () => {
  const { url, got } = await startChat();
  const refusing = await startChat(404);
  const notify = [
    resolveChannel({ type: 'webhook', url }),
    resolveChannel({ type: 'webhook', name: 'other', url: refusing.url }),
    resolveChannel({ type: 'email', smtp: 'smtp://user:a-password@127.0.0.1:1', from: 'a@b.test', to: ['c@d.test'] }),
  ];
  const tried = await tryChannels({ notify } as Parameters<typeof tryChannels>[0]);
  expect(tried).toEqual([
    { channel: 'webhook', type: 'webhook', failure: null },
    { channel: 'other', type: 'webhook', failure: 'answered with status 404' },
    { channel: 'email', type: 'email', failure: 'not sent (ESOCKET)' },
  ]);
  expect(JSON.parse(got[0]?.body ?? '')).toMatchObject({ event: 'test' });
  await expect(tryChannels({ notify } as Parameters<typeof tryChannels>[0], 'nosuch')).rejects.toThrow(
    'no channel nosuch',
  );
});
