import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../../src/store/record.ts';
import { useShelf } from '../shelf.ts';

const shelf = useShelf();
const inbox = () => shelf().store.inbox;
const journal = () => shelf().store.journal;

describe('webhook deliveries', () => {
  const delivery = (text: string, kind: 'orders' | 'products' = 'orders', account = 'main') => ({
    account,
    kind,
    body: Buffer.from(text),
    receivedAtMs: shelf().nowMs,
  });
  const waiting = async (account = 'main') => {
    const rows = await inbox().unprocessed(account, 'orders', 10);
    return rows.map((row) => row.body.toString());
  };

  test('webhook deliveries are stored byte for byte, oldest first, and each body once', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, 0]);
    expect(await inbox().store([delivery('{"a":1}'), delivery('{"a":1}'), { ...delivery(''), body: bytes }])).toEqual([
      'stored',
      'duplicate',
      'stored',
    ]);
    expect(await inbox().store([delivery('{"a":1}')])).toEqual(['duplicate']);
    const rows = await inbox().unprocessed('main', 'orders', 10);
    expect(rows.map((row) => row.body)).toEqual([Buffer.from('{"a":1}'), bytes]);
  });

  test('webhook deliveries are told apart by kind, account and spelling', async () => {
    const all = [delivery('{}'), delivery('{}', 'products'), delivery('{}', 'orders', 'other'), delivery('{ }')];
    expect(await inbox().store(all)).toEqual(['stored', 'stored', 'stored', 'stored']);
    expect(await waiting()).toEqual(['{}', '{ }']);
    expect(await waiting('other')).toEqual(['{}']);
    expect(await inbox().unprocessed('main', 'products', 10)).toHaveLength(1);
  });

  test('a processed webhook delivery no longer waits, and its replay is a duplicate', async () => {
    await inbox().store([delivery('1'), delivery('2')]);
    const [first] = await inbox().unprocessed('main', 'orders', 1);
    await inbox().processed([{ id: first?.id ?? 0, entity: null }]);
    await inbox().processed([]);
    expect(await waiting()).toEqual(['2']);
    expect(await inbox().store([delivery('1')])).toEqual(['duplicate']);
  });

  test('a reopened webhook delivery waits again if it was processed, and one that waits stays unchanged', async () => {
    await inbox().store([delivery('1'), delivery('2')]);
    const [first] = await inbox().unprocessed('main', 'orders', 1);
    await inbox().processed([{ id: first?.id ?? 0, entity: null }]);
    expect(await inbox().reopen(delivery('1'))).toBe(true);
    expect(await inbox().reopen(delivery('2'))).toBe(false);
    expect(await inbox().reopen(delivery('3'))).toBe(false);
    expect(await waiting()).toEqual(['1', '2']);
  });

  test('processed webhook deliveries are found by their entity, newest first, and by their number with the body', async () => {
    await inbox().store([delivery('1'), delivery('22'), delivery('3', 'products'), delivery('4', 'orders', 'other')]);
    const [first, second] = await inbox().unprocessed('main', 'orders', 2);
    await inbox().processed([
      { id: first?.id ?? 0, entity: 'o-1' },
      { id: second?.id ?? 0, entity: 'o-1' },
    ]);
    const found = await inbox().latest(10, { accounts: ['main'], kind: 'orders', entities: ['o-1', 'o-9'] });
    expect(found.map(({ id, bytes, entity }) => [id, bytes, entity])).toEqual([
      [second?.id, 2, 'o-1'],
      [first?.id, 1, 'o-1'],
    ]);
    expect(await inbox().latest(10, {}, first?.id)).toEqual([]);
    expect(await inbox().latest(1, {})).toMatchObject([{ account: 'other', entity: null, processedAtMs: null }]);
    const after = await inbox().after(first?.id ?? 0, 2, { accounts: ['main'] });
    expect(after.map(({ kind }) => kind)).toEqual(['orders', 'products']);
    expect((await inbox().get(second?.id ?? 0))?.body.toString()).toBe('22');
    expect(await inbox().get(999)).toBeNull();
  });

  test('a webhook delivery is processed again on request, with a record, unless it waits anyway', async () => {
    await inbox().store([delivery('1')]);
    const [first] = await inbox().unprocessed('main', 'orders', 1);
    const id = first?.id ?? 0;
    expect(await inbox().resend(id, 'ada')).toBe(false);
    await inbox().processed([{ id, entity: 'o-1' }]);
    expect(await inbox().resend(id, 'ada')).toBe(true);
    expect(await inbox().resend(999, 'ada')).toBe(false);
    expect(await waiting()).toEqual(['1']);
    expect(await shelf().store.audit.about('main', ['o-1', 'o-2'], 10)).toMatchObject([
      { who: 'ada', action: 'events.resend', key: 'o-1', outcome: 'done' },
    ]);
    expect(await shelf().store.audit.about('main', ['o-2'], 10)).toEqual([]);
  });

  test('webhook deliveries are removed some time after they were processed, and never before', async () => {
    await inbox().store([delivery('1'), delivery('2')]);
    const [first] = await inbox().unprocessed('main', 'orders', 1);
    await inbox().processed([{ id: first?.id ?? 0, entity: null }]);
    await inbox().prune(shelf().nowMs);
    expect(await inbox().store([delivery('1')])).toEqual(['duplicate']);
    await inbox().prune(shelf().nowMs + 1);
    expect(await waiting()).toEqual(['2']);
    expect(await inbox().store([delivery('1')])).toEqual(['stored']);
  });
});

