import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMetrics } from '../../src/daemon/metrics.ts';
import type { Listener, Live, LiveEvent } from '../../src/use/live.ts';
import { adminWith, QUIET } from '../support/admin.ts';
import { until } from '../support/stage.ts';

/* Clients that ask, and then take the answer slowly or not at all. */

const VIEWER = 'viewer-4711';
const MEGABYTE = 1024 * 1024;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A journal in which something is written when the test says so. */
function journalByHand() {
  const listeners = new Set<Listener>();
  let ready = Promise.resolve();
  const live: Live = {
    async listen(_by, afterId, tell) {
      await ready;
      tell(afterId === null ? [] : missed);
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    stop: () => {},
  };
  let missed: LiveEvent[] = [];
  return {
    live,
    listeners,
    waitFor: (what: Promise<void>) => void (ready = what),
    missedWas: (told: LiveEvent[]) => void (missed = told),
    tell: (told: readonly LiveEvent[]) => {
      for (const one of listeners) one(told);
    },
  };
}

let id = 0;
const entry = (bytes: number): LiveEvent => {
  id += 1;
  return { again: false, entry: { id, account: 'main', atMs: 0, why: 'x'.repeat(bytes) } } as unknown as LiveEvent;
};

async function open() {
  const journal = journalByHand();
  const { app } = adminWith({
    registry: createMetrics().registry,
    keys: () => ({ viewer: VIEWER, operator: '', users: [] }),
    openedFor: () =>
      ({ ...QUIET, live: journal.live, config: { accounts: [{ name: 'main' }], unusable: [] } }) as never,
  });
  const held = new Set<Socket>();
  let mostHeld = 0;
  app.server.on('connection', (socket) => {
    held.add(socket);
    mostHeld = Math.max(mostHeld, held.size);
    socket.once('close', () => held.delete(socket));
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as { port: number };
  /** Sends a request, and reads nothing of the answer. */
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1' });
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    const lines = Object.entries({ host: '127.0.0.1', authorization: `Bearer ${VIEWER}`, ...headers });
    const head = `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
    await new Promise<void>((resolve) => socket.write(head, () => resolve()));
    return socket;
  };
  const waitingBytes = () => [...held].reduce((sum, socket) => sum + socket.writableLength, 0);
  return { ...journal, ask, port, held, mostHeld: () => mostHeld, waitingBytes };
}

const LIVE = '/api/v1/live';

test('the bytes that wait for stalled listeners are limited, and reading listeners get every entry', async () => {
  const { ask, held, tell, listeners, waitingBytes } = await open();
  const reader = await ask(LIVE);
  let text = '';
  reader.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  for (let at = 0; at < 80; at += 1) await ask(LIVE);
  await until('all listen', () => listeners.size === 81);
  let most = 0;
  const ids: number[] = [];
  for (let at = 0; at < 60; at += 1) {
    const one = entry(100_000);
    ids.push(one === 'missed' ? 0 : one.entry.id);
    tell([one]);
    most = Math.max(most, waitingBytes());
    await until('the reader has it', () => text.includes(`id: ${id}\n`));
  }
  expect(most).toBeLessThan(26 * MEGABYTE);
  expect(listeners.size).toBe(1);
  await until('the others are gone', () => held.size === 1);
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, told]) => Number(told))).toEqual(ids);
});

test('a listener that leaves while the missed entries are looked up frees its place', async () => {
  const { ask, held, listeners, waitFor } = await open();
  const { promise, resolve } = Promise.withResolvers<void>();
  waitFor(promise);
  const socket = await ask(LIVE, { 'last-event-id': '1' });
  await until('it is there', () => held.size === 1);
  socket.destroy();
  await until('it is gone', () => held.size === 0);
  resolve();
  await promise;
  await until('nobody listens', () => listeners.size === 0);
});

test('entries beyond the memory for one listener are reported as missed', async () => {
  const { ask, missedWas } = await open();
  missedWas(Array.from({ length: 1_000 }, () => entry(20_000)));
  const socket = await ask(LIVE, { 'last-event-id': '1' });
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  await until('it is told', () => text.includes('event: missed'));
  expect(text.length).toBeLessThan(MEGABYTE);
});

test('a stalled listener is disconnected soon after its time is over', async () => {
  const { ask, held, tell, listeners } = await open();
  await ask(LIVE);
  await until('it listens', () => listeners.size === 1);
  tell([entry(400_000)]);
  for (let at = 0; at < 60; at += 1) tell([entry(50_000)]);
  vi.advanceTimersByTime(11 * 60_000);
  await until('it is gone', () => held.size === 0);
});

test('connections that were opened before make room for new ones', async () => {
  const { ask, port, held, mostHeld } = await open();
  for (let at = 0; at < 1_100; at += 1) {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
  }
  const last = await ask('/livez');
  let text = '';
  last.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  await until('the last one is answered', () => text.includes('alive'));
  expect(held.size).toBeLessThanOrEqual(1_000);
  // One more connection exists until the oldest one is closed.
  expect(mostHeld()).toBeLessThan(1_100);
});
