import { readFileSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openStage, type Stage, until } from '../support/stage.ts';

const [VIEWER, OPERATOR] = ['the-viewer-token', 'an-operator-token'];

async function open(): Promise<Stage> {
  const stage = await openStage();
  const admin = `admin: { listen: 127.0.0.1:0, viewer_token: ${VIEWER}, operator_token: ${OPERATOR} }`;
  const yaml = readFileSync(stage.configFile, 'utf8').replace('admin: { listen: 127.0.0.1:0 }', admin);
  writeFileSync(stage.configFile, yaml);
  stage.erp.control.seed(2);
  await stage.start();
  return stage;
}

interface Event {
  readonly id: number | null;
  readonly data: { readonly id: number; readonly action: string; readonly outcome: string };
}

/** Listens, and gathers the events. */
async function listen(stage: Stage, headers: Record<string, string> = {}, token = VIEWER) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const { signal } = abort;
  const authorization = `Bearer ${token}`;
  const answer = await fetch(`${stage.app().adminUrl}/api/v1/live`, { headers: { authorization, ...headers }, signal });
  const events: Event[] = [];
  let isOver = false;
  const read = async () => {
    let text = '';
    for await (const chunk of (answer.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        const id = /^id: (\d+)$/m.exec(part)?.[1];
        if (data !== undefined)
          events.push({ id: id === undefined ? null : Number(id), data: JSON.parse(data) as Event['data'] });
      }
    }
  };
  read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  return { status: answer.status, events, leave: () => abort.abort(), isOver: () => isOver };
}

test('every entry of the journal is sent to all listeners, once and in order, and a reconnect gets the missed ones', async () => {
  const stage = await open();
  const [one, other] = [await listen(stage), await listen(stage)];
  await stage.sync();
  await until('both listings are told', () => one.events.filter(({ data }) => data.outcome === 'written').length >= 2);
  const ids = (of: typeof one) => of.events.flatMap(({ id }) => id ?? []);
  await until('the other one is told the same', () => ids(other).length === ids(one).length);
  expect(ids(other)).toEqual(ids(one));
  expect(ids(one)).toEqual([...new Set(ids(one))].toSorted((a, b) => a - b));
  // A write that has ended comes once more, without the id of an event.
  for (const { id, data } of one.events) if (id !== null) expect(id).toBe(data.id);
  one.leave();
  const [first = 0] = ids(other);
  stage.erp.control.setStock('SB-0001', '77');
  await until('it is written', () => other.events.some(({ data }) => data.action.startsWith('stock.write')));
  const back = await listen(stage, { 'last-event-id': String(first) });
  await until('all is told', () => ids(back).length >= ids(other).length - 1);
  expect(ids(back)).toEqual(ids(other).slice(1));
});

test('no listener is accepted without a token, for another account or beyond the limit, and all end when the daemon stops', async () => {
  const stage = await open();
  const url = `${stage.app().adminUrl}/api/v1/live`;
  expect((await fetch(url)).status).toBe(401);
  const headers = { authorization: `Bearer ${VIEWER}` };
  expect((await fetch(`${url}?account=other`, { headers })).status).toBe(404);
  expect((await fetch(`${url}?acount=main`, { headers })).status).toBe(400);
  const all = await Promise.all(Array.from({ length: 50 }, () => listen(stage)));
  expect((await listen(stage)).status).toBe(503);
  // Nobody keeps the others out.
  const another = await listen(stage, {}, OPERATOR);
  expect(another.status).toBe(200);
  all[0]?.leave();
  await until('there is room again', async () => {
    const { status, leave } = await listen(stage);
    leave();
    return status === 200;
  });
  await stage.stop();
  await until('all have ended', () => [...all, another].every(({ isOver }) => isOver()));
});
