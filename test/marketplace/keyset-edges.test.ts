import { describe, expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import { type KeysetStep, readKeyset } from '../../src/marketplace/keyset.ts';
import type { KeysetPage } from '../../src/marketplace/keyset-page.ts';
import { createCollection, type Habits, type Item, instantOf } from './keyset-collection.ts';

const HABITS: Habits = { rowsPerPage: 3, ties: 'by-id', ordering: 'obeyed', filter: 'obeyed' };

/** One row for each instant, in ticks after 100, with ids from 1. */
function collectionOf(ticks: readonly number[], habits: Partial<Habits> = {}) {
  const collection = createCollection({ ...HABITS, ...habits });
  for (let tick = 0; tick <= Math.max(...ticks); tick++) {
    for (const each of ticks) if (each === tick) collection.change({ kind: 'insert' });
    collection.change({ kind: 'tick' });
  }
  return collection;
}

type Fetch = (request: { from: string | null; page: number }) => Promise<KeysetPage>;

async function readAll(fetch: Fetch, place: { start?: string | null; cursor?: string | null } = {}) {
  const asked: string[] = [];
  const steps: KeysetStep<KeysetPage>[] = [];
  const { start = null, cursor = start } = place;
  const recorded: Fetch = (request) => {
    asked.push(`${request.from === null ? 'all' : request.from.slice(17, 21)} page ${request.page}`);
    if (asked.length > 200) throw new Error('the reading does not end');
    return fetch(request);
  };
  for await (const step of readKeyset({ field: 'modified', key: 'id', start, cursor, fetch: recorded }))
    steps.push(step);
  const last = steps.at(-1);
  const ids = new Set(steps.flatMap(({ page }) => (page.raw as Item[]).map(({ id }) => id)));
  return { asked, steps, last, ids: [...ids].sort((a, b) => a - b), findings: steps.map(({ finding }) => finding) };
}

const seconds = (tick: number) => instantOf(100 + tick);

test('keyset paging requests page 1 again from the last row on, until a page is the last', async () => {
  const { answer } = collectionOf([0, 1, 2, 3, 4, 5]);
  const { asked, last, ids } = await readAll(async (request) => answer(request));
  expect(asked).toEqual(['all page 1', '10.2 page 1', '10.4 page 1']);
  expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
  expect(last).toMatchObject({
    cursor: seconds(5),
    covered: { from: null, to: seconds(5) },
    finding: null,
    done: true,
  });
});

test('a keyset read without news takes one call, and the cursor does not fall back by the overlap', async () => {
  const { answer } = collectionOf([0]);
  const place = { start: seconds(20), cursor: seconds(30) };
  const { asked, steps } = await readAll(async (request) => answer(request), place);
  expect(asked).toHaveLength(1);
  expect(steps).toMatchObject([{ cursor: seconds(30), covered: { from: seconds(20), to: seconds(20) }, done: true }]);
});

test('the cursor is the text of the server, with its offset and digits unchanged', async () => {
  const raw = [
    { id: 1, modified: '2030-01-01T02:00:00.5+02:00' },
    { id: 2, modified: '2030-01-01T00:00:01Z' },
  ];
  const { last, findings } = await readAll(async () => ({ raw, count: 2, more: false }));
  expect(last?.cursor).toBe('2030-01-01T00:00:01Z');
  expect(findings).toEqual([null]);
});

test('one row without an instant does not cause a full read', async () => {
  const raw = [{ id: 1, modified: seconds(0) }, { id: 2, modified: null }, { id: 3, modified: seconds(1) }, 'no row'];
  const { asked, findings } = await readAll(async ({ from }) => ({ raw, count: 9, more: from === null }));
  expect(asked).toEqual(['all page 1', '10.1 page 1']);
  expect(findings).toEqual([null, null]);
});

test('rows that were removed between two answers cost one more call', async () => {
  const collection = collectionOf([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  let calls = 0;
  const { asked, ids, findings } = await readAll(async (request) => {
    if (++calls === 2) collection.change({ kind: 'remove', pick: 7 });
    return collection.answer(request);
  });
  expect(asked).toEqual(['all page 1', '10.2 page 1', 'all page 1', '10.2 page 1', '10.4 page 1', '10.6 page 1']);
  expect(ids).toEqual(expect.arrayContaining(collection.now().map(({ id }) => id)));
  expect(findings.every((finding) => finding === null)).toBe(true);
});

test('a failed page fails the read, also when page 1 is not found', async () => {
  for (const kind of ['not-found', 'unavailable'] as const) {
    const failure = new CallFailure('no', { side: 'marketplace', kind, outcome: 'unknown' });
    await expect(readAll(() => Promise.reject(failure))).rejects.toBe(failure);
  }
});

describe('tie group', () => {
  const TIED = [0, 1, 1, 1, 1, 1, 1, 1, 2, 3];

  test('the pages of a tie group are read until two walks agree, then the reading goes on behind it', async () => {
    const { answer } = collectionOf(TIED);
    const { asked, ids, last, findings } = await readAll(async (request) => answer(request));
    expect(asked).toEqual([
      'all page 1',
      '10.1 page 1',
      ...[2, 3, 2, 1].map((page) => `10.1 page ${page}`),
      ...[3, 2, 1].map((page) => `10.1 page ${page}`),
      '10.3 page 1',
    ]);
    expect(ids).toHaveLength(TIED.length);
    expect(findings).toContain('tie-group');
    expect(last).toMatchObject({ cursor: seconds(3), finding: null, done: true });
  });

  test('a tie group at the end of the collection is read completely', async () => {
    const { answer } = collectionOf([0, 1, 1, 1, 1, 1, 1]);
    const { ids, last } = await readAll(async (request) => answer(request));
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(last).toMatchObject({ cursor: seconds(1), finding: 'tie-group', done: true });
  });

  test('a missing page of a tie group means that the collection shrank, not that it ends', async () => {
    const collection = collectionOf(TIED);
    let calls = 0;
    const { ids, last } = await readAll(async (request) => {
      // Just before page 3 is asked for, rows 3 to 7 leave the group and stay away.
      if (++calls === 4) for (let row = 0; row < 5; row++) collection.change({ kind: 'remove', pick: 2 });
      return collection.answer(request);
    });
    expect(ids).toEqual(expect.arrayContaining(collection.now().map(({ id }) => id)));
    expect(last).toMatchObject({ finding: null, done: true });
  });

  test('a tie group that keeps changing is given up, and the cursor stays before it', async () => {
    let calls = 0;
    // Another row hides behind every answer.
    const { last, asked } = await readAll(async ({ page }) => {
      const id = ++calls;
      const raw = [id, id + 1_000].map((each) => ({ id: each, modified: seconds(1) }));
      return { raw, count: 6, more: page < 3 };
    });
    expect(asked.length).toBeLessThan(30);
    expect(last).toMatchObject({ cursor: seconds(1), finding: 'unstable', done: true });
  });

  test('a tie group with a wrong total count is rejected', async () => {
    const rows = [1, 2, 3, 4].map((id) => ({ id, modified: seconds(1) }));
    const { last } = await readAll(async ({ page }) => {
      return { raw: rows.slice(2 * page - 2, 2 * page), count: 5, more: page < 2 };
    });
    expect(last).toMatchObject({ finding: 'unstable', done: true });
  });

  test('a tie group does not end at a row without an instant', async () => {
    const rows = [1, 2, 3, 4, 5, 6].map((id) => ({ id, modified: id === 4 ? null : seconds(id < 6 ? 1 : 2) }));
    const { last, ids } = await readAll(async ({ from, page }) => {
      const left = from === seconds(2) ? rows.slice(5) : rows;
      return { raw: left.slice(2 * page - 2, 2 * page), count: left.length, more: left.length > 2 * page };
    });
    expect(ids).toEqual([1, 2, 3, 4, 5, 6]);
    expect(last).toMatchObject({ cursor: seconds(2), finding: null, done: true });
  });

  test('an endless tie group is given up after a limit', async () => {
    let calls = 0;
    let last: KeysetStep<KeysetPage> | null = null;
    const fetch = async () => {
      if (++calls > 100_000) throw new Error('the reading does not end');
      return { raw: [{ id: calls, modified: seconds(1) }], count: 1_000_000_000, more: true };
    };
    for await (const step of readKeyset({ field: 'modified', key: 'id', start: null, cursor: null, fetch }))
      last = step;
    expect(last).toMatchObject({ cursor: seconds(1), finding: 'unstable', done: true });
  });
});

test('a server that ignores the order is read completely in both directions, and the cursor moves only at the end', async () => {
  const collection = collectionOf([0, 1, 2, 3, 4, 5, 6], { ordering: 'ignored' });
  collection.change({ kind: 'touch', pick: 1, rows: 1 });
  const { asked, steps, ids } = await readAll(async (request) => collection.answer(request));
  expect(asked).toEqual(['all page 1', 'all page 2', 'all page 3', 'all page 2', 'all page 1']);
  expect(ids).toHaveLength(7);
  expect(steps.map(({ cursor }) => cursor)).toEqual([null, null, null, null, seconds(7)]);
  expect(steps.every(({ finding }) => finding === 'unsorted')).toBe(true);
});

test('a server that is found out late to ignore the order is read completely from the beginning of the read', async () => {
  const collection = collectionOf([0, 1, 2, 3, 4, 5, 6], { ordering: 'ignored' });
  collection.change({ kind: 'touch', pick: 4, rows: 1 });
  const start = seconds(-5);
  const { asked, steps, ids } = await readAll(async (request) => collection.answer(request), { start });
  // Rows 3 to 5 look sorted; but behind them only row 5 itself is left, twice in a row.
  expect(asked.slice(1, 5)).toEqual(['10.2 page 1', '10.7 page 1', '10.2 page 1', '10.7 page 1']);
  expect(asked.slice(5)).toEqual([1, 2, 3, 2, 1].map((page) => `09.5 page ${page}`));
  expect(ids).toHaveLength(7);
  expect(steps.at(-2)?.cursor).toBe(start);
  expect(steps.at(-1)).toMatchObject({ cursor: seconds(7), finding: 'unsorted', done: true });
});

test('changes during the second walk are not passed by the cursor', async () => {
  const collection = collectionOf([0, 1, 2, 3, 4, 5, 6], { ordering: 'ignored' });
  collection.change({ kind: 'touch', pick: 1, rows: 1 });
  let calls = 0;
  const { last } = await readAll(async (request) => {
    // Page 3 was read in the walk up and is not read again; then page 1 shows something newer.
    if (++calls === 4) {
      collection.change({ kind: 'tick' });
      collection.change({ kind: 'touch', pick: 6, rows: 1 });
      collection.change({ kind: 'tick' });
      collection.change({ kind: 'touch', pick: 0, rows: 1 });
    }
    return collection.answer(request);
  });
  expect(last?.cursor).toBe(seconds(7));
});

test('a server that ignores the filter is noticed by rows from before the start', async () => {
  const { answer } = collectionOf([0, 1, 2, 30, 31], { filter: 'ignored' });
  const { findings, last } = await readAll(async (request) => answer(request), { start: seconds(30) });
  expect(new Set(findings)).toEqual(new Set(['filter-ignored']));
  expect(last).toMatchObject({ cursor: seconds(31), done: true });
});

test('a list without the time field is read completely, and the cursor stays', async () => {
  const raw = [{ id: 1 }, { id: 2 }];
  const { asked, last } = await readAll(async ({ page }) => ({ raw, count: 4, more: page < 2 }));
  expect(asked).toEqual(['all page 1', 'all page 2', 'all page 1']);
  expect(last).toMatchObject({ cursor: null, finding: 'unsorted', done: true });
});

test('an empty page that promises more is the end of a list', async () => {
  const { asked, last } = await readAll(async () => ({ raw: [], count: 0, more: true }));
  expect(asked).toHaveLength(1);
  expect(last).toMatchObject({ cursor: null, done: true });
});

test('an empty page of a full list that counts rows is no empty list', async () => {
  const reading = readAll(async () => ({ raw: [], count: 3, more: false }));
  await expect(reading).rejects.toThrow('says that it has 3 rows, and shows none');
});

test('a full list that fits on one page takes one call', async () => {
  const raw = [
    { id: 1, modified: seconds(2) },
    { id: 2, modified: seconds(1) },
  ];
  const { asked, last } = await readAll(async () => ({ raw, count: 2, more: false }));
  expect(asked).toHaveLength(1);
  expect(last).toMatchObject({ cursor: seconds(2), finding: 'unsorted', done: true });
});
