import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/admin/api/routes.ts';
import { signatureOf } from '../../src/marketplace/signature.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const TOKENS = { operator: 'an-operator-token', viewer: 'the-viewer-token' };

async function open(brakes?: string): Promise<Stage> {
  const stage = await openStage();
  const written = readFileSync(stage.configFile, 'utf8');
  const yaml = brakes === undefined ? written : written.replace(/brakes: .*/, `brakes: ${brakes}`);
  const admin = `admin: { listen: 127.0.0.1:0, operator_token: ${TOKENS.operator}, viewer_token: ${TOKENS.viewer} }`;
  writeFileSync(stage.configFile, yaml.replace('admin: { listen: 127.0.0.1:0 }', admin));
  stage.erp.control.seed(3);
  await stage.start();
  await stage.sync();
  return stage;
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly as?: keyof typeof TOKENS;
}

async function ask(stage: Stage, path: string, { method = 'GET', body, as = 'operator' }: Asked = {}) {
  const response = await fetch(`${stage.app().adminUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKENS[as]}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return { status, type: headers.get('content-type'), answer: (await response.json()) as Answer };
}

/** The parts of the answers that the tests look into. */
interface Answer {
  readonly accounts: readonly object[];
  readonly items: readonly Item[];
  readonly next: string | null;
  readonly whole: boolean;
  readonly approved: readonly object[];
  readonly journal: readonly object[];
  readonly acts: readonly number[];
  readonly detail: string;
  readonly openapi: string;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

interface Item {
  readonly action: string;
  readonly who: string;
  readonly marketplace_id: string;
  readonly erp_id: string;
  readonly hash: string;
}

test('status, coverage and the journal of the API equal those of the terminal, page by page', async () => {
  const stage = await open();
  const { status, answer } = await ask(stage, '/status', { as: 'viewer' });
  expect(status).toBe(200);
  expect(answer.accounts).toMatchObject([{ account: 'main', unlinked: { listings: 0, products: 0 } }]);
  const coverage = await ask(stage, '/coverage?account=main');
  expect(coverage.answer.items).toContainEqual(expect.objectContaining({ collection: 'orders' }));
  const first = await ask(stage, '/journal?flow=product&limit=2');
  expect(first.answer.items.map(({ action }) => action)).toEqual(['product.create:create', 'product.create:create']);
  const rest = await ask(stage, `/journal?flow=product&limit=2&after=${first.answer.next}`);
  expect([rest.answer.items.length, rest.answer.next]).toEqual([1, null]);
});

test('a pause by the API stops the writes of a flow, is reported, and is recorded under the name of the token', async () => {
  const stage = await open();
  const path = '/accounts/main/pauses/stock';
  const paused = await ask(stage, path, { method: 'PUT', body: { reason: 'stocktaking' } });
  expect(paused).toMatchObject({ status: 200, answer: { flow: 'stock', reason: 'stocktaking' } });
  expect((await ask(stage, '/pauses')).answer.items).toMatchObject([{ account: 'main', flow: 'stock' }]);
  expect((await ask(stage, path, { method: 'DELETE' })).answer).toMatchObject({ resumed: ['stock'] });
  const acts = (await ask(stage, '/audit?limit=2')).answer.items;
  expect(acts.map(({ who, action }) => [who, action])).toEqual([
    ['operator token', 'resume'],
    ['operator token', 'pause'],
  ]);
  expect((await ask(stage, '/audit/verification')).answer.whole).toBe(true);
});

test('a held plan is approved by the hash of exactly the listed writes, once', async () => {
  const stage = await open('{ create: { count: 0, percent: 0 } }');
  const { items } = (await ask(stage, '/brakes')).answer;
  expect(items).toMatchObject([{ kind: 'create', state: 'open', count: 3 }]);
  const hash = items[0]?.hash;
  const path = `/brakes/${hash}/approve`;
  expect((await ask(stage, path, { method: 'POST', as: 'viewer', body: {} })).status).toBe(403);
  const approved = await ask(stage, path, { method: 'POST', body: {} });
  expect([approved.status, approved.answer.approved.length]).toEqual([200, 3]);
  await stage.sync();
  expect(stage.marketplace.products()).toHaveLength(3);
  expect((await ask(stage, path, { method: 'POST', body: {} })).status).toBe(409);
});

test('links are listed, removed and made again; a missing one is a problem that says so', async () => {
  const stage = await open();
  const mappings = '/accounts/main/mappings/product';
  const { items, next } = (await ask(stage, `${mappings}?limit=2`)).answer;
  const rest = (await ask(stage, `${mappings}?limit=2&after=${next}`)).answer;
  expect([items.length, rest.items.length, rest.next]).toEqual([2, 1, null]);
  const { marketplace_id: listing, erp_id: product } = items[0] ?? {};
  await ask(stage, '/accounts/main/pauses/all', { method: 'PUT', body: {} });
  const gone = await ask(stage, `${mappings}?erp_id=${product}`, { method: 'DELETE' });
  expect(gone.answer).toMatchObject({ marketplace_id: listing, found_again_by: 'external id' });
  const again = await ask(stage, mappings, { method: 'POST', body: { marketplace_id: listing, erp_id: product } });
  expect(again).toMatchObject({ status: 200, answer: { marketplace_id: listing, erp_id: product } });
  const nobody = await ask(stage, mappings, { method: 'POST', body: { marketplace_id: '99', erp_id: product } });
  expect(nobody).toMatchObject({ status: 404, type: expect.stringContaining('application/problem+json') });
  expect(nobody.answer.detail).toContain('no listing 99');
});

test('an archived listing is left so, or restored; one that is on sale is a problem that says so', async () => {
  const stage = await open();
  const { id } = stage.marketplace.productBySku('SB-0001');
  const decide = (decision: string) =>
    ask(stage, `/accounts/main/listings/${id}/archived`, { method: 'PUT', body: { decision } });
  const early = await decide('left');
  expect([early.status, early.answer.detail]).toEqual([409, `listing ${id} is not archived any more`]);
  stage.marketplace.archiveProduct(id);
  await stage.sync();
  expect(await decide('left')).toMatchObject({ status: 200, answer: { listing: id, decision: 'left' } });
  expect((await decide('asked-back')).status).toBe(200);
  await stage.sync();
  expect(stage.marketplace.productBySku('SB-0001').archived).toBe(false);
  const acts = (await ask(stage, '/audit')).answer.items.map(({ action }) => action);
  expect(acts).toEqual(expect.arrayContaining(['product.ask-back', 'product.leave-archived']));
});

test('an entity is returned with both sides and its journal', async () => {
  const stage = await open();
  const { status, answer } = await ask(stage, '/accounts/main/entities/product/P-000001');
  expect(status).toBe(200);
  expect(answer).toMatchObject({ flow: 'product', marketplace: { sku: 'SB-0001' }, erp: { sku: 'SB-0001' } });
  expect(answer.journal[0]).toMatchObject({ outcome: 'written' });
  expect((await ask(stage, '/accounts/main/entities/product/P-999')).status).toBe(404);
});

test('failed jobs are counted first, then replayed', async () => {
  const stage = await open();
  const { work } = stage.store();
  const target = { account: 'main', flow: 'product', key: 'P-000001' };
  await ask(stage, '/accounts/main/pauses/all', { method: 'PUT', body: {} });
  await work.mark([target], 'poll', 'a test');
  const row = await work.get(target);
  await work.fail(target, row?.version ?? 0, 'marketplace-unavailable', 'it was down', 5);
  const counted = await ask(stage, '/jobs/replay', { method: 'POST', body: { error: 'down', dry_run: true } });
  expect(counted.answer).toMatchObject({ dry_run: true, count: 1, acts: [] });
  const replayed = await ask(stage, '/jobs/replay', { method: 'POST', body: { jobs: ['product/P-000001', '77'] } });
  expect(replayed.answer).toMatchObject({ dry_run: false, count: 1, missing: ['77'] });
  expect(replayed.answer.acts).toHaveLength(1);
});

test.each([
  ['an unknown filter', '/journal?flw=product', 'query'],
  ['a limit that is too large', '/journal?limit=100000', 'query.limit'],
  ['a kind that is none', '/accounts/main/mappings/shoe', 'path.kind'],
])('%s is refused with its place', async (_what, path, told) => {
  const stage = await open();
  const { status, answer } = await ask(stage, path);
  expect(status).toBe(400);
  expect(answer.detail).toContain(told);
});

test('the API description names every call, its parameters and its answer', async () => {
  const stage = await open();
  const { answer } = await ask(stage, '/openapi.json', { as: 'viewer' });
  expect(answer.openapi).toBe('3.1.0');
  const named = Object.entries(answer.paths).flatMap(([path, own]) =>
    Object.keys(own).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(named.toSorted()).toEqual(['GET /live', ...ROUTES.map(({ method, path }) => `${method} ${path}`)].toSorted());
  expect(answer.paths['/accounts/{account}/pauses/{flow}']?.['put']).toMatchObject({
    operationId: 'pauseFlow',
    parameters: [{ name: 'account' }, { name: 'flow' }, { name: 'Idempotency-Key', in: 'header' }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/PauseFlowBody' } } } },
  });
  expect(answer.components.schemas['PauseFlowBody']).toMatchObject({ properties: { reason: { maxLength: 300 } } });
});

test('webhooks are listed, returned with their body and processed again, the latter for operators only', async () => {
  const stage = await open();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  const body = Buffer.from(JSON.stringify({ action: 'test', type: 'orders', data: { number } }));
  const signature = signatureOf(body, WEBHOOK_SECRET, {
    algorithm: 'hmac-sha256',
    encoding: 'base64',
    prefix: '',
  });
  const url = `${stage.app().receiverUrl}/webhooks/main/orders`;
  const headers = { 'content-type': 'application/json', 'Service-Signature': signature };
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(202);
  const listed = await until('it was looked at', async () => {
    const { items } = (await ask(stage, `/events?kind=orders&entity=${number}`)).answer as unknown as Events;
    return items.find(({ looked_at }) => looked_at !== null);
  });
  expect(listed).toMatchObject({ account: 'main', kind: 'orders', entity: number, bytes: body.length });
  expect((await ask(stage, '/events?kind=products')).answer.items).toEqual([]);
  const { id } = listed;
  expect((await ask(stage, `/events/${id}`, { as: 'viewer' })).answer).toMatchObject({ id, body: body.toString() });
  const resend = `/events/${id}/resend`;
  expect((await ask(stage, resend, { method: 'POST', as: 'viewer' })).status).toBe(403);
  expect((await ask(stage, resend, { method: 'POST' })).answer).toMatchObject({ id, waits: true });
  expect((await ask(stage, '/audit')).answer.items).toContainEqual(
    expect.objectContaining({ action: 'events.resend', key: number, outcome: 'done' }),
  );
  expect((await ask(stage, '/events/999999')).status).toBe(404);
});

interface Events {
  readonly items: readonly { readonly id: number; readonly looked_at: string | null }[];
}
