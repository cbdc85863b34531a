import { connect } from 'node:net';
import { type FastifyInstance, fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { gatherBodies } from '../../src/http/gather-bodies.ts';
import { until } from '../support/stage.ts';

const opened: FastifyInstance[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

async function serve(): Promise<number> {
  const app = fastify({ forceCloseConnections: true });
  opened.push(app);
  gatherBodies(app, 1024 * 1024);
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/', async ({ body }) => ({ length: String(body).length }));
  app.post('/unread', { onRequest: async (_request, reply) => reply.code(401).send('no') }, async () => 'never');
  app.get('/', async () => 'here');
  const address = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  return Number(address.port);
}

/** Sends the beginning of a body in chunks. Gives the answer, and whether the server closed the connection. */
async function send(port: number, head: string, chunks: readonly string[]): Promise<{ text: string; closed: boolean }> {
  const socket = connect(port, '127.0.0.1');
  const seen = { text: '', closed: false };
  socket.setEncoding('utf8').on('data', (part: string) => (seen.text += part));
  socket.on('error', () => {}).on('close', () => (seen.closed = true));
  socket.write(`${head} HTTP/1.1\r\nhost: here\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n`);
  socket.write(chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join(''));
  await until('it is answered or closed', () => seen.closed || / 200 [^]*}$/.test(seen.text));
  socket.destroy();
  return seen;
}

const of = (count: number, length: number) => Array.from({ length: count }, () => 'x'.repeat(length));

test.each([
  ['of one byte each, which take too much of a processor', of(1_100, 1)],
  ['which are together too long', of(2, 600_000)],
])('a body in chunks: %s, is refused before its end, and the connection is closed', async (_what, chunks) => {
  const { text, closed } = await send(await serve(), 'POST /', chunks);
  expect([text.split('\r\n')[0], closed]).toEqual(['HTTP/1.1 413 Payload Too Large', true]);
});

test.each([
  ['a few single bytes', of(900, 1)],
  ['many small chunks', of(4_000, 100)],
  ['large chunks', of(16, 65_536)],
])('a body in chunks: %s are accepted', async (_what, chunks) => {
  const { text } = await send(await serve(), 'POST /', [...chunks, '']);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 200 OK[^]*{"length":${chunks.join('').length}}`));
});

test.each(['POST /unread', 'GET /'])('the server does not buffer an unread request body at %s', async (head) => {
  const { text, closed } = await send(await serve(), head, of(10, 100));
  expect([text.startsWith('HTTP/1.1 '), closed]).toEqual([true, true]);
});
