import { describe, expect, test } from 'vitest';
import { type Cause, cause } from '../../../../src/domain/causes/cause.ts';
import { ONE, ZERO } from '../../../../src/domain/decimal.ts';
import { type Place, placeOf } from '../../../../src/domain/facility-ledger.ts';
import type { LedgerLine } from '../../../../src/domain/ledger.ts';
import { decideFacilityStock, type FacilityAction, isStockDown } from '../../../../src/flows/stock/facility/decide.ts';
import type { FacilityPlace, FacilitySnapshot, PlaceCommand } from '../../../../src/flows/stock/facility/snapshot.ts';
import { exact } from '../../../support/units.ts';

const d = (text: string) => exact(text);
const [EAST, WEST] = [placeOf(1, 1), placeOf(2, 7)];

function place(facilityId: number, available: string | null, change: Partial<FacilityPlace> = {}): FacilityPlace {
  const batchId = facilityId === 1 ? 1 : 7;
  return {
    place: placeOf(facilityId, batchId),
    facilityId,
    batchId,
    erpName: facilityId === 1 ? 'EAST' : 'WEST batch LOT-7',
    erp:
      available === null
        ? null
        : { available: d(available), asOf: '2030-01-01T00:00:00Z', problem: null, changedTick: 1 },
    command: null,
    ...change,
  };
}

const figures = (onHand: string, reserved = '0', available = d(onHand).minus(reserved).toFixed()) => ({
  onHand: d(onHand),
  reserved: d(reserved),
  available: d(available),
});
const measured = (east: ReturnType<typeof figures> | null, west: ReturnType<typeof figures> | null) =>
  new Map<Place, ReturnType<typeof figures>>([
    ...(east === null ? [] : [[EAST, east] as const]),
    ...(west === null ? [] : [[WEST, west] as const]),
  ]);

const reserved = (quantity: string, counted: boolean): LedgerLine => ({
  order: 'o-1',
  quantity: d(quantity),
  effect: 'reserved',
  counted,
});

const command = (change: Partial<PlaceCommand> = {}): PlaceCommand => ({
  intentId: 5,
  commandId: 17,
  toQuantity: d('40'),
  state: 'open',
  evidence: null,
  justApplied: false,
  lookInMs: 800,
  failed: null,
  ...change,
});

const NORTH = cause('places-unmapped', { sku: 'SB-1', places: ['NORTH'] });
const INVALID_ANSWER = cause('listing-invalid', { listing: 4711, problem: 'it does not fit' });
const LINE = cause('line-cases-unknown', { order: 'o-1', line: '3' });
const FAILED = cause('command-failed', { said: 'command 17 is Failed' });

const LISTED = { id: 4711, archived: false, comingBack: null, managed: true, releasedTick: 0 };

function snapshot(change: Partial<FacilitySnapshot> = {}): FacilitySnapshot {
  return {
    sku: 'SB-1',
    deleted: false,
    twins: 1,
    mayOnlyFall: false,
    listing: { ...LISTED },
    invalidRow: null,
    places: [place(1, '40'), place(2, '10')],
    unmapped: [],
    unbatched: [],
    measured: measured(figures('40'), figures('10')),
    measuredTick: 1,
    lines: [],
    unitsIn: ONE,
    multiplier: null,
    lineProblem: null,
    erpLagMs: null,
    counted: { ids: [], known: [], skus: [], areAll: true },
    unread: null,
    asked: { figureTick: 0, asOf: null, withoutLines: [] },
    buffer: ZERO,
    ...change,
  };
}

const decide = (change: Partial<FacilitySnapshot>) => decideFacilityStock(snapshot(change));
const sent = (change: Partial<FacilitySnapshot>) =>
  decide(change).actions.map(({ action, target, before, after }) => `${action} ${target}: ${before} -> ${after}`);
const braked = (action: FacilityAction) => [
  action.action,
  action.after,
  action.action === 'facility-stock.follow' ? null : (action.brake ?? null),
];
const east = 'facility-stock.reconcile listing 4711 (SB-1) facility 1 batch 1 on hand';
const west = 'facility-stock.reconcile listing 4711 (SB-1) facility 2 batch 7 on hand';

