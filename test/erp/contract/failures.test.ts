import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { Decimal } from '../../../src/domain/decimal.ts';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { ErpConnector } from '../../../src/erp/connector.ts';
import { createContractErp } from '../../../src/erp/contract/connector.ts';
import { answering, json } from './answering-server.ts';

const TOKEN = 'sesame-open-4711';

async function failureOf(work: Promise<unknown>): Promise<CallFailure> {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(CallFailure);
  return thrown as CallFailure;
}

async function withErp<T>(
  url: string,
  work: (erp: ErpConnector) => Promise<T>,
  options: { timeoutMs?: number } = {},
): Promise<T> {
  const erp = createContractErp({ url, token: TOKEN, timeoutMs: options.timeoutMs ?? 10_000 });
  try {
    return await work(erp);
  } finally {
    await erp.close();
  }
}

const read = (erp: ErpConnector) => failureOf(erp.ping());
const write = (erp: ErpConnector) => failureOf(erp.updateOrder('SO-1', { discount: new Decimal('1.00') }));

it.each([
  [401, 'credentials', 'not-applied'],
  [403, 'forbidden', 'not-applied'],
  [404, 'not-found', 'not-applied'],
  [405, 'not-found', 'not-applied'],
  [409, 'refused', 'not-applied'],
  [422, 'refused', 'not-applied'],
  [429, 'rate-limited', 'not-applied'],
  [408, 'unavailable', 'unknown'],
  [500, 'unavailable', 'unknown'],
  [503, 'unavailable', 'unknown'],
  [302, 'refused', 'unknown'],
])('an answer of %i to a write is %s, %s', async (status, kind, outcome) => {
  await using server = await answering((_request, response) => json(response, status, { error: 'for a reason' }));
  const failure = await withErp(server.url, write);
  expect(failure).toMatchObject({ side: 'erp', kind, outcome, status });
  expect(failure.message).toContain(server.url);
  expect(failure.message).toContain('change order SO-1');
  expect(failure.message).toContain('for a reason');
  expect(server.asked).toHaveLength(1);
});

it.each([
  [
    { waits_for: 'stock', skus: ['SB-0001', 'SB-0002'] },
    { what: 'stock', skus: ['SB-0001', 'SB-0002'] },
  ],
  [
    { waits_for: 'product', skus: 'SB-0001' },
    { what: 'product', skus: ['SB-0001'] },
  ],
  [{ waits_for: 'stock' }, { what: 'stock', skus: null }],
  [{ waits_for: 'something new' }, { what: 'time', skus: null }],
])('a 409 with %j is a temporary refusal', async (added, waitsFor) => {
  const body = { error: 'for a reason', ...added };
  await using server = await answering((_request, response) => json(response, 409, body));
  const failure = await withErp(server.url, write);
  expect(failure).toMatchObject({ kind: 'refused-for-now', outcome: 'not-applied', status: 409, waitsFor });
  expect(failure.message).toMatch(/answered 409 \("for a reason"\) when asked to change order SO-1\.$/);
});

it('an error answer to a read never took effect', async () => {
  await using server = await answering((_request, response) => json(response, 500, { error: 'down' }));
  expect(await withErp(server.url, read)).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
});

it.each([
  ['7', 7_000],
  ['0', 0],
  ['999999', 3_600_000],
  ['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
  ['soon', null],
])('an error answer with Retry-After %s asks to wait %s ms', async (retryAfter, expectedMs) => {
  const headers = { 'retry-after': retryAfter, date: 'Tue, 01 Jan 2030 00:00:00 GMT' };
  for (const status of [429, 503]) {
    await using server = await answering((_request, response) => json(response, status, { error: 'busy' }, headers));
    expect((await withErp(server.url, read)).retryAfterMs).toBe(expectedMs);
  }
});

it('an error message never contains the token, even when the ERP echoes it, and is one bounded line', async () => {
  const error = `no right for\n${TOKEN} ${'x'.repeat(5_000)}`;
  await using server = await answering((_request, response) => json(response, 403, { error }));
  const failure = await withErp(server.url, write);
  expect(JSON.stringify([failure.message, failure.cause, failure.stack])).not.toContain(TOKEN);
  expect(failure.message).toMatch(/no right for \*\*\* x+/);
  expect(failure.message).not.toContain('\n');
  expect(failure.message.length).toBeLessThan(600);
});

it('a connection that the ERP refuses means that the write was not applied', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const failure = await withErp(`http://127.0.0.1:${port}`, write);
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied', status: null });
  expect(failure.message).toMatch(/could not be reached.*ECONNREFUSED.*erp\.url/);
});

