import { beforeEach, expect, test } from 'vitest';
import { ROUTES } from '../../src/admin/api/routes.ts';
import { useShelf } from '../store/shelf.ts';
import { adminOn } from '../support/admin.ts';

/* The promises of the admin API to every client, for every call. */

const shelf = useShelf();

let app: ReturnType<typeof adminOn>['app'];

beforeEach(() => {
  app = adminOn(shelf().store, () => ({ operator: 'an-operator-token', viewer: null, users: [] }), {
    base: '/stockbridge',
  }).app;
});

interface Asked {
  readonly key?: string;
  readonly body?: object;
}

async function ask(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, { key, body }: Asked = {}) {
  const headers = {
    authorization: 'Bearer an-operator-token',
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  };
  const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(body && { payload: body }) });
  return { status: answer.statusCode, headers: answer.headers, answer: answer.json<Answer>() };
}

interface Answer {
  readonly detail: string;
  readonly reason: string;
  readonly type: string;
  readonly items: readonly { readonly action: string }[];
  readonly servers: readonly { readonly url: string }[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Schema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly schema: { readonly type?: string } }[];
  readonly responses: Readonly<Record<string, { readonly content: { readonly [type: string]: { schema: Ref } } }>>;
}

interface Ref {
  readonly $ref?: string;
}

const PAUSE = '/accounts/main/pauses/stock';
const acts = async () => (await ask('GET', '/audit')).answer.items.map(({ action }) => action);

test('an act whose answer was lost is not repeated: the same idempotency key gets the same answer', async () => {
  const first = await ask('PUT', PAUSE, { key: 'a', body: { reason: 'stocktaking' } });
  const second = await ask('PUT', PAUSE, { key: 'a', body: { reason: 'stocktaking' } });
  expect([second.status, second.answer]).toEqual([first.status, first.answer]);
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
  expect(await acts()).toEqual(['pause']);
  await ask('PUT', PAUSE, { key: 'b', body: { reason: 'stocktaking' } });
  expect(await acts()).toEqual(['pause', 'pause']);
});

test('an idempotency key belongs to one request of one caller', async () => {
  await ask('PUT', PAUSE, { key: 'a', body: {} });
  const other = await ask('DELETE', PAUSE, { key: 'a' });
  expect([other.status, other.answer.type]).toEqual([422, 'urn:stockbridge:problem:other-request']);
  expect(await acts()).toEqual(['pause']);
  expect((await ask('PUT', PAUSE, { key: 'a'.repeat(256), body: {} })).answer.detail).toContain(
    'header.Idempotency-Key',
  );
});

test('an act with an unknown answer is not repeated', async () => {
  await ask('PUT', PAUSE, { key: 'a', body: {} });
  await shelf().store.personal.forget('main', { marketplaceId: 1, erpId: null }, 'a test');
  const again = await ask('PUT', PAUSE, { key: 'a', body: {} });
  expect([again.status, Number(again.headers['retry-after'])]).toEqual([409, expect.any(Number)]);
  expect((await acts()).filter((action) => action === 'pause')).toHaveLength(1);
});

test('an act that was refused may be requested again with its idempotency key', async () => {
  const resend = '/events/7/resend';
  expect((await ask('POST', resend, { key: 'a' })).status).toBe(404);
  const again = await ask('POST', resend, { key: 'a' });
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([404, undefined]);
});

test.each([
  ['/status?account=nobody', 404],
  ['/accounts/nobody/plans', 404],
  ['/accounts/main/nothing', 404],
] as const)('%s, which does not exist, is answered with %i', async (path, status) => {
  expect((await ask('GET', path)).status).toBe(status);
});

test('a method that a path does not allow is answered with 405 and the allowed ones', async () => {
  const { status, headers } = await ask('POST', PAUSE, { body: {} });
  expect([status, headers['allow']]).toEqual([405, 'PUT, DELETE']);
  expect((await ask('DELETE', '/status')).headers['allow']).toBe('GET');
  expect((await ask('PUT', '/live')).headers['allow']).toBe('GET');
});

test('a caller that has to wait gets the time to wait', async () => {
  const problem = new Error('another task runs');
  problem.name = 'TaskRunning';
  app = adminOn(shelf().store, () => ({ operator: 'an-operator-token', viewer: null, users: [] }), {
    openedFor: () => {
      throw problem;
    },
  }).app;
  const { status, headers } = await ask('POST', '/accounts/main/plans', { body: {} });
  expect([status, headers['retry-after']]).toEqual([503, '5']);
});

test.each([
  ['DELETE', '/accounts/main/mappings/product', undefined],
  ['DELETE', '/accounts/main/mappings/product?erp_id=a&marketplace_id=1', undefined],
  ['POST', '/accounts/main/mappings/product', { marketplace_id: '7' }],
  ['POST', '/jobs/replay', {}],
] as const)('%s %s is refused in the names of the API', async (method, path, body) => {
  const { status, answer } = await ask(method, path, body === undefined ? {} : { body });
  expect(status).toBe(400);
  expect(answer.detail).not.toMatch(/(^|\s)--\w/);
});

test('the API description names the address behind a proxy, and every part has a name', async () => {
  const { answer } = await ask('GET', '/openapi.json');
  expect(answer.servers).toEqual([expect.objectContaining({ url: '/stockbridge/api/v1' })]);
  const operations = Object.values(answer.paths).flatMap((own) => Object.values(own));
  for (const { operationId, responses } of operations) {
    expect(operationId).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    const json = responses['200']?.content['application/json'];
    if (json !== undefined) expect([operationId, json.schema.$ref]).toEqual([operationId, expect.any(String)]);
  }
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ROUTES.length + 1);
});

test('the API has one way of paging, and one spelling', async () => {
  const { answer } = await ask('GET', '/openapi.json');
  const { schemas } = answer.components;
  const lists = Object.entries(schemas).filter(([, { properties }]) => properties?.['next'] !== undefined);
  const named = lists.filter(([name]) => name.startsWith('List'));
  const operations = Object.values(answer.paths).flatMap((own) => Object.values(own));
  const listing = operations.filter(({ operationId }) => operationId.startsWith('list'));
  expect(named).toHaveLength(listing.length);
  for (const [, { required }] of named) expect(required).toEqual(expect.arrayContaining(['items', 'next']));
  for (const { parameters } of operations)
    for (const { name, schema } of parameters) {
      expect(name).not.toBe('before');
      if (name === 'after') expect(schema.type).toBe('string');
    }
  const fields = Object.values(schemas).flatMap(fieldsOf);
  expect(fields.filter((name) => /[A-Z]/.test(name))).toEqual([]);
});

function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as Schema;
  return [...Object.keys(properties), ...Object.values(schema).flatMap(fieldsOf)];
}