test('a facility on which both sides agree needs no write', () => {
  expect(decide({})).toEqual({ actions: [], holds: [], alerts: [], lookAgainMs: null });
});

describe('a case may become larger', () => {
  const lower = [place(1, '20'), place(2, '10')];
  test.each<[boolean, string, Partial<FacilitySnapshot>]>([
    [true, 'where each facility shows what is there', {}],
    [true, 'where a facility shows less than is there', { measured: measured(figures('30'), figures('10')) }],
    [true, 'where buyers can take none', { listing: { ...LISTED, archived: true } }],
    [false, 'where one shows more than is there', { places: lower }],
    [false, 'while its command is under way', { places: [place(1, '40', { command: command() }), place(2, '10')] }],
    [
      false,
      'while its command is in doubt',
      { places: [place(1, '40', { command: command({ state: 'in-doubt' }) }), place(2, '10')] },
    ],
    [
      false,
      'after its command failed',
      {
        places: [
          place(1, '20', {
            command: command({
              state: 'settled',
              toQuantity: d('20'),
              failed: { cause: FAILED, isFirst: false, againInMs: null },
            }),
          }),
          place(2, '10'),
        ],
      },
    ],
    [false, 'before its stock was measured', { measured: null }],
    [false, 'while the stock in the ERP is not known', { places: [place(1, null), place(2, null)] }],
    [false, 'while its SKU stands twice in the ERP', { twins: 2 }],
  ])('the case size may increase only if the facilities allow it: %s: %s', (expected, _, change) =>
    expect(isStockDown(snapshot(change))).toBe(expected),
  );
});

test.each<[string, Partial<FacilitySnapshot>, string[]]>([
  ['to the ERP’s figure there', { places: [place(1, '39'), place(2, '10')] }, [`${east}: 40 -> 39`]],
  ['less the buffer', { buffer: d('4') }, [`${east}: 40 -> 36`]],
  [
    'where the marketplace lists nothing yet, as from nothing',
    { measured: measured(figures('40'), null) },
    [`${west}: 0 -> 10`],
  ],
  [
    'and stays while an order that the ERP does not count is reserved there',
    { measured: measured(figures('40', '6'), figures('10')), lines: [reserved('6', false)] },
    [],
  ],
  [
    'and stays when the ERP counts it: both went down',
    {
      places: [place(1, '34'), place(2, '10')],
      measured: measured(figures('40', '6'), figures('10')),
      lines: [reserved('6', true)],
    },
    [],
  ],
  ['at each of them', { measured: measured(null, null) }, [`${east}: 0 -> 40`, `${west}: 0 -> 10`]],
])('the quantity on hand at a facility is set: %s', (_, change, expected) => expect(sent(change)).toEqual(expected));

describe('a listing that comes back from the archive', () => {
  const back = (change: Partial<FacilitySnapshot>) =>
    decide({
      listing: {
        ...LISTED,
        archived: true,
        comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false },
      },
      ...change,
    }).actions.map(({ action }) => action);
  const inStep = measured(figures('40'), figures('10'));
  const settled = command({ state: 'settled', justApplied: true });
  const refused = command({ state: 'settled' });
  test.each<[string, Partial<FacilitySnapshot>, string[]]>([
    ['is set first', { measured: measured(figures('1'), figures('10')) }, ['facility-stock.reconcile']],
    ['is listed once it is in step', { measured: inStep }, ['product.restore']],
    [
      'is listed although the ERP has stock elsewhere',
      { measured: inStep, unmapped: ['DAMAGED'] },
      ['product.restore'],
    ],
    [
      'waits for what is on its way',
      { measured: inStep, places: [place(1, '40', { command: command() }), place(2, '10')] },
      [],
    ],
    ['waits while nothing is known of its facilities', { measured: null }, []],
    [
      'is listed when it was told what is not measured in the archive',
      { measured: measured(null, figures('10')), places: [place(1, '40', { command: settled }), place(2, '10')] },
      ['product.restore'],
    ],
    [
      'is told again what was refused, or applied long ago',
      { measured: measured(null, figures('10')), places: [place(1, '40', { command: refused }), place(2, '10')] },
      ['facility-stock.reconcile'],
    ],
    [
      'waits while its listings are paused',
      {
        measured: inStep,
        listing: {
          ...LISTED,
          archived: true,
          comingBack: {
            why: 'active in the ERP again',
            hold: cause('product-paused', { reason: 'stocktaking' }),
            isOutdated: false,
          },
        },
      },
      [],
    ],
  ])('the facility flow restores an archived listing: %s', (_, change, expected) =>
    expect(back(change)).toEqual(expected),
  );
});

