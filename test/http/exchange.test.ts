import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { createPool, exchange } from '../../src/http/exchange.ts';
import { startHttp, startTcp } from '../marketplace/loopback.ts';

test('an answer longer than the limit is cut off', async () => {
  const server = await startHttp(() => ({ body: `"${'x'.repeat(1000)}"` }));
  onTestFinished(server.close);
  const pool = createPool(server.url, { connections: 1, connectTimeoutMs: 20_000 });
  onTestFinished(() => pool.destroy());
  const request = { origin: server.url, method: 'GET', target: '/', headers: {}, body: null } as const;
  const bounds = { timeoutMs: 20_000, maxBodyBytes: 1001 };
  expect(await exchange(pool, request, bounds)).toMatchObject({ kind: 'broken', code: 'TOO_LONG', sent: true });
  expect(await exchange(pool, request, { ...bounds, maxBodyBytes: 1002 })).toMatchObject({
    kind: 'answer',
    status: 200,
  });
});

const GET = { method: 'GET', target: '/', headers: {}, body: null } as const;

async function ask(
  server: { url: string; close(): Promise<void> },
  bounds = { timeoutMs: 20_000, maxBodyBytes: 100_000 },
) {
  onTestFinished(server.close);
  const pool = createPool(server.url, { connections: 1, connectTimeoutMs: 20_000 });
  onTestFinished(() => pool.destroy());
  return exchange(pool, { ...GET, origin: server.url }, bounds);
}

test('a repeated response header is one text, and only cookies are a list', async () => {
  const twice = ['Retry-After: 5', 'Retry-After: 6', 'Date: a', 'Date: b', 'Link: <1>', 'Link: <2>'];
  const head = ['HTTP/1.1 429 Slow', ...twice, 'Set-Cookie: c=1', 'Set-Cookie: d=2', 'Content-Length: 0', '', ''];
  const server = await startTcp((socket) => socket.write(head.join('\r\n')));
  expect(await ask(server)).toMatchObject({
    headers: { 'retry-after': '5', date: 'a', link: '<1>, <2>', 'set-cookie': ['c=1', 'd=2'] },
  });
});

/** Sends the text again and again, as fast as it is taken, until the other side leaves. */
function pour(socket: Socket, text: string): void {
  const more = (): void => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', more);
  more();
}

const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
const CHUNK = `4000\r\n${'x'.repeat(0x4000)}\r\n`;

test.each([
  ['chunks without end', CHUNKED, CHUNK, 'TOO_LONG'],
  ['chunks of one byte without end', CHUNKED, '1\r\nx\r\n'.repeat(1_000), 'TOO_LONG'],
  ['a head without end', 'HTTP/1.1 200 OK\r\n', `x: ${'x'.repeat(100)}\r\n`, 'UND_ERR_HEADERS_OVERFLOW'],
  ['one field of a head without end', 'HTTP/1.1 200 OK\r\nx: ', 'x'.repeat(100), 'UND_ERR_HEADERS_OVERFLOW'],
  ['trailers without end', `${CHUNKED}0\r\n`, `x: ${'x'.repeat(100)}\r\n`, 'UND_ERR_HEADERS_OVERFLOW'],
])('%s are cut off, and their connection is closed', async (_, head, again, code) => {
  const left = Promise.withResolvers<void>();
  const server = await startTcp((socket) => {
    socket.on('close', () => left.resolve());
    socket.write(head);
    pour(socket, again);
  });
  expect(await ask(server)).toMatchObject({ kind: 'broken', code, sent: true });
  await left.promise;
});

test('interim answers (1xx) are skipped, and endless ones end at the time-out', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
  const whole = await startTcp(
    (socket) => void socket.write(`${early.repeat(9)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}`),
  );
  expect(await ask(whole)).toMatchObject({ kind: 'answer', status: 200, body: Buffer.from('{}') });
  const endless = await startTcp((socket) => pour(socket, early));
  const bounds = { timeoutMs: 300, maxBodyBytes: 1_000 };
  expect(await ask(endless, bounds)).toMatchObject({ kind: 'broken', code: 'DEADLINE', status: null });
});

test('a compressed body is passed on as it came and never unpacked: no request asks for compression', async () => {
  const bomb = gzipSync(gzipSync(Buffer.alloc(50_000_000)));
  const server = await startHttp(() => ({ headers: { 'content-encoding': 'gzip, gzip' }, body: bomb }));
  expect(await ask(server)).toMatchObject({ kind: 'answer', status: 200, body: bomb });
});

test('a chunk of an answer is copied and released: a kept chunk of one byte would take the memory of a hundred', async () => {
  const chunk = Buffer.alloc(1);
  const text = 'x,y:'.repeat(1_000);
  const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController;
  const dispatcher = {
    dispatch(_: unknown, handler: Required<Dispatcher.DispatchHandler>) {
      handler.onRequestStart(controller, null);
      handler.onResponseStart(controller, 200, {}, 'OK');
      for (const one of text) {
        chunk.write(one);
        handler.onResponseData(controller, chunk);
      }
      chunk.fill(0);
      handler.onResponseEnd(controller, {});
      return true;
    },
  } as unknown as Dispatcher;
  const bounds = { timeoutMs: 20_000, maxBodyBytes: text.length };
  const { body } = (await exchange(dispatcher, { ...GET, origin: 'http://a' }, bounds)) as { body: Buffer };
  expect(body.toString()).toBe(text);
});
