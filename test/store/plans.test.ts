import { expect, test } from 'vitest';
import { releaseWork } from '../../src/store/sql/work.ts';
import { useShelf } from './shelf.ts';

const shelf = useShelf();

test('held work is found by its flow, however much else is held: each link asks for it', async () => {
  const { sqlite } = shelf().sqlite();
  const asked: string[] = [];
  const { prepare } = sqlite;
  sqlite.prepare = (text: string) => {
    asked.push(text);
    return prepare(text);
  };
  await shelf()
    .sqlite()
    .db.transaction((tx) => releaseWork(tx, { account: 'main', flow: 'order-out' }));
  const update = asked.find((text) => text.startsWith('update'));
  const params = Array.from({ length: update?.split('?').length ?? 0 }, () => null).slice(1);
  const plan = sqlite.prepare(`explain query plan ${update}`).all(...params) as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).toContain('(account=? AND flow=?)');
});
