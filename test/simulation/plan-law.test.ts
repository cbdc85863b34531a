import { expect, test } from 'vitest';
import { cause, shownCause } from '../../src/domain/causes/cause.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { judgePlan } from './plan-law.ts';

const WRITE = { action: 'stock.write', target: 'listing 2', before: '76', after: '77', why: 'more', replaces: [] };

function planned(stoppedBy: PlanItem['actions'][number]['stoppedBy']): PlanItem {
  const actions = [{ ...WRITE, stoppedBy }];
  return { account: 'main', flow: 'stock', key: 'P-4', actions, holds: [], alerts: [] };
}

const MADE = { ...WRITE, id: 1, atMs: 0, account: 'main', flow: 'stock', key: 'P-4', action: 'stock.write:increase' };
const exceeded = cause('too-many-writes', { count: 6, span: 'pass', most: 5 });
const heldForNumber = shownCause(
  cause('brake-plan', { ...WRITE, brake: 'increase', exceeds: exceeded, waits: false, plan: 1 }),
);

const HELD = { flow: 'stock', key: 'P-4', action: 'stock.write', target: 'listing 2', before: '76', after: '77' };

test.each([
  { name: 'a write that was planned', items: [planned(null)], written: [{ ...MADE, outcome: 'written' }], broken: 0 },
  { name: 'a write that nothing planned', items: [], written: [{ ...MADE, outcome: 'written' }], broken: 1 },
  { name: 'a planned write that was not made', items: [planned(null)], written: [], broken: 1 },
  {
    name: 'one held for its number that was due first',
    items: [planned(heldForNumber)],
    written: [{ ...MADE, outcome: 'written' }],
    broken: 0,
  },
  {
    name: 'another figure than the one that is held',
    items: [planned(heldForNumber)],
    written: [{ ...MADE, after: '78', outcome: 'written' }],
    broken: 1,
  },
  {
    name: 'one that a pause holds',
    items: [planned(shownCause(cause('paused', { reason: 'stocktaking' })))],
    written: [{ ...MADE, outcome: 'written' }],
    broken: 1,
  },
  {
    name: 'a figure on the way whose return a brake holds',
    items: [],
    written: [{ ...MADE, before: '77', after: '76', action: 'stock.write', outcome: 'written' }],
    held: [HELD],
    broken: 0,
  },
  {
    name: 'a figure on the way whose next one is another',
    items: [],
    written: [{ ...MADE, before: '77', after: '75', action: 'stock.write', outcome: 'written' }],
    held: [{ ...HELD, before: '75', after: '76' }],
    broken: 1,
  },
  { name: 'what a brake holds and nothing wrote', items: [], written: [], held: [HELD], broken: 0 },
])('the law of the plan judges $name: $broken broken', ({ items, written, held = [], broken }) => {
  expect(judgePlan(items, written as never, held)).toHaveLength(broken);
});
