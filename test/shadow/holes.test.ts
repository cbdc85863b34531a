import { expect, test } from 'vitest';
import { holesOf, readHole } from '../../src/shadow/holes.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { at, useShelf } from '../store/shelf.ts';

const shelf = useShelf();

/** Pages of one row each, a minute apart. */
async function* rowsFrom(start: string | null) {
  const first = start === null ? 0 : new Date(start).getUTCMinutes();
  for (let minute = first; minute < 60; minute += 1) {
    yield { covered: { from: start, to: at(minute) }, page: { raw: [{}] } };
  }
}

test('a hole is read a few pages per pass, and each pass goes on where the last one ended', async () => {
  const { store } = shelf();
  const context = accountContext(store, accountConfig());
  const window = { account: 'main', collection: 'orders', rows: 1, finding: null, cursor: null };
  await store.cursors.record({ ...window, from: null, to: at(10) });
  await store.cursors.record({ ...window, from: at(20), to: at(30) });
  const left: unknown[] = [];
  let pages = 0;
  for (let pass = 0; pass < 10; pass += 1) {
    left.push((await holesOf(context, 'orders')).map(({ from, to }) => [from, to]));
    await readHole(context, 'orders', rowsFrom, async ({ covered }) => {
      pages += 1;
      await store.cursors.record({ ...window, ...covered, finding: 'hole' });
    });
  }
  expect(left.slice(0, 5)).toEqual([
    [[at(10), at(20)]],
    [[at(13), at(20)]],
    [[at(16), at(20)]],
    [[at(19), at(20)]],
    [],
  ]);
  expect(pages).toBe(4 + 4 + 4 + 2);
  expect(await store.cursors.windows('main', 'orders')).toMatchObject([{ fromInstant: null, toInstant: at(30) }]);
  expect(await store.journal.of('main', 'read', 'orders', 10)).toHaveLength(4);
});

test('the record of covered times stays bounded, however many holes there are', async () => {
  const { store } = shelf();
  const window = { account: 'main', collection: 'orders', rows: 1, finding: null, cursor: null };
  for (let day = 0; day < 300; day += 1) {
    const instant = new Date(Date.UTC(2030, 0, 1 + day)).toISOString();
    await store.cursors.record({ ...window, from: instant, to: instant });
  }
  expect((await store.cursors.windows('main', 'orders')).length).toBeLessThanOrEqual(201);
});
