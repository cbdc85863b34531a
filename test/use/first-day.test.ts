import { expect, test } from 'vitest';
import { type FirstDayFacts, firstDay } from '../../src/use/first-day.ts';

const HOUR_MS = 60 * 60_000;
const unread = (collection: string) => ({ collection, ageMs: null });
const read = (collection: string) => ({ collection, ageMs: 4_000 });
const READ = [read('orders'), read('products'), read('erp-products'), read('erp-stock')];

/** Everything was read, and writes wait. */
const WAITS: FirstDayFacts = {
  reads: READ,
  linked: 12,
  unlinked: 0,
  braked: 40,
  pending: 7,
  leastMs: null,
  isHeldBack: false,
  isApproved: false,
  begunForMs: HOUR_MS,
};

test.each<[string, Partial<FirstDayFacts>, string[] | null]>([
  [
    'nothing was read',
    { reads: READ.map(({ collection }) => unread(collection)), linked: 0, braked: 0, begunForMs: null },
    ['connect now 0/2', 'read later 0/4', 'link later 0/0', 'approve later 0/?', 'live later 0/?'],
  ],
  [
    'one side was read',
    { reads: [read('orders'), read('products'), unread('erp-products'), unread('erp-stock')], linked: 0, braked: 0 },
    ['connect now 1/2', 'read now 2/4', 'link later 0/0', 'approve later 0/?', 'live later 0/?'],
  ],
  [
    'a list is left, and some listings are linked',
    { reads: [...READ.slice(1), unread('orders')], unlinked: 3 },
    ['connect done 2/2', 'read now 3/4', 'link later 12/15', 'approve later 0/?', 'live later 0/?'],
  ],
  [
    'links are to be decided, and writes wait',
    { unlinked: 3, leastMs: 4 * HOUR_MS },
    ['connect done 2/2', 'read done 4/4', 'link you 12/15', 'approve you 0/40', 'live later 0/7 14400000 ms'],
  ],
  [
    'only writes wait',
    {},
    ['connect done 2/2', 'read done 4/4', 'link done 12/12', 'approve you 0/40', 'live later 0/7'],
  ],
  [
    'nothing waits, but everything is paused or a dry run',
    { braked: 0, isHeldBack: true },
    ['connect done 2/2', 'read done 4/4', 'link done 12/12', 'approve you 0/0', 'live later 0/7'],
  ],
  ['the first plan is approved', { isApproved: true }, null],
  ['the first plan is approved, and links are left', { isApproved: true, unlinked: 3 }, null],
  ['there is nothing to approve', { braked: 0 }, null],
  [
    'a list is unread after an approval',
    { isApproved: true, reads: [...READ, unread('payments')] },
    ['connect done 2/2', 'read now 4/5', 'link later 12/12', 'approve later 0/?', 'live later 0/?'],
  ],
  ['the account is older than a week', { begunForMs: 8 * 24 * HOUR_MS }, null],
  [
    'the account is older than a week, and a list is new',
    { begunForMs: 8 * 24 * HOUR_MS, reads: [unread('orders')] },
    null,
  ],
  [
    'no list is known',
    { reads: [], begunForMs: null, braked: 0, linked: 0 },
    ['connect now 0/2', 'read later 0/0', 'link later 0/0', 'approve later 0/?', 'live later 0/?'],
  ],
])('the page of the first day when %s', (_, facts, told) => {
  const steps = firstDay({ ...WAITS, ...facts });
  expect(
    steps?.map(
      ({ name, state, done, all, leastMs }) =>
        `${name} ${state} ${done}/${all ?? '?'}${leastMs === null ? '' : ` ${leastMs} ms`}`,
    ) ?? null,
  ).toEqual(told);
});
