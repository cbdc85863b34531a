import { expect, test } from 'vitest';
import { freshness, freshStrip } from '../../src/admin/screen/freshness.ts';
import { Html } from '../../src/admin/screen/html.ts';
import { DAY_MS, SAMPLE_MS, type Sample } from '../../src/domain/day.ts';

const NOW = 20 * DAY_MS;
const READ = { collection: 'erp-orders', ageMs: 12_000, everyMs: 60_000, late: false, holes: 0 };
const QUIET = { quota: null, ordersIn: 0, ordersOut: 0, lateMs: 0, waitedMs: 0, webhookLoss: null, drift: 0 };
const sample = (at: number, late: Sample['late'] = {}): Sample => ({ ...QUIET, atMs: NOW - at * SAMPLE_MS, late });
const path = (page: string, name: string) => new RegExp(`class="${name}" d="([^"]*)"`).exec(page)?.[1];

function strip(day: readonly Sample[], read = READ): string {
  const shown = freshStrip([read], day, NOW);
  if (!(shown instanceof Html)) throw new Error('nothing is shown');
  return shown.text;
}

test('the freshness of a day without a gap is one full bar, and says so', () => {
  const page = strip(Array.from({ length: 288 }, (_, at) => sample(288 - at)));
  expect(page).toContain('aria-label="ERP orders, the last day: no gap"');
  expect(path(page, 'read')).toBe('M1 0H288V12H1Z');
  expect([path(page, 'gap'), path(page, 'late')]).toEqual(['', '']);
});

test('a short gap of a list is visible, a late list is a low bar, and there is no bar where nothing ran', () => {
  const page = strip([
    sample(20),
    sample(19, { 'erp-orders': 400_000 }),
    ...[8, 7, 6, 5, 4, 3, 2, 1].map((at) => sample(at)),
  ]);
  expect(page).toContain('2 gaps, the longest of 50 min"');
  expect(path(page, 'read')).toBe('M268 0H288V12H268Z');
  expect(path(page, 'gap')).toBe('M269 0h3V12h-3ZM270 0h10V12h-10Z');
  expect(path(page, 'late')).toBe('M269 8h3V12h-3Z');
});

test('the freshness table shows each gap with its reason, and times without a record', () => {
  const day = [sample(4), sample(3, { 'erp-orders': null }), sample(1, { 'erp-orders': 400_000 })];
  const { text } = freshness([READ, { ...READ, collection: 'orders' }], day, NOW);
  const gaps = text
    .split('<tr>')
    .map((row) => [...row.matchAll(/: (\d+ min) <small>([^<]*)/g)].map((gap) => gap.slice(1)));
  expect(gaps.slice(2)).toEqual([
    [
      ['5 min', 'the last read was up to 6 min old'],
      ['5 min', 'nothing ran'],
      ['5 min', 'never read'],
    ],
    [['5 min', 'nothing ran']],
  ]);
  expect(freshness([READ], [], NOW).text).toContain('not on record yet');
  expect(strip([])).not.toContain('<svg');
});

test('a list that is behind is named without colour', () => {
  expect(strip([], { ...READ, late: true })).toContain('late, 12 s ago');
  expect(strip([], { ...READ, holes: 2 })).toContain('2 holes, 12 s ago');
});
