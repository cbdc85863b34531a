import { describe, expect, test } from 'vitest';
import { CallFailure, type FailureKind } from '../../../src/domain/failure.ts';
import type { MarketplaceClient } from '../../../src/marketplace/client.ts';
import { allPages } from '../../../src/use/api/call.ts';
import { findOperation } from '../../../src/use/api/request.ts';

describe('walking all pages', () => {
  const failure = (kind: FailureKind, retryAfterMs = 0): CallFailure =>
    new CallFailure(kind, { side: 'marketplace', kind, outcome: 'not-applied', retryAfterMs });

  /** Answers each call with the next of these. */
  async function walk(answers: (CallFailure | { rows: unknown[]; more: boolean })[], id = 'products.list') {
    const asked: unknown[] = [];
    const client = {
      list: async (_id: string, { query }: { query: unknown }) => {
        asked.push(query);
        const answer = answers.shift();
        if (answer === undefined || answer instanceof CallFailure) throw answer ?? new Error('one call too many');
        return { count: 9, more: answer.more, rows: answer.rows, invalidRows: [], raw: answer.rows };
      },
    } as unknown as MarketplaceClient;
    const rows: unknown[] = [];
    const request = { path: {}, query: {} };
    const pages = allPages(client, findOperation(id), request, { lane: 'operator' });
    for await (const page of pages) rows.push(...page.raw);
    return { rows, asked };
  }

  test('a page that is missing is the end of a walk over all pages', async () => {
    const { rows, asked } = await walk([{ rows: [1], more: true }, failure('not-found')]);
    expect(rows).toEqual([1]);
    expect(asked).toEqual([
      { page: 1, page_size: 500 },
      { page: 2, page_size: 500 },
    ]);
  });

  test('a list without pages is requested once, and without a position', async () => {
    const measurements = 'inventory.measurements-by-product';
    const { rows, asked } = await walk([{ rows: [1, 2], more: false }], measurements);
    expect([rows, asked]).toEqual([[1, 2], [{}]]);
    await expect(walk([failure('not-found')], measurements)).rejects.toThrow('not-found');
  });

  test('a list by offset that became shorter ends there', async () => {
    const { rows } = await walk([{ rows: [1], more: true }, failure('not-found')], 'transport-orders.list');
    expect(rows).toEqual([1]);
  });

  test('a first page that does not exist is a failure', async () => {
    await expect(walk([failure('not-found')])).rejects.toThrow('not-found');
  });

  test('a walk over all pages waits for the quota, and for nothing else', async () => {
    const { rows } = await walk([
      failure('rate-limited', 5),
      { rows: [1], more: true },
      failure('rate-limited', 5),
      { rows: [2], more: false },
    ]);
    expect(rows).toEqual([1, 2]);
    await expect(walk([{ rows: [1], more: true }, failure('unavailable')])).rejects.toThrow('unavailable');
    await expect(walk(Array.from({ length: 50 }, () => failure('rate-limited', 0)))).rejects.toThrow('rate-limited');
  });

  test('lists by offset go on where the last page ended', async () => {
    const { asked } = await walk(
      [
        { rows: [1, 2], more: true },
        { rows: [3], more: false },
      ],
      'transport-orders.list',
    );
    expect(asked).toEqual([
      { offset: 0, limit: 500 },
      { offset: 2, limit: 500 },
    ]);
  });
});
