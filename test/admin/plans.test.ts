import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, type Stage, until } from '../support/stage.ts';

const TOKENS = { operator: 'an-operator-token', viewer: 'the-viewer-token' };

async function open(products: number): Promise<Stage> {
  const stage = await openStage();
  const admin = `admin: { listen: 127.0.0.1:0, operator_token: ${TOKENS.operator}, viewer_token: ${TOKENS.viewer} }`;
  const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
  writeFileSync(stage.configFile, yaml);
  stage.erp.control.seed(products);
  await stage.start();
  await stage.sync();
  return stage;
}

interface Task {
  readonly id: number;
  readonly state: string;
  readonly said: string;
  readonly plan: number;
  readonly done: number;
  readonly total: number | null;
}

interface Kept {
  readonly hash: string;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly approved: { readonly by: string } | null;
  readonly applied: { readonly written: number; readonly left: number } | null;
}

function caller(stage: Stage) {
  const call = async (method: string, path: string, body?: unknown, as: keyof typeof TOKENS = 'operator') => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { authorization: `Bearer ${TOKENS[as]}`, ...type };
    const answer = await fetch(`${stage.app().adminUrl}/api/v1/accounts/main${path}`, { method, headers, ...json });
    return { status: answer.status, answer: (await answer.json()) as never };
  };
  const ended = ({ id }: Task) =>
    until('the task ends', async () => {
      const { items } = (await call('GET', '/tasks')).answer as { items: Task[] };
      return items.find((task) => task.id === id && task.state !== 'running');
    });
  const made = async (body: object) => {
    const task = await ended((await call('POST', '/plans', body)).answer);
    return { task, plan: (await call('GET', `/plans/${task.plan}`)).answer as Kept };
  };
  return { call, ended, made };
}

test('a plan is made on a copy, listed by part, approved by its hash, and exactly it is written although all is paused', async () => {
  const stage = await open(3);
  const { call, ended, made } = caller(stage);
  await call('PUT', '/pauses/all', {});
  stage.erp.control.setStock('SB-0001', '0');
  stage.erp.control.setStock('SB-0002', '777');
  await stage.sync();
  const asItIs = await made({});
  expect(asItIs.plan.summary).toMatchObject({ writes: 2, stopped: 2 });
  const { task, plan } = await made({ lift_pauses: true });
  expect(task).toMatchObject({ state: 'done', said: '2 writes planned.' });
  expect(plan.summary).toMatchObject({ writes: 2, stopped: 0, zeroed: 1, actions: { 'stock.write': 2 } });
  const changes = (await call('GET', `/plans/${task.plan}/changes?kind=stock.write&sku=SB-0002`, undefined, 'viewer'))
    .answer;
  expect(changes).toMatchObject({ items: [{ flow: 'stock', actions: [{ after: '777' }] }], next: null });

  // Another figure changes after the plan. Its write is not in the plan, and waits.
  stage.erp.control.setStock('SB-0003', '888');
  await until('it is seen', async () => (await stage.store().erp.productsBySku('main', 'SB-0003')).length > 0);
  const path = `/plans/${task.plan}`;
  const { hash } = plan;
  expect((await call('POST', `${path}/apply`, { hash })).status).toBe(409);
  expect((await call('POST', `${path}/approve`, { hash: '0'.repeat(16) })).status).toBe(409);
  expect((await call('POST', `${path}/approve`, { hash }, 'viewer')).status).toBe(403);
  expect((await call('POST', `${path}/approve`, { hash })).answer).toMatchObject({
    approved: { by: 'operator token' },
  });
  const result = await ended((await call('POST', `${path}/apply`, { hash })).answer);
  expect(result).toMatchObject({ state: 'done', said: '2 writes made, 0 left.', done: 2, total: 2 });
  expect((await call('GET', path)).answer).toMatchObject({ applied: { written: 2, left: 0 } });
  expect(stage.marketplace.productBySku('SB-0002').available).toBe('777');
  expect(stage.marketplace.productBySku('SB-0001').available).toBe('0');
  expect(stage.marketplace.productBySku('SB-0003').available).not.toBe('888');
  expect((await call('POST', `${path}/apply`, { hash })).status).toBe(409);
  const acts = (await stage.store().audit.latest(20)).map(({ action, who }) => `${action} ${who}`);
  for (const act of ['plan.make', 'plan.approve', 'plan.apply', 'plan.applied'])
    expect(acts).toContain(`${act} operator token`);
});

