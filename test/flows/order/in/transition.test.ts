import { describe, expect, test } from 'vitest';
import {
  afterCancelling,
  afterReserving,
  afterShipping,
  type TransitionNames,
} from '../../../../src/flows/order/in/transition.ts';

const DOCUMENTED: TransitionNames = { fulfill: 'fulfill' };
const ALL: TransitionNames = { fulfill: 'pack', accept: 'take', ship: 'send', reject: 'refuse' };
const said = (next: ReturnType<typeof afterShipping>) =>
  next.kind === 'post' ? `${next.name}: ${next.from} -> ${next.to}` : next.kind;

describe('shipped in the ERP', () => {
  test.each([
    ['Submitted', 'refused', 'take: Submitted -> Accepted'],
    ['Accepted', 'fulfill: Accepted -> Fulfilled', 'pack: Accepted -> Fulfilled'],
    ['Fulfilled', 'done', 'send: Fulfilled -> Shipped'],
    ['Shipped', 'done', 'done'],
    ['Complete', 'done', 'done'],
    ['Rejected', 'refused', 'refused'],
    ['Backorder', 'refused', 'refused'],
    ['Combined', 'refused', 'refused'],
  ])('%s: %s with what is documented, %s with all names', (status, documented, all) => {
    expect([said(afterShipping('o-1', status, DOCUMENTED)), said(afterShipping('o-1', status, ALL))]).toEqual([
      documented,
      all,
    ]);
  });

  test('a missing name of an action is a cause of its own', () => {
    expect(afterShipping('o-1', 'Submitted', DOCUMENTED)).toMatchObject({
      cause: { code: 'shipped-not-accepted' },
    });
  });

  test.each(['Submitted', 'Accepted', 'Fulfilled'])('from %s, the steps lead to the end and stop there', (status) => {
    const seen = [status];
    for (;;) {
      const next = afterShipping('o-1', seen.at(-1) ?? '', ALL);
      if (next.kind !== 'post') break;
      expect(next.from).toBe(seen.at(-1));
      seen.push(next.to);
      expect(seen.length).toBeLessThan(6);
    }
    expect(seen.at(-1)).toBe('Shipped');
  });
});

describe('made and reserved in the ERP', () => {
  test.each([
    ['Submitted', 'take: Submitted -> Accepted'],
    ['Accepted', 'done'],
    ['Fulfilled', 'done'],
  ])('%s: %s where that is named', (status, all) => {
    expect(said(afterReserving(status, ALL))).toBe(all);
    expect(said(afterReserving(status, DOCUMENTED))).toBe('done');
  });
});

describe('cancelled in the ERP', () => {
  test.each(['Submitted', 'Accepted', 'Fulfilled', 'Shipped'])('%s is rejected where that is named', (status) => {
    expect(said(afterCancelling('o-1', status, ALL))).toBe(`refuse: ${status} -> Rejected`);
    expect(afterCancelling('o-1', status, DOCUMENTED)).toMatchObject({
      kind: 'refused',
      cause: { code: 'cancelled-not-rejected' },
    });
  });
  test.each(['Rejected', 'Canceled', 'Backorder'])('%s needs nothing', (status) => {
    expect(said(afterCancelling('o-1', status, ALL))).toBe('done');
  });
});