describe('a listing that comes back is what a brake watches, not what is set while it is archived', () => {
  const listing = {
    ...LISTED,
    archived: true,
    comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false },
  };
  const brakes = (change: Partial<FacilitySnapshot>) => decide({ listing, ...change }).actions.map(braked);

  test.each<[string, Partial<FacilitySnapshot>, unknown[]]>([
    ['more', { measured: measured(figures('1'), figures('10')) }, [['facility-stock.reconcile', '40', null]]],
    ['none', { places: [place(1, '0'), place(2, '10')] }, [['facility-stock.reconcile', '0', null]]],
    ['listed with what there is', {}, [['product.restore', 'listed, 50 available', 'increase']]],
    [
      'listed with what nobody mapped',
      {
        places: [place(1, '0')],
        measured: measured(figures('0'), figures('3')),
      },
      [['product.restore', 'listed, 3 available', 'increase']],
    ],
    [
      'listed with nothing',
      { places: [place(1, '0')], measured: measured(null, null) },
      [['product.restore', 'listed, 0 available', null]],
    ],
  ])(
    'the stock brake counts a listing that leaves the archive, not figures set while it is archived: %s',
    (_, change, expected) => expect(brakes(change)).toEqual(expected),
  );
});

describe('while what has to be read before more is given could not be', () => {
  const unread = cause('orders-unread', { problem: null });

  test("without the reads that an increase needs, a facility's increase is held with the reason, and a decrease is set", () => {
    const places = [place(1, '41'), place(2, '9')];
    const { actions, holds } = decide({ places, unread });
    expect([actions.map(({ after }) => after), holds]).toEqual([['9'], [unread]]);
  });

  test('without the reads that an increase needs, other facility decisions are not held', () => {
    const places = [place(1, '0'), place(2, '9')];
    const { actions, holds } = decide({ places, unread });
    expect([actions.map(({ after }) => after), holds]).toEqual([['9', '0'], []]);
  });

  test('without the reads that an increase needs, a listing neither leaves the archive nor is set', () => {
    const listing = {
      ...LISTED,
      archived: true,
      comingBack: { why: 'active in the ERP again', hold: null, isOutdated: false },
    };
    for (const available of ['40', '39']) {
      expect(decide({ listing, places: [place(1, available)], unread })).toMatchObject({
        actions: [],
        holds: [unread],
      });
    }
  });

  test('the reason of a failed read is listed with the other holds', () => {
    const { holds } = decide({ places: [place(1, '41')], unmapped: ['NORTH'], unread });
    expect(holds).toEqual([NORTH, unread]);
  });
});

test('facility writes without a brake go first, then the follow-ups of sent commands, then zeroings and increases', () => {
  const places = [
    place(1, '60'),
    place(2, '0'),
    { ...place(3, '4'), command: command({ lookInMs: 0 }) },
    { ...place(4, '5') },
  ];
  const fifty = [1, 2, 3, 4].map((id) => [placeOf(id, id === 1 ? 1 : 7), figures('50')] as const);
  const { actions } = decide({ places, measured: new Map(fifty) });
  expect(actions.map(braked)).toEqual([
    ['facility-stock.reconcile', '5', null],
    ['facility-stock.follow', null, null],
    ['facility-stock.reconcile', '0', 'zero'],
    ['facility-stock.reconcile', '60', 'increase'],
  ]);
});

