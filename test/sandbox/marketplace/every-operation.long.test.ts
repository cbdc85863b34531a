import { afterEach, expect, test } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { MarketplaceClient } from '../../../src/marketplace/client.ts';
import type { Operation } from '../../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../../src/marketplace/operations/table.ts';
import type { CallId, ListId } from '../../../src/marketplace/request.ts';
import { clientFor } from '../../marketplace/loopback.ts';
import { jsonOf } from '../../marketplace/operations/spec/notation.ts';
import { type Request, sendRaw } from './every-operation/raw.ts';
import { type Spoil, spoils, withAt } from './every-operation/spoiled.ts';
import { type Known, valid } from './every-operation/valid.ts';
import { openWorld } from './every-operation/world.ts';

type Fields = Readonly<Record<string, unknown>>;

const OPERATION_LIST: readonly Operation[] = Object.values(OPERATIONS);

const clients: MarketplaceClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

function clientOf(market: { readonly url: string; readonly key: string }): MarketplaceClient {
  const client = clientFor(market.url, { auth: { scheme: 'app', key: market.key } });
  clients.push(client);
  return client;
}

/** Calls through the client, for every form of answer. */
async function callThrough(client: MarketplaceClient, { id, paging }: Operation, request: Request): Promise<unknown> {
  const options = { lane: 'operator' } as const;
  if (paging === null) return client.call(id as CallId, request as never, options);
  const page = await client.list(id as ListId, request as never, options);
  expect(page.invalidRows).toEqual([]);
  return page;
}

function requestOf({ pathParams, query, body }: Operation, known: Known, how: 'whole' | 'least'): Request {
  return {
    path: valid(jsonOf(pathParams), ['path'], known, how) as Record<string, unknown>,
    query: valid(jsonOf(query), ['query'], known, how) as Record<string, unknown>,
    ...(body === null ? {} : { body: valid(jsonOf(body), ['body'], known, how) }),
  };
}

for (const how of ['least', 'whole'] as const) {
  test.each(OPERATION_LIST)(
    `$id, with ${how === 'least' ? 'only its required parts' : 'all its parts'}`,
    async (operation) => {
      const { market, known } = await openWorld();
      const request = requestOf(operation, known(operation), how);
      await callThrough(clientOf(market), operation, request);
      const call = market.requestLog.calls().at(-1);
      expect(call).toMatchObject({ operation: operation.id, status: operation.successStatus, applied: true });
    },
  );
}

const KEPT = OPERATION_LIST.map(({ id }) => id.split('.')[0] ?? '').filter(
  (family) => `${family}.create` in OPERATIONS && `${family}.get` in OPERATIONS && `${family}.list` in OPERATIONS,
);

test.each([...new Set(KEPT)])(
  '%s: what is created is listed, read and changed; what is deleted is gone',
  async (family) => {
    const { market, known } = await openWorld();
    const client = clientOf(market);
    const call = async (verb: string, how: 'least' | 'whole', id?: unknown): Promise<Fields> => {
      const operation = (OPERATIONS as Readonly<Record<string, Operation>>)[`${family}.${verb}`];
      if (operation === undefined) return {};
      const request = requestOf(operation, known(operation), how);
      const [name = 'id'] = Object.keys(operation.pathParams.shape).filter((each) => each !== 'company_id');
      const path = id === undefined ? request.path : { ...request.path, [name]: id };
      return (await callThrough(client, operation, { ...request, path: path ?? {} })) as Fields;
    };
    const made = await call('create', 'whole');
    // A line of one order is no line of another order.
    const [key, changed] = family === 'orders' ? (['number', 'least'] as const) : (['id', 'whole'] as const);
    const id = made[key];
    const isIt = (row: Fields) => row[key] === id;
    const rows = async () => (await call('list', 'least'))['rows'] as readonly Fields[];
    expect(await call('get', 'least', id)).toMatchObject(made);
    expect((await rows()).filter(isIt)).toHaveLength(1);
    await call('replace', 'whole', id);
    await call('patch', changed, id);
    expect(isIt(await call('get', 'least', id))).toBe(true);
    if (!(`${family}.delete` in OPERATIONS)) return;
    await call('delete', 'least', id);
    expect((await rows()).filter(isIt)).toEqual([]);
    await expect(call('get', 'least', id)).rejects.toMatchObject({ status: 404 });
  },
);

test('an invalid request is refused by the client before it is sent, and by the marketplace with the name of the field', async () => {
  const { market, known } = await openWorld();
  const client = clientOf(market);
  const missed: string[] = [];
  let tried = 0;
  for (const operation of OPERATION_LIST) {
    const request = requestOf(operation, known(operation), 'whole');
    for (const spoil of spoilsOf(operation, request)) {
      const spoiled = withAt(request, spoil.place, spoil.value) as Request;
      const label = `${operation.id} ${spoil.place.join('.')}: ${spoil.what}`;
      const before = market.requestLog.total();
      tried += 1;
      const failure: unknown = await callThrough(client, operation, spoiled).catch((error: unknown) => error);
      if (market.requestLog.total() !== before || !isRefusedAt(failure, spoil))
        missed.push(`client: ${label}: ${String(failure)}`);
      if (spoil.typedOnly && !isJsonBody(operation, spoil)) continue;
      const { status, text } = await sendRaw(market, operation, spoiled);
      if (status !== statusOf(spoil) || !isNamed(text, spoil)) missed.push(`marketplace: ${label}: ${status} ${text}`);
    }
  }
  expect(missed).toEqual([]);
  expect(tried).toBeGreaterThan(2000);
});

function spoilsOf({ pathParams, query, body }: Operation, request: Request): Spoil[] {
  // A path without one of its parts is a different path.
  const inPath = spoils(jsonOf(pathParams), ['path'], request.path).filter(
    ({ what }) => what !== 'missing' && what !== 'unknown',
  );
  const inQuery = spoils(jsonOf(query), ['query'], request.query);
  return [...inPath, ...inQuery, ...(body === null ? [] : spoils(jsonOf(body), ['body'], request.body))];
}

function isRefusedAt(failure: unknown, { place, what }: Spoil): boolean {
  if (!(failure instanceof CallFailure) || failure.kind !== 'refused' || failure.outcome !== 'not-applied')
    return false;
  const names = place.map((each) => (typeof each === 'number' ? `[${each}]` : `.${each}`)).join('');
  const path = names.slice(1);
  return what === 'unknown' ? failure.message.includes(String(place.at(-1))) : (failure.path ?? '').startsWith(path);
}

function isJsonBody({ bodyEncoding }: Operation, { place }: Spoil): boolean {
  return place[0] === 'body' && bodyEncoding === undefined;
}

/** Spec 1, Errors: an invalid page or page size is a 404, and so is an invalid value in the path. */
function statusOf({ place: [part, name] }: Spoil): number {
  return part === 'path' || PAGE_NAMES.has(String(name)) ? 404 : 400;
}
const PAGE_NAMES = new Set(['page', 'page_size', 'limit', 'offset']);

/** The names that a refusal may use: the first one in the body, and the last one of the place. */
function isNamed(text: string, spoil: Spoil): boolean {
  if (statusOf(spoil) === 404) return true;
  const [top, ...below] = spoil.place.slice(1);
  if (top === undefined) return true;
  const last = below.findLast((name) => typeof name === 'string') ?? '';
  return Object.hasOwn(JSON.parse(text) as object, String(top)) && text.includes(String(last));
}
