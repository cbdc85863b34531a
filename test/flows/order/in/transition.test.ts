import { expect, test } from 'vitest';
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

test.each([
  ['Submitted', 'refused', 'take: Submitted -> Accepted'],
  ['Accepted', 'fulfill: Accepted -> Fulfilled', 'pack: Accepted -> Fulfilled'],
  ['Fulfilled', 'done', 'send: Fulfilled -> Shipped'],
  ['Shipped', 'done', 'done'],
  ['Complete', 'done', 'done'],
  ['Rejected', 'refused', 'refused'],
  ['Backorder', 'refused', 'refused'],
  ['Combined', 'refused', 'refused'],
])(
  'an order shipped in the ERP, in status %s: %s with the documented actions, %s with all actions',
  (status, documented, all) => {
    expect([said(afterShipping('o-1', status, DOCUMENTED)), said(afterShipping('o-1', status, ALL))]).toEqual([
      documented,
      all,
    ]);
  },
);

test('each missing action name has its own cause', () => {
  expect(afterShipping('o-1', 'Submitted', DOCUMENTED)).toMatchObject({
    cause: { code: 'shipped-not-accepted' },
  });
});

test.each(['Submitted', 'Accepted', 'Fulfilled'])(
  'from %s, the status steps lead to the end and stop there',
  (status) => {
    const seen = [status];
    for (;;) {
      const next = afterShipping('o-1', seen.at(-1) ?? '', ALL);
      if (next.kind !== 'post') break;
      expect(next.from).toBe(seen.at(-1));
      seen.push(next.to);
      expect(seen.length).toBeLessThan(6);
    }
    expect(seen.at(-1)).toBe('Shipped');
  },
);

test.each([
  ['Submitted', 'take: Submitted -> Accepted'],
  ['Accepted', 'done'],
  ['Fulfilled', 'done'],
])('an order made and reserved in the ERP, in status %s: %s where the action is configured', (status, all) => {
  expect(said(afterReserving(status, ALL))).toBe(all);
  expect(said(afterReserving(status, DOCUMENTED))).toBe('done');
});

test.each(['Submitted', 'Accepted', 'Fulfilled', 'Shipped'])(
  'an order cancelled in the ERP in status %s is rejected where the action is configured',
  (status) => {
    expect(said(afterCancelling('o-1', status, ALL))).toBe(`refuse: ${status} -> Rejected`);
    expect(afterCancelling('o-1', status, DOCUMENTED)).toMatchObject({
      kind: 'refused',
      cause: { code: 'cancelled-not-rejected' },
    });
  },
);
test.each(['Rejected', 'Canceled', 'Backorder'])(
  'an order cancelled in the ERP in status %s needs no step',
  (status) => {
    expect(said(afterCancelling('o-1', status, ALL))).toBe('done');
  },
);