test.each<[string, Partial<FacilitySnapshot>]>([
  ['for a product that is not sold', { sku: null }],
  ['without a listing', { listing: null }],
  ['for an archived listing', { listing: { ...LISTED, archived: true } }],
  ['for a listing whose quantity the marketplace does not keep', { listing: { ...LISTED, managed: false } }],
  ['where the ERP says nothing, however much the marketplace shows', { places: [place(1, '40')] }],
])('no quantity of a facility is set: %s', (_, change) => {
  const { actions, holds } = decide({ measured: measured(figures('40'), figures('99')), ...change });
  expect([actions, holds]).toEqual([[], []]);
});

test.each<[string, Partial<FacilitySnapshot>, Cause]>([
  ['while the measurements are not known', { measured: null }, cause('measurements-unread')],
  ['of a SKU that stands twice', { twins: 2 }, cause('sku-twice', { sku: 'SB-1', count: 2 })],
  ['of what does not fit', { invalidRow: INVALID_ANSWER }, INVALID_ANSWER],
  ['of what the ERP says nothing at all', { places: [] }, cause('stock-unknown', { sku: 'SB-1' })],
  [
    'of an impossible figure',
    { places: [place(1, '100000000')] },
    cause('stock-unusable', { sku: 'SB-1', place: 'EAST', problem: 'available is not below 100000000 (100000000)' }),
  ],
])('no quantity of a facility is set, and %s: held', (_, change, reason) => {
  const decision = decide({ measured: measured(null, null), ...change });
  expect([decision.actions, decision.holds]).toEqual([[], [reason]]);
});

test('an order line that cannot be counted lets the stock of its facility fall, and no other facility rise', () => {
  const places = [place(1, '4'), place(2, '90')];
  const { actions, holds } = decide({ places, lineProblem: LINE, measured: measured(figures('10'), figures('10')) });
  expect(actions.map(({ after }) => after)).toEqual(['4']);
  expect(holds).toEqual([LINE]);
});

test('an unmapped location is reported; the other facilities are set', () => {
  const { actions, holds } = decide({ unmapped: ['NORTH'], measured: measured(figures('1'), figures('10')) });
  expect(actions).toHaveLength(1);
  expect(holds).toEqual([NORTH]);
});

test.each([
  ['40', '40', '0', 'zero'],
  ['40', '40', '-3', 'zero'],
  ['40', '0', '5', undefined],
  ['0', '0', '5', 'increase'],
  ['40', '40', '39', undefined],
  ['40', '40', '41', 'increase'],
])('a brake judges a facility with on hand %s, available %s, to %s: %s', (onHand, available, erp, brake) => {
  const { actions } = decide({
    places: [place(1, erp)],
    measured: measured(figures(onHand, d(onHand).minus(available).toFixed()), null),
    lines: [reserved(d(onHand).minus(available).toFixed(), false)],
  });
  expect(actions[0]).toMatchObject(brake === undefined ? { action: 'facility-stock.reconcile' } : { brake });
});

describe('a command that has not ended', () => {
  const places = (change: Partial<PlaceCommand>) => [place(1, '39', { command: command(change) }), place(2, '9')];

  test('a running command delays the next one for its facility only, and its status is asked for in time', () => {
    const { actions, holds, lookAgainMs } = decide({ places: places({}) });
    expect(actions.map(({ target }) => target)).toEqual(['listing 4711 (SB-1) facility 2 batch 7 on hand']);
    expect([holds, lookAgainMs]).toEqual([[], 800]);
  });

  test('the status of a running command is asked for when it is due, after the writes that can be sent', () => {
    const { actions } = decide({ places: places({ lookInMs: 0 }) });
    expect(actions.map(({ action, why }) => [action, why])).toMatchObject([
      ['facility-stock.reconcile', expect.any(String) as unknown],
      ['facility-stock.follow', 'what became of command 17, to set 40 on hand'],
    ]);
  });

  test('the status of a running command is asked for also when its listing is no longer sold', () => {
    const { actions } = decide({ sku: null, places: places({ lookInMs: 0 }) });
    expect(actions.map(({ action }) => action)).toEqual(['facility-stock.follow']);
  });

  test('a command in doubt holds its facility, and says so', () => {
    const doubt = cause('command-undecided', { said: 'command 17 is Pending', minutes: 15 });
    const { actions, holds } = decide({
      places: places({ state: 'in-doubt', evidence: doubt, lookInMs: 60_000 }),
    });
    expect(actions).toHaveLength(1);
    expect(holds).toEqual([doubt]);
  });

  test('at most five commands of a product run at once', () => {
    const many = [1, 2, 3, 4, 5, 6, 7].map((facilityId) => place(facilityId, '5'));
    const sends = (open: number) => {
      const underWay = many.map((each, i) => (i < open ? { ...each, command: command() } : each));
      return decide({ places: underWay, measured: new Map() }).actions.length;
    };
    expect([sends(0), sends(4), sends(5)]).toEqual([7, 3, 0]);
  });
});

