import { expect, test } from 'vitest';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();

test('facts of one name are found in every account that has them', async () => {
  const { facts } = shelf().store;
  await facts.set('north', 'weather', 'rain');
  await facts.set('south', 'weather', 'sun');
  await facts.set('south', 'weather:tomorrow', 'fog');
  await facts.set('west', 'weather', 'wind');
  await facts.clear('west', 'weather');
  const found = await facts.named('weather');
  expect(found.toSorted((a, b) => a.account.localeCompare(b.account))).toEqual([
    { account: 'north', value: 'rain' },
    { account: 'south', value: 'sun' },
  ]);
  expect(await facts.named('news')).toEqual([]);
});
