import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CallFailure } from '../../../src/domain/failure.ts';
import { createRpc, type Rpc } from '../../../src/erp/tryton/rpc.ts';
import type { Cut } from '../../../src/erp/wire.ts';
import { json as answerWith, onLoopback } from '../contract/answering-server.ts';

/* Answers as a Tryton 6.0 gave them. */
type Answer = { readonly status?: number; readonly json: unknown };

let server: Awaited<ReturnType<typeof onLoopback>>;
let rpc: Rpc;
let cut: Cut | null;
let sessions: number;
let asked: { method: string; params: unknown[]; authorization: string | undefined }[];
let answer: (method: string) => Answer;

beforeEach(async () => {
  [cut, sessions, asked] = [null, 0, []];
  answer = () => ({ json: { id: 0, result: [{ id: 7 }] } });
  server = await onLoopback((request, response) => void serve(request, response));
  const url = `${server.url}/erp`;
  const options = { url, database: 'shop', user: 'stockbridge', password: 'Bridge-4711-xyz', timeoutMs: 5_000 };
  rpc = createRpc({ ...options, wire: { cut: () => cut } });
});

afterEach(async () => {
  await rpc.close();
  await server.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const { method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { method: string; params: unknown[] };
  asked.push({ method, params, authorization: request.headers.authorization });
  const { status = 200, json } = answered(method);
  answerWith(response, status, json);
}

function answered(method: string): Answer {
  if (method === 'common.db.login') return { json: { id: 0, result: [2, `key-${(sessions += 1)}`] } };
  if (method.endsWith('get_preferences')) return { json: { id: 0, result: { company: 1, language: 'en' } } };
  return answer(method);
}

const write = { purpose: 'change the order', write: true };
const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => {
      const { kind, outcome, message } = error as CallFailure;
      return { kind, outcome, message };
    },
  );

it('a Tryton call has the session and the context of the user, and one login serves all', async () => {
  await Promise.all([1, 2, 3].map((id) => rpc.call('model.sale.sale.read', [[id]], { purpose: 'read' })));
  const reads = asked.filter(({ method }) => method === 'model.sale.sale.read');
  expect(sessions).toBe(1);
  expect(reads.map(({ params }) => params[1])).toEqual(Array(3).fill({ company: 1, language: 'en' }));
  const session = `Session ${Buffer.from('stockbridge:2:key-1').toString('base64')}`;
  expect(new Set(reads.map(({ authorization }) => authorization))).toEqual(new Set([session]));
});

it('an expired Tryton session is started anew, once; a refused login is an error of credentials', async () => {
  let refusals = 1;
  answer = () => (refusals-- > 0 ? { status: 401, json: null } : { json: { id: 0, result: null } });
  expect(await rpc.call('model.sale.sale.quote', [[1]], write)).toBe(null);
  expect(sessions).toBe(2);
  refusals = 9;
  expect(await failure(rpc.call('model.sale.sale.quote', [[1]], write))).toMatchObject({
    kind: 'credentials',
    outcome: 'not-applied',
  });
});

it.each([
  [['UserError', ['The number of digits exceeds the limit of "0".', '', null]], 'refused', 'not-applied'],
  [['UserWarning', ['late', 'The date has passed.', '']], 'refused', 'not-applied'],
  [['ConcurrencyException', 'Records were modified in the meanwhile'], 'unavailable', 'not-applied'],
  [['server closed the connection unexpectedly', ''], 'unavailable', 'unknown'],
  [["'list_price_used'", ''], 'unavailable', 'unknown'],
])('a Tryton error that comes with the status 200 is no success: %j', async (error, kind, outcome) => {
  answer = () => ({ json: { id: 0, error } });
  expect(await failure(rpc.call('model.sale.sale.create', [[]], write))).toMatchObject({ kind, outcome });
  const read = await failure(rpc.call('model.sale.sale.read', [[]], { purpose: 'read' }));
  expect(read).toMatchObject({ kind, outcome: 'not-applied' });
});

it.each([
  ['a login page as 200', { json: '<html>' }, 'invalid-answer'],
  ['an answer without a result', { json: { id: 0 } }, 'invalid-answer'],
  ['a module that is not active', { status: 403, json: null }, 'forbidden'],
  ['an unknown database', { status: 404, json: null }, 'not-found'],
  ['too many wrong passwords', { status: 429, json: null }, 'rate-limited'],
  ['a server in trouble', { status: 502, json: null }, 'unavailable'],
])("Tryton's %s is recognised as what it is", async (_, given, kind) => {
  answer = () => given;
  expect(await failure(rpc.call('model.sale.sale.read', [[1]], { purpose: 'read' }))).toMatchObject({ kind });
});

it('a Tryton write that is cut off may have been applied, a read is never cut off', async () => {
  cut = 'not-applied';
  expect(await failure(rpc.call('model.sale.sale.create', [[]], write))).toMatchObject({ outcome: 'unknown' });
  expect(asked.map(({ method }) => method)).not.toContain('model.sale.sale.create');
  cut = 'answer-lost';
  expect(await failure(rpc.call('model.sale.sale.create', [[]], write))).toMatchObject({ outcome: 'unknown' });
  expect(asked.at(-1)?.method).toBe('model.sale.sale.create');
  expect(await rpc.call('model.sale.sale.read', [[7]], { purpose: 'read' })).toEqual([{ id: 7 }]);
});

it('no message contains the password, even when Tryton echoes it', async () => {
  answer = () => ({ json: { id: 0, error: ['UserError', ['no user with Bridge-4711-xyz']] } });
  const told = await failure(rpc.call('model.sale.sale.read', [[1]], { purpose: 'read' }));
  expect(told?.message).toContain('***');
  expect(told?.message).not.toContain('Bridge-4711-xyz');
});

it('a Tryton answer with more rows or values than requested is not read, so that it delays nothing else', async () => {
  for (const result of [Array(200_000).fill(1.5), { note: Array(200_000).fill(1.5) }]) {
    answer = () => ({ json: { id: 0, result } });
    expect(await failure(rpc.call('model.sale.sale.read', [[1]], { purpose: 'read' }))).toMatchObject({
      kind: 'invalid-answer',
      message: expect.stringMatching(/absurd size/),
    });
  }
});