describe('a command that failed', () => {
  const failed = (againInMs: number, erp = '40', isFirst = false) => [
    place(1, erp, { command: command({ state: 'settled', failed: { cause: FAILED, isFirst, againInMs } }) }),
  ];

  test('a command that failed for the first time waits, and holds nothing', () => {
    const { actions, holds, lookAgainMs } = decide({
      places: failed(7, '40', true),
      measured: measured(figures('1'), null),
    });
    expect([actions, holds, lookAgainMs]).toEqual([[], [], 7]);
  });

  test('a command that failed is not repeated with the same figure for a while', () => {
    const { actions, holds } = decide({ places: failed(1), measured: measured(figures('1'), null) });
    expect([actions, holds]).toEqual([[], [FAILED]]);
  });

  test('a command that failed is repeated after a wait', () => {
    expect(decide({ places: failed(0), measured: measured(figures('1'), null) }).actions).toHaveLength(1);
  });

  test('a command that failed does not delay another figure', () => {
    expect(decide({ places: failed(1, '41'), measured: measured(figures('1'), null) }).actions).toHaveLength(1);
  });
});

test.each<[string, Partial<FacilitySnapshot>, Cause]>([
  [
    'a shortage',
    { places: [place(1, '-3')], measured: measured(figures('0'), null) },
    cause('oversold', { sku: 'SB-1', by: '3', place: 'EAST' }),
  ],
  [
    'a reservation that no known order explains',
    { measured: measured(figures('40', '2'), figures('10')) },
    cause('reserved-unexplained', { listing: 4711, sku: 'SB-1', quantity: '2' }),
  ],
  [
    'the units that buyers can take where the ERP says nothing',
    { places: [place(1, '40')], measured: measured(figures('40'), figures('10')) },
    cause('unmapped-offer', { listing: 4711, sku: 'SB-1', quantity: '10', place: '2/7' }),
  ],
])('a facility raises an alert: %s', (_, change, alert) => expect(decide(change).alerts).toEqual([alert]));

test.each<[string, Partial<FacilitySnapshot>, readonly [by: string, place: string | null][]]>([
  ['with stock in the ERP', {}, []],
  ['with less than nothing at one place', { places: [place(1, '-3'), place(2, '10')] }, [['3', 'EAST']]],
  ['with orders that all places together cover', { lines: [reserved('45', false)] }, []],
  ['with more ordered than all places have', { lines: [reserved('60', false)] }, [['10', null]]],
])('a listing whose stock the marketplace does not keep is told: %s', (_, change, short) => {
  const { actions, holds, alerts } = decide({ listing: { ...LISTED, managed: false }, measured: null, ...change });
  expect([actions, holds]).toEqual([[], []]);
  expect(alerts).toEqual([
    cause('stock-not-kept', { listing: 4711, sku: 'SB-1' }),
    ...short.map(([by, at]) => cause('oversold', { sku: 'SB-1', by, place: at })),
  ]);
});

test('a facility is reconciled again soon while the ERP does not count an order yet', () => {
  expect(decide({ erpLagMs: 500 }).lookAgainMs).toBe(500);
});
