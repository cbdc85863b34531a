import { expect, test } from 'vitest';
import { CallFailure } from '../../src/domain/failure.ts';
import { readKeyset } from '../../src/marketplace/keyset.ts';

test('a list that never ends is given up after a number of pages; the rows read so far are kept', async () => {
  let pages = 0;
  const fetch = async () => {
    pages += 1;
    const modified = new Date(Date.UTC(2030, 0, 1) + pages * 1_000).toISOString();
    return { raw: [{ number: String(pages), modified }], count: 1_000_000, more: true };
  };
  let cursor: string | null = null;
  const read = async () => {
    for await (const step of readKeyset({ start: null, cursor: null, field: 'modified', key: 'number', fetch })) {
      cursor = step.cursor;
    }
  };
  await expect(read()).rejects.toThrow(CallFailure);
  expect(pages).toBe(10_000);
  expect(cursor).not.toBeNull();
});
