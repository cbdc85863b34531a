import { expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import { EMPTY_PAGE, type ListPage } from '../../src/marketplace/page.ts';
import { eachPage } from '../../src/shadow/pages.ts';

const list = { of: 'brands', maxPages: 3 };

function page(rows: readonly number[], more: boolean): ListPage<number> {
  return { ...EMPTY_PAGE, count: 1_000, rows, more };
}

async function rowsOf(pages: AsyncIterable<ListPage<number>>): Promise<number[]> {
  const rows: number[] = [];
  for await (const one of pages) rows.push(...one.rows);
  return rows;
}

function notFound(): CallFailure {
  return new CallFailure('no such page', {
    side: 'marketplace',
    kind: 'not-found',
    outcome: 'not-applied',
    status: 404,
  });
}

test('every page of a list is requested once, until one says that none follows', async () => {
  const asked: number[] = [];
  const fetch = async (number: number) => {
    asked.push(number);
    return page([number], number < 3);
  };
  expect(await rowsOf(eachPage(list, fetch))).toEqual([1, 2, 3]);
  expect(asked).toEqual([1, 2, 3]);
});

test('a page that is missing when it is requested is the end of the list', async () => {
  const fetch = async (number: number) => {
    if (number === 2) throw notFound();
    return page([number], true);
  };
  expect(await rowsOf(eachPage(list, fetch))).toEqual([1]);
});

test('a first page that does not exist fails the read, and so does any other failure', async () => {
  const gone = async () => Promise.reject(notFound());
  await expect(rowsOf(eachPage(list, gone))).rejects.toThrow('no such page');
  const broken = async (number: number) => (number === 1 ? page([1], true) : Promise.reject(new Error('broken')));
  await expect(rowsOf(eachPage(list, broken))).rejects.toThrow('broken');
});

test('a list that does not end is an error that says what to do', async () => {
  const endless = async (number: number) => page([number], true);
  await expect(rowsOf(eachPage({ ...list, mend: 'set x' }, endless))).rejects.toThrow(
    "the marketplace's list of brands has not ended after 3 pages: set x",
  );
});