describe('the journal', () => {
  const entry = (changes: Partial<JournalEntry> = {}): JournalEntry => ({
    account: 'main',
    flow: 'product',
    key: 'P-1',
    action: 'product.archive:archive',
    target: 'listing 70',
    before: 'listed',
    after: 'archived',
    why: 'deleted in the ERP',
    outcome: 'written',
    answer: 'ok',
    ...changes,
  });
  const add = async (...entries: Partial<JournalEntry>[]) => {
    for (const each of entries) await journal().add(entry(each));
  };
  const written = async (sinceMs = 0) => (await journal().written('main', 'product.archive:archive', sinceMs)).length;

  test('the journal lists the old and new value, the reason, the answer and the time, latest first', async () => {
    await add({});
    shelf().nowMs += 5;
    await add({ after: 'listed' });
    expect(await journal().of('main', 'product', 'P-1', 10)).toMatchObject([
      { after: 'listed', atMs: shelf().nowMs },
      { ...entry(), atMs: shelf().nowMs - 5 },
    ]);
    expect(await journal().of('main', 'product', 'P-1', 1)).toHaveLength(1);
    const earlier = await journal().of('main', 'product', 'P-1', 10, shelf().nowMs - 1);
    expect(earlier.map(({ after }) => after)).toEqual(['archived']);
  });

  test('the journal can be followed in the order of writing', async () => {
    await add({ key: 'a' }, { key: 'b' }, { key: 'c' });
    const [first] = await journal().after(0, 1);
    expect((await journal().after(first?.id ?? 0, 10)).map((row) => row.key)).toEqual(['b', 'c']);
    const [newest] = await journal().before(null, 1);
    expect(newest?.key).toBe('c');
    expect((await journal().before(newest?.id ?? 0, 10)).map((row) => row.key)).toEqual(['b', 'a']);
  });

  test('the journal limits the length of an answer', async () => {
    await add({ answer: 'x'.repeat(100_000), before: 'y'.repeat(100_000) });
    const [row] = await journal().of('main', 'product', 'P-1', 1);
    expect([row?.answer.length, row?.before?.length]).toEqual([4_000, 4_000]);
  });

  test('the journal counts for brakes what was written, and what may have been', async () => {
    await add(
      { target: 'listing 1' },
      { target: 'listing 2', outcome: 'unknown' },
      { target: 'listing 3', outcome: 'refused' },
      { target: 'listing 4', outcome: 'dry-run' },
      { target: 'listing 5', action: 'product.patch:price' },
      { target: 'listing 6', account: 'other' },
    );
    expect(await written()).toBe(2);
  });

  test('the journal counts a repeated write once, and a later equal write again', async () => {
    await add({ outcome: 'unknown' }, { outcome: 'unknown' }, {});
    expect(await written()).toBe(1);
    await add({ after: 'archived for good' }, { after: null });
    expect(await written()).toBe(3);
  });

  test('the journal counts writes over a rolling day', async () => {
    await add({ target: 'listing 1' });
    const beganMs = shelf().nowMs;
    shelf().nowMs += 1;
    await add({ target: 'listing 2' });
    expect([await written(beganMs), await written(beganMs + 1), await written(beganMs + 2)]).toEqual([2, 1, 0]);
  });

  test('journal entries are kept for the configured time', async () => {
    await add({ key: 'old' });
    shelf().nowMs += 1;
    await add({ key: 'new' });
    await journal().prune(shelf().nowMs);
    expect((await journal().after(0, 10)).map((row) => row.key)).toEqual(['new']);
  });
});