test('a write that changed since the plan is left out, and reported', async () => {
  const stage = await open(2);
  const { call, ended, made } = caller(stage);
  await call('PUT', '/pauses/all', {});
  stage.erp.control.setStock('SB-0001', '50');
  await stage.sync();
  const { task, plan } = await made({ lift_pauses: true });
  stage.erp.control.setStock('SB-0001', '40');
  await stage.sync();
  const { hash } = plan;
  await call('POST', `/plans/${task.plan}/approve`, { hash });
  const result = await ended((await call('POST', `/plans/${task.plan}/apply`, { hash })).answer);
  expect(result.said).toBe('0 writes made, 1 left.');
  expect(stage.marketplace.productBySku('SB-0001').available).not.toBe('50');
  const { answer } = await call('GET', `/plans/${task.plan}`);
  expect(answer).toMatchObject({
    applied: { first_left: [{ after: '50', state: 'held', causes: [{ code: 'paused' }] }] },
  });
});

test('a plan that is kept is approved without single items, and only the others are written', async () => {
  const stage = await open(3);
  const { call, ended, made } = caller(stage);
  await call('PUT', '/pauses/all', {});
  for (const sku of ['SB-0001', 'SB-0002', 'SB-0003']) stage.erp.control.setStock(sku, '777');
  await stage.sync();
  const { task, plan } = await made({ lift_pauses: true });
  expect(plan.summary).toMatchObject({ writes: 3 });
  const path = `/plans/${task.plan}`;
  const approve = (except: string[]) => call('POST', `${path}/approve`, { hash: plan.hash, except });
  expect((await approve(['stock/P-99'])).status).toBe(404);
  expect((await approve([1, 2, 3].map((at) => `stock/P-00000${at}`))).answer).toMatchObject({
    detail: expect.stringContaining('is left to approve'),
  });
  expect((await approve(['stock/P-000002'])).answer).toMatchObject({ approved: { excepted: ['stock/P-000002'] } });
  const result = await ended((await call('POST', `${path}/apply`, { hash: plan.hash })).answer);
  expect(result).toMatchObject({ state: 'done', said: '2 writes made, 0 left.', total: 2 });
  expect([1, 2, 3].map((at) => stage.marketplace.productBySku(`SB-000${at}`).available === '777')).toEqual([
    true,
    false,
    true,
  ]);
  expect((await stage.store().audit.latest(20)).find(({ action }) => action === 'plan.approve')).toMatchObject({
    after: 'without stock/P-000002',
  });
});

test('an account has one task at a time, which can be cancelled', async () => {
  const stage = await open(40);
  const { call, ended } = caller(stage);
  await call('PUT', '/pauses/all', {});
  for (let at = 1; at <= 40; at++) stage.erp.control.setStock(`SB-${String(at).padStart(4, '0')}`, String(1000 + at));
  await stage.sync();
  const first = (await call('POST', '/plans', { lift_pauses: true })).answer as Task;
  expect((await call('POST', '/plans', {})).status).toBe(503);
  expect((await call('DELETE', `/tasks/${first.id}`, undefined, 'viewer')).status).toBe(403);
  expect((await call('DELETE', `/tasks/${first.id}`)).status).toBe(200);
  expect(await ended(first)).toMatchObject({ state: 'cancelled', said: 'It was cancelled.' });
});

test('a daemon that writes nothing applies nothing', async () => {
  const stage = await open(1);
  const { call, made } = caller(stage);
  await call('PUT', '/pauses/all', {});
  stage.erp.control.setStock('SB-0001', '5');
  await stage.sync();
  const { task, plan } = await made({ lift_pauses: true });
  await call('POST', `/plans/${task.plan}/approve`, { hash: plan.hash });
  await stage.stop();
  const yaml = readFileSync(stage.configFile, 'utf8').replace('mode: live', 'mode: dry-run');
  writeFileSync(stage.configFile, yaml);
  await stage.start();
  const { status, answer } = await call('POST', `/plans/${task.plan}/apply`, { hash: plan.hash });
  expect([status, (answer as { detail: string }).detail]).toEqual([409, expect.stringContaining('mode: live')]);
});
