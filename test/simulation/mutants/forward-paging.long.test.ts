import { expect, test, vi } from 'vitest';
import { CallFailure } from '../../../src/domain/failure.ts';
import type { KeysetSource, KeysetStep } from '../../../src/marketplace/keyset.ts';
import type { KeysetPage } from '../../../src/marketplace/keyset-page.ts';
import { untilBroken } from '../until-broken.ts';
import { worldOf } from '../world.ts';

vi.mock('../../../src/marketplace/keyset.ts', () => ({
  async *readKeyset<Page extends KeysetPage>(source: KeysetSource<Page>): AsyncGenerator<KeysetStep<Page>> {
    let newest = source.cursor;
    for (let number = 1; ; number += 1) {
      const page = await source.fetch({ from: source.cursor, page: number }).catch((error: unknown) => {
        if (error instanceof CallFailure && error.kind === 'not-found') return null;
        throw error;
      });
      if (page === null) return;
      const last = page.raw.at(-1) as Record<string, unknown> | undefined;
      const value = last?.[source.field];
      if (typeof value === 'string' && (newest === null || value > newest)) newest = value;
      yield { page, cursor: newest, covered: { from: source.cursor, to: newest }, finding: null, done: !page.more };
      if (!page.more) return;
    }
  },
}));

test('the simulation detects paging by page number from the newest row', async () => {
  expect(
    await untilBroken({
      first: 190,
      maxSeeds: 2_000,
      isMeant: (seed) => worldOf(seed).overlap === '5s',
      law: /I4|I6|I8/,
    }),
  ).not.toBe('');
});
