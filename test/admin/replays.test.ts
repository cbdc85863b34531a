import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage, until } from '../support/stage.ts';

const TOKEN = 'an-operator-token';

interface Task {
  readonly id: number;
  readonly state: string;
}

test('the failed jobs of a filter are replayed as a task, which reports how each ended; the others stay', async () => {
  const stage = await openStage();
  const admin = `admin: { listen: 127.0.0.1:0, operator_token: ${TOKEN} }`;
  const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
  writeFileSync(stage.configFile, yaml);
  stage.erp.control.seed(3);
  await stage.start();
  await stage.sync();
  const { work, audit } = stage.store();
  for (const [key, message] of [
    ['P-000001', 'it was down'],
    ['P-000002', 'it was down'],
    ['P-000003', 'it was refused'],
  ] as const) {
    const target = { account: 'main', flow: 'product', key };
    await work.mark([target], 'poll', 'a test');
    await until('it has failed', async () => {
      const row = await work.get(target);
      if (row === null) await work.mark([target], 'poll', 'a test');
      else await work.fail(target, row.version, 'marketplace-unavailable', message, 5);
      return (await work.failed(target)).length > 0;
    });
  }
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${stage.app().adminUrl}/api/v1/accounts/main${path}`, { method, headers, ...sent });
    return (await answer.json()) as Task & { items: Task[] };
  };
  const { id } = await call('POST', '/replays', { error: 'it was down' });
  const ended = await until('the task ends', async () =>
    (await call('GET', '/tasks')).items.find((task) => task.id === id && task.state !== 'running'),
  );
  expect(ended).toMatchObject({ state: 'done', done: 2, total: 2, said: '2 jobs replayed: 2 in-sync.' });
  expect((await work.failed()).map(({ key }) => key)).toEqual(['P-000003']);
  expect((await audit.latest(10)).filter(({ who }) => who === 'operator token').length).toBeGreaterThanOrEqual(2);
});
