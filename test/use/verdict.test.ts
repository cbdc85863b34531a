import { expect, test } from 'vitest';
import {
  countsOf,
  countsText,
  type Facts,
  headline,
  TROUBLES,
  type Trouble,
  verdictOf,
  verdictSentences,
} from '../../src/use/verdict.ts';

const NOW = 1_000_000;

const read = (collection: string, ageMs: number | null, late = false) => ({ collection, ageMs, late });
const flow = (pending: number, held = 0, failed = 0) => ({
  pending,
  held,
  failed,
  oldestPendingMs: pending > 0 ? 60_000 : null,
});
const IN_STEP = {
  reads: [read('orders', 4_000), read('erp-products', 9_000)],
  flows: [flow(0)],
  paused: [],
  braked: 0,
  inDoubt: 0,
  invalid: 0,
  differing: 0,
  backorders: 0,
  comparing: false,
  away: null,
  needs: [],
  quota: null,
} as const;
const need = (turn: string, code = 'row-invalid') => ({ example: { turn, code } });

const told = (changed: Partial<Parameters<typeof verdictOf>[0]>, isRunning = true) =>
  verdictSentences(verdictOf({ ...IN_STEP, ...changed }, isRunning, NOW)).join(' ');

test.each<[string, Partial<Parameters<typeof verdictOf>[0]>, string]>([
  ['all is well', {}, 'In step as of {time}, when erp-products, the oldest list, was read. Nothing needs you.'],
  [
    'much waits',
    { flows: [flow(3_000)], quota: { perMinute: { limit: 300 } } },
    'Catching up: 3000 changes wait, the first for 1 min. At least 10 min are left, by the quota. Nothing needs you.',
  ],
  [
    'a list was never read',
    { reads: [read('orders', null), read('stock', 1)] },
    'Not in step: 1 list unread. Nothing is known to need you.',
  ],
  [
    'not everything was compared with changed settings',
    { comparing: true, flows: [flow(2)] },
    'Not in step: 1 comparison with changed settings, 2 waiting, the first for 1 min. Nothing needs you.',
  ],
  [
    'orders wait on backorder',
    { backorders: 3 },
    'In step as of {time}, when erp-products, the oldest list, was read. 3 orders wait on backorder. Nothing needs you.',
  ],
  [
    'an order was changed in the ERP alone',
    { differing: 1, needs: [need('operator', 'edited-in-erp')] },
    'Not in step: 1 order differs. 1 thing needs you.',
  ],
  ['no list is known', { reads: [] }, 'Not in step: 1 list unread. Nothing is known to need you.'],
  [
    'a flow is paused',
    { paused: ['stock'], flows: [flow(1)] },
    'Paused by a person. 1 waiting, the first for 1 min. Nothing needs you.',
  ],
  [
    'lists are late, and no answer was slow',
    { reads: [read('orders', 1, true), read('erp-stock', 1, true)] },
    'Not in step: 2 lists late. Nothing needs you.',
  ],
  [
    'the answers of a side are slow',
    { needs: [need('erp', 'erp-slow')] },
    'In step as of {time}, when erp-products, the oldest list, was read. The ERP is slow. Nothing needs you. 1 thing waits for the ERP.',
  ],
  [
    'a side is away',
    { away: { side: 'erp', sinceMs: 0 }, flows: [flow(0, 19)] },
    'Not in step: the ERP is away since 1970-01-01 00:00:00Z. 19 held. Nothing is known to need you.',
  ],
  [
    'a side refuses the credentials',
    { away: { side: 'erp', sinceMs: 0, refuses: true } },
    'Not in step: the ERP refuses our credentials since 1970-01-01 00:00:00Z. Nothing is known to need you.',
  ],
  [
    'things are whose turn',
    { needs: ['operator', 'operator', 'erp', 'marketplace'].map((turn) => need(turn)) },
    'In step as of {time}, when erp-products, the oldest list, was read. 2 things need you. 1 thing waits for the ERP. 1 thing waits for the marketplace.',
  ],
])('the headline when %s', (_, changed, sentences) => {
  expect(told(changed)).toBe(sentences);
});

test('when nothing runs, the headline still names what is left', () => {
  expect(told({ flows: [flow(0, 2, 1)], reads: [read('orders', 4_000, true)] }, false)).toBe(
    'No daemon is running: orders and stock are not synchronized. 1 failed, 2 held. The figures are as of {time}, when orders was read. Nothing needs you.',
  );
});

/** The facts under which each kind of trouble is there once. */
const ONE: Readonly<Record<Trouble, Partial<Facts>>> = {
  failed: { flows: [flow(0, 0, 1)] },
  'in-doubt': { inDoubt: 1 },
  unread: { reads: [...IN_STEP.reads, read('customers', null)] },
  invalid: { invalid: 1 },
  braked: { braked: 1 },
  held: { flows: [flow(0, 1)] },
  differs: { differing: 1 },
  late: { reads: [...IN_STEP.reads, read('payments', 1, true)] },
  comparing: { comparing: true },
  pending: { flows: [flow(1)] },
};

/** Every set of troubles. */
const SETS = Array.from({ length: 2 ** TROUBLES.length }, (_, bits) =>
  TROUBLES.filter((__, at) => (bits >> at) % 2 === 1),
);

test('the headline says in step only without any trouble, and names each trouble', () => {
  for (const set of SETS) {
    const some = set.map((trouble) => ONE[trouble]);
    const facts = {
      ...Object.assign({ ...IN_STEP }, ...some),
      flows: some.flatMap((one) => one.flows ?? []),
      reads: [...IN_STEP.reads, ...some.flatMap((one) => one.reads?.slice(IN_STEP.reads.length) ?? [])],
    } as typeof IN_STEP;
    const counts = countsOf(facts, true);
    expect(TROUBLES.filter((trouble) => counts[trouble] === 1)).toEqual(set);
    expect(headline(counts)).toBe(set.length === 0 ? 'In step' : `Not in step: ${countsText(counts)}`);
    expect(countsText(counts).split(', ').filter(Boolean)).toHaveLength(set.length);
    const [first = ''] = verdictSentences(verdictOf(facts, true, NOW));
    expect(first.startsWith('In step')).toBe(set.length === 0);
    if (set.some((trouble) => trouble !== 'pending')) expect(first).toContain(headline(counts));
  }
});
