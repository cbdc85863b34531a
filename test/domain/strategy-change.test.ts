import { expect, test } from 'vitest';
import { cause, shownCause } from '../../src/domain/causes/cause.ts';
import { STRATEGIES, type StrategyName } from '../../src/domain/strategy.ts';
import { type StrategyFacts, strategyStanding } from '../../src/domain/strategy-change.ts';
import { orderUnderBoth, outcomeText } from '../../src/domain/what-if.ts';

const [A, B, C] = ['fulfilled-quantity', 'submitted-available', 'submitted-quantity'] as const;

const facts = (changes: Partial<StrategyFacts>): StrategyFacts => ({
  configured: B,
  inForce: A,
  approved: null,
  openOrders: 3,
  ...changes,
});

test.each<[string, Partial<StrategyFacts>, string]>([
  ['the same', { inForce: B }, 'in-force'],
  ['the first one, whatever is open', { inForce: null }, 'comes'],
  ['another one, nothing open', { openOrders: 0 }, 'comes'],
  ['another one, orders open', {}, 'waits'],
  ['another one, one order open', { openOrders: 1 }, 'waits'],
  ['approved', { approved: B }, 'comes'],
  ['something else was approved', { approved: C }, 'waits'],
])('a change of the strategy: %s', (_, changes, kind) => {
  expect(strategyStanding(facts(changes)).kind).toBe(kind);
});

test('a waiting strategy names the old and the new one, the number of open orders, and the next step', () => {
  const standing = strategyStanding(facts({}));
  expect(standing).toMatchObject({
    kind: 'waits',
    cause: cause('strategy-waits', { inForce: A, configured: B, open: 3 }),
  });
  const { text, next } = standing.kind === 'waits' ? shownCause(standing.cause) : {};
  expect(text).toBe(
    'The configuration changes the strategy from fulfilled-quantity to submitted-available, but 3 orders are open. The change waits for an approval',
  );
  expect(next).toBe(
    'To see the effect: stockbridge plan --strategy submitted-available. To approve the change, add --approve. Otherwise set inventory.strategy back to fulfilled-quantity.',
  );
});

type Row = [from: StrategyName, to: StrategyName, status: string, expected: unknown[] | null];

test.each<Row>([
  [A, B, 'Submitted', ['not exported', 'reserved', 'earlier', 'earlier']],
  [A, B, 'Accepted', ['not exported', 'reserved', 'earlier', 'earlier']],
  [A, C, 'Submitted', ['not exported', 'draft', 'earlier', null]],
  [B, A, 'Submitted', ['reserved', 'not exported', 'later', 'later']],
  [B, C, 'Accepted', ['reserved', 'draft', null, 'later']],
  [C, B, 'Accepted', ['draft', 'reserved', null, 'earlier']],
  [C, A, 'Accepted', ['draft', 'not exported', 'later', null]],
  [A, B, 'Fulfilled', null],
  [C, B, 'Shipped', null],
  [A, B, 'Backorder', null],
  [A, B, 'Rejected', null],
  [B, B, 'Submitted', null],
])('a change of strategy from %s to %s, for an order that is %s', (from, to, status, expected) => {
  const change = orderUnderBoth(STRATEGIES[from], STRATEGIES[to], status);
  expect(change && [change.before, change.after, change.exported, change.reserved]).toEqual(expected);
});

test.each([
  ['not exported', { id: 'E-1', status: 'reserved' }, null, 'ERP order E-1 stays reserved'],
  ['reserved', { id: 'E-1', status: 'draft' }, null, 'ERP order E-1 is reserved now'],
  ['reserved', { id: 'E-1', status: 'draft' }, 'it has no lines', 'it is held: it has no lines'],
  ['draft', { id: 'E-1', status: 'reserved' }, 'it has no lines', 'ERP order E-1 stays reserved'],
  ['reserved', null, null, 'it is exported now, as reserved'],
  ['draft', null, null, 'it is exported now, as draft'],
  ['draft', null, 'it has no lines', 'it is held: it has no lines'],
  ['not exported', null, null, 'it is exported later'],
] as const)('a change of strategy to %s, for an order that the ERP has as %j (held: %s)', (after, inErp, held, now) => {
  expect(outcomeText(after, inErp, held)).toBe(now);
});
