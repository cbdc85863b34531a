import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connectForCalls } from '../../../src/daemon/redis/connect.ts';
import { startRedisServer } from '../../support/redis-servers.ts';
import { until } from '../../support/stage.ts';

const PRIMARY = 'stockbridge';
const list = (kind: '*' | '>', ...texts: string[]) =>
  `${kind}${texts.length}\r\n${texts.map((text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`).join('')}`;

/** A sentinel that names the primary only when the test lets it, and publishes the messages of the test. */
async function startSentinel(primaryPort: number) {
  const sockets = new Set<Socket>();
  const listening = new Set<Socket>();
  const asking = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      const text = String(chunk).toLowerCase();
      if (text.includes('subscribe')) {
        listening.add(socket);
        socket.write('*3\r\n$9\r\nsubscribe\r\n$14\r\n+switch-master\r\n:1\r\n');
      } else if (text.includes('get-master-addr-by-name')) asking.add(socket);
      else if (text.includes('sentinels')) socket.write('*0\r\n');
      else for (const _ of text.matchAll(/\*\d+\r\n/g)) socket.write('+OK\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    isListenedTo: () => listening.size > 0,
    isAsked: () => asking.size > 0,
    tell(): void {
      const told = `${PRIMARY} 127.0.0.1 1 127.0.0.1 ${primaryPort}`;
      for (const socket of listening) socket.write(list('>', 'message', '+switch-master', told));
    },
    answer(): void {
      for (const socket of asking) socket.write(list('*', '127.0.0.1', `${primaryPort}`));
      asking.clear();
    },
  };
}

test('a message about another primary does not end a client that is just asking for it', async () => {
  const { port } = await startRedisServer();
  const sentinel = await startSentinel(port);
  const target = { kind: 'sentinels' as const, url: `redis://${PRIMARY}/0`, sentinels: [sentinel.url] };
  const client = connectForCalls(target, () => {});
  onTestFinished(() => client.disconnect());
  await until('it asks and listens', () => sentinel.isAsked() && sentinel.isListenedTo());
  sentinel.tell();
  // The message arrives before the answer.
  await sleep(200);
  await until('it works on the primary', () => {
    sentinel.answer();
    return client.set('a key', 'a value').catch(() => null);
  });
  expect(client.status).toBe('ready');
});
