import { expect, test } from 'vitest';
import { plots } from '../../src/admin/screen/plots.ts';
import { DAY_MS, SAMPLE_MS, SAMPLES_KEPT, type Sample } from '../../src/domain/day.ts';

const NOW = 20 * DAY_MS;
const sample = (at: number, changed: Partial<Sample> = {}): Sample => ({
  atMs: NOW - at * SAMPLE_MS,
  quota: 0.25,
  ordersIn: 3,
  ordersOut: 2,
  lateMs: 0,
  waitedMs: 60_000,
  webhookLoss: 0.5,
  drift: 1,
  ...changed,
});
const fullDay = Array.from({ length: SAMPLES_KEPT }, (_, at) => sample(SAMPLES_KEPT - at));
const shown = (day: readonly Sample[]) => plots(day, NOW).text;
const edges = (page: string, title: string) =>
  /class="edge first" d="([^"]*)"/.exec(page.split(`>${title}, `)[1] ?? '')?.[1];

test('every chart says in words and in a table what it contains, and has no style of its own', () => {
  const page = shown(fullDay);
  for (const title of ['Quota used', 'Orders in and out', 'Lag', 'Webhook loss', 'Drift'])
    expect(page).toContain(`>${title}, the last day</title>`);
  expect(page.match(/<svg/g)).toHaveLength(5);
  expect(page.match(/<desc id="plot-/g)).toHaveLength(5);
  expect(page).toContain('Share of the calls of a minute: last 25 %, peak 25 %.');
  expect(page).toContain(
    `Into the ERP: ${3 * SAMPLES_KEPT} in a day. Told to the marketplace: ${2 * SAMPLES_KEPT} in a day.`,
  );
  expect(page).toContain('<caption class="hidden">Lag, by hour</caption>');
  expect(page).not.toMatch(/style=|<script/);
});

test('the chart of a full day of busy figures stays small', () => {
  const busy = fullDay.map((one, at) => ({
    ...one,
    quota: (at % 97) / 97,
    lateMs: at * 9_999,
    webhookLoss: (at % 13) / 13,
  }));
  expect(Buffer.byteLength(shown(busy))).toBeLessThan(60_000);
});

test('the chart of a day that has only begun is drawn by its hours', () => {
  expect(shown([sample(2), sample(1)])).toContain('<span>1 h ago</span>');
  expect(shown([sample(20)])).toContain('<span>6 h ago</span>');
  expect(shown(fullDay)).toContain('<span>24 h ago</span>');
});

test('an unknown value in a chart is a gap and never a zero', () => {
  const [none, gap] = [sample(5, { quota: null }), [sample(10), sample(9), sample(3)]];
  expect(shown([none])).toContain('Nothing to show.');
  expect(edges(shown(gap), 'Quota used')?.match(/M/g)).toHaveLength(2);
  expect(shown([])).toContain('No figure is on record yet.');
});
