import { expect, test } from 'vitest';
import { alertsOf, noteQuota } from '../../src/shadow/alerts.ts';
import { useShelf } from '../store/shelf.ts';

const shelf = useShelf();

test('impossible quota figures raise an alert for an hour', async () => {
  const main = { account: 'main', store: shelf().store };
  const codes = async () => (await alertsOf(main)).flatMap(({ causes }) => causes.map(({ code }) => code));
  await noteQuota(main, null);
  expect(await codes()).toEqual([]);
  await noteQuota(main, 0);
  expect(await codes()).toEqual(['quota-untrue']);
  await noteQuota(main, 3_599_999);
  expect(await codes()).toEqual(['quota-untrue']);
  await noteQuota(main, 3_600_000);
  expect(await codes()).toEqual([]);
});