it('a host name of the ERP that does not resolve means that the write was not applied', async () => {
  const failure = await withErp('http://erp.invalid', write);
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
});

it('a connection broken after the request was read leaves a write unknown', async () => {
  await using server = await answering((request) => request.socket.destroy());
  expect(await withErp(server.url, write)).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
  expect(await withErp(server.url, read)).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
  expect(server.asked).toHaveLength(2);
});

it('a truncated answer leaves a write unknown', async () => {
  await using server = await answering((_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"id":', () => response.destroy());
  });
  expect(await withErp(server.url, write)).toMatchObject({ kind: 'unavailable', outcome: 'unknown', status: 200 });
});

it('an ERP that does not answer ends at the time-out, unknown for a write', async () => {
  await using server = await answering(() => {});
  const failure = await withErp(server.url, write, { timeoutMs: 300 });
  expect(failure).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
  expect(failure.message).toContain('within 0.3 s');
});

it('a very slow answer ends at the time-out', async () => {
  await using server = await answering((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  });
  expect(await withErp(server.url, read, { timeoutMs: 60 })).toMatchObject({ kind: 'unavailable' });
});

it('a caller that cancels gets a failure at once: unknown once sent, not applied before', async () => {
  const stopper = new AbortController();
  await using server = await answering(() => stopper.abort());
  await withErp(server.url, async (erp) => {
    const change = { discount: new Decimal('1.00') };
    const sent = await failureOf(erp.updateOrder('SO-1', change, stopper.signal));
    expect(sent).toMatchObject({ kind: 'unavailable', outcome: 'unknown' });
    const unsent = await failureOf(erp.updateOrder('SO-1', change, stopper.signal));
    expect(unsent).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
    expect(server.asked).toHaveLength(1);
  });
});

it('a write cancelled while it waits for another one is never sent', async () => {
  const held: (() => void)[] = [];
  await using server = await answering((_request, response) => {
    held.push(() => json(response, 400, { error: 'no' }));
  });
  await withErp(server.url, async (erp) => {
    const busy = failureOf(erp.updateOrder('SO-1', {}));
    while (held.length < 1) await new Promise((resolve) => setImmediate(resolve));
    const stopper = new AbortController();
    const waiting = failureOf(erp.updateOrder('SO-2', {}, stopper.signal));
    stopper.abort();
    expect(await waiting).toMatchObject({ kind: 'unavailable', outcome: 'not-applied' });
    held[0]?.();
    await busy;
    const last = failureOf(erp.updateOrder('SO-3', {}));
    while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
    held[1]?.();
    await last;
    expect(server.asked).toEqual(['/v1/orders/SO-1', '/v1/orders/SO-3']);
  });
});

it.each([
  ['a page of HTML', '<html>Hello</html>', ''],
  ['nothing', '', ''],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), ''],
  ['a record without its fields', '{"id":"SO-1"}', 'reference'],
])('an answer in 2xx of the wrong form is invalid, unknown for a write: %s', async (_what, body, path) => {
  await using server = await answering((_request, response) => response.writeHead(200).end(body));
  const failure = await withErp(server.url, write);
  expect(failure).toMatchObject({ kind: 'invalid-answer', outcome: 'unknown', status: 200, path });
  expect(failure.message).toContain('does not fit the contract');
});

it('an answer larger than the limit is invalid, and is not read to its end', async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await answering((_request, response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(4 * 1024 * 1024, 0x20);
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour).on('close', closed.resolve);
    pour();
  });
  const failure = await withErp(server.url, read);
  expect(failure).toMatchObject({ kind: 'invalid-answer' });
  await closed.promise;
});
