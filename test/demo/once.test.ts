import { expect, test } from 'vitest';
import { playOnce } from '../../src/demo/once.ts';
import type { Sides } from '../../src/demo/sides.ts';
import { ACTS } from '../../src/demo/story.ts';

const told: string[] = [];

function opening(beforeComparing: (sides: Sides) => void) {
  return playOnce({
    strategy: 'b',
    seed: 1,
    acts: ACTS.slice(0, 1),
    beforeComparing,
    signal: new AbortController().signal,
    onOpen: async () => {},
    tell: (actor, text) => void told.push(`${actor} ${text}`),
  });
}

test('the opening day of the demo adopts, creates, archives, reports and counts', async () => {
  const result = await opening(() => {});
  expect(result).toMatchObject({ problems: [], duplicates: 0, figures: { ordersIn: 0, stockDifferences: 0 } });
  // Five are adopted and one archived, six created.
  expect(result.calls.least).toEqual({ writes: 12, pages: 1 });
  expect(result.calls.used).toBeGreaterThan(12);
  for (const sentence of [
    /^bridge brings listing 1 \(SB-0001\) up to date$/,
    /^bridge archives listing 6 \(SB-0006\)/,
    /^bridge creates a listing for SB-0012: listing \d+$/,
    /^bridge cannot tell whether a listing for \S+ was written/,
    /^stock SB-0002: 0 → 30 can be bought, by the bridge$/,
  ]) {
    expect(told).toContainEqual(expect.stringMatching(sentence));
  }
});

test('a change after the bridge has stopped is found', async () => {
  const result = await opening(({ marketplace, erp }) => {
    marketplace.archiveProduct(marketplace.productBySku('SB-0001').id);
    erp.control.setStock('SB-0002', '7');
  });
  expect(result.problems).toEqual([
    'SB-0001 is not listed',
    'stock of SB-0002: the marketplace shows 30, it should be 7',
  ]);
  expect(result.figures.stockDifferences).toBe(1);
});
