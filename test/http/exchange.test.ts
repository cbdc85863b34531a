import { expect, onTestFinished, test } from 'vitest';
import { createPool, exchange } from '../../src/http/exchange.ts';
import { startHttp } from '../marketplace/loopback.ts';

test('an answer longer than the bound is cut off', async () => {
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
