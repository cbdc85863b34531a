import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssignmentsSnapshot, decideAssignments } from '../../../src/flows/assignments/decide.ts';

type Snapshot = NonNullable<AssignmentsSnapshot>;
const upwards = (a: number, b: number) => a - b;
const at = (...ids: number[]) => ids.map((id) => ({ id, terms: {} }));
const named = (...ids: (number | null)[]) => ids.map((id) => ({ name: `C-${id}`, id }));
const shown = (more: Partial<NonNullable<Snapshot['shown']>> = {}) => ({
  exclusive: false,
  buyers: [],
  groups: [],
  ...more,
});
const wanted = (more: Partial<NonNullable<Snapshot['wanted']>> = {}) => ({
  exclusive: null,
  buyers: null,
  groups: null,
  ...more,
});
const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  sku: 'SB-1',
  listingId: 7,
  problem: null,
  invalidRow: null,
  written: null,
  wanted: wanted(),
  shown: shown(),
  ...more,
});

test.each<[string, AssignmentsSnapshot, object]>([
  ['no listing on sale', null, {}],
  ['the ERP says nothing', snapshot({ wanted: null, shown: null }), {}],
  ['it cannot be made', snapshot({ problem: 'no', wanted: null }), { hold: 'assignments-problem' }],
  ['before they are read', snapshot({ shown: null }), { hold: 'assignments-unread' }],
  ['a row that does not fit', snapshot({ invalidRow: 'no' }), { hold: 'assignments-invalid' }],
  ['both agree', snapshot({ wanted: wanted({ buyers: named(5) }), shown: shown({ buyers: at(5) }) }), {}],
  [
    'one more buyer',
    snapshot({ wanted: wanted({ buyers: named(9, 5) }), shown: shown({ buyers: at(5) }) }),
    { after: 'not exclusive, buyers 5, 9, groups none' },
  ],
  [
    'another buyer',
    snapshot({ wanted: wanted({ buyers: named(9) }), shown: shown({ buyers: at(5), groups: at(1) }) }),
    { after: 'not exclusive, buyers 9, groups 1', brake: 'archive' },
  ],
  [
    'nobody any more',
    snapshot({ wanted: wanted({ buyers: [], groups: [] }), shown: shown({ buyers: at(5), groups: at(1) }) }),
    { after: 'not exclusive, buyers none, groups none', brake: 'archive' },
  ],
  [
    'exclusive',
    snapshot({ wanted: wanted({ exclusive: true }) }),
    { after: 'exclusive, buyers none, groups none', brake: 'archive' },
  ],
  [
    'for everybody',
    snapshot({ wanted: wanted({ exclusive: false }), shown: shown({ exclusive: true }) }),
    { after: 'not exclusive, buyers none, groups none', brake: 'archive' },
  ],
  [
    'one of them is not known: nobody is taken away',
    snapshot({ wanted: wanted({ buyers: named(9, null) }), shown: shown({ buyers: at(5) }) }),
    { after: 'not exclusive, buyers 5, 9, groups none', alert: 'assignment-customers' },
  ],
  [
    'a group is not known',
    snapshot({ wanted: wanted({ groups: named(null) }), shown: shown({ groups: at(5) }) }),
    { alert: 'assignment-groups' },
  ],
])('the decision on the assignments of a listing: %s', (_what, each, expected) => {
  const { actions, holds, alerts } = decideAssignments(each);
  const [action] = actions;
  const found = { after: action?.after, brake: action?.brake, hold: holds[0]?.code, alert: alerts[0]?.code };
  expect(Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))).toEqual(expected);
});

test('the reason of an assignments write names the side that has changed', () => {
  const reason = (written: string | null) =>
    decideAssignments(snapshot({ wanted: wanted({ buyers: named(9) }), written })).actions[0]?.why;
  expect(reason(null)).toBe('the ERP offers it otherwise');
  expect(reason('not exclusive, buyers 9, groups none')).toMatch(/^it was changed on the marketplace/);
});

test('an assignments write keeps the terms that people gave to a buyer', () => {
  const terms = { call_to_action: 'Only for you' };
  const { actions } = decideAssignments(
    snapshot({ wanted: wanted({ buyers: named(9, 5) }), shown: shown({ buyers: [{ id: 5, terms }] }) }),
  );
  expect(actions[0]?.wanted.buyers).toEqual([
    { id: 5, terms },
    { id: 9, terms: {} },
  ]);
});

test('an assignments write leaves nothing to do; it removes buyers only with a brake, and never while a buyer is unknown', () => {
  const ids = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 });
  const names = fc.option(fc.array(fc.option(fc.integer({ min: 1, max: 5 })), { maxLength: 4 }));
  fc.assert(
    fc.property(
      ids,
      ids,
      fc.boolean(),
      names,
      names,
      fc.option(fc.boolean()),
      (buyers, groups, is, b, g, exclusive) => {
        const before = shown({
          exclusive: is,
          buyers: at(...buyers.toSorted(upwards)),
          groups: at(...groups.toSorted(upwards)),
        });
        const said = wanted({ exclusive, buyers: b && named(...b), groups: g && named(...g) });
        const [action] = decideAssignments(snapshot({ wanted: said, shown: before })).actions;
        if (action === undefined) return;
        expect(decideAssignments(snapshot({ wanted: said, shown: action.wanted })).actions).toEqual([]);
        const lost = before.buyers.filter(({ id }) => !action.wanted.buyers.some((one) => one.id === id));
        if (lost.length > 0) {
          expect(action.brake).toBe('archive');
          expect(b).not.toContain(null);
        }
      },
    ),
  );
});
