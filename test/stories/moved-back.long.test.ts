import { describe, expect, test } from 'vitest';
import { type Cause, shownCause } from '../../src/domain/causes/cause.ts';
import { parseFault } from '../../src/sandbox/marketplace/faults.ts';
import { alertOf } from '../../src/shadow/alerts.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/* A status that a person moves back is that person's change: it is carried or held, and never answered by our own earlier move. */

const NAMED = '      transitions: { accept: accept, fulfill: fulfill, reject: reject }';
const WITH_SHIP = '      transitions: { accept: accept, fulfill: fulfill, ship: ship, reject: reject }';

type ErpStatus = 'draft' | 'reserved' | 'shipped' | 'cancelled';
/** Moves the order on one of the sides. */
type Move = readonly [side: 'marketplace', status: string] | readonly [side: 'erp', status: ErpStatus];

let stage: Stage;
let played: Played[];

type Pair = readonly [marketplace: string, erp: string];

/** An order that plays a case. */
interface Played {
  readonly each: Case;
  readonly number: string;
}

interface Case {
  readonly name: string;
  readonly ship?: boolean;
  readonly strategy?: 'a' | 'b' | 'c';
  /** The moves that both sides agree on, each followed by a pass. */
  readonly before: readonly Move[];
  /** The moves of the people at once, before the next pass. */
  readonly back: readonly Move[];
  /** Where the sides agree at once and go on: their statuses in the end. */
  readonly left?: Pair;
  /** The code that holds the order; null: both sides agree. */
  readonly code: string | null;
  readonly orCode?: string;
  readonly by?: 'marketplace' | 'erp';
  /** The next steps of the cause: the words of each, and the moves of a person that do it. Each ends the case. */
  readonly next?: readonly (readonly [words: string, ...moves: Move[]])[];
  /** Where the sides go on after a next step: their statuses in the end. */
  readonly ends?: Readonly<Record<number, Pair>>;
}

const CASES: readonly Case[] = [
  ...['Canceled', 'Rejected', 'Cancelled'].map(
    (status): Case => ({
      name: `${status} on the marketplace by mistake, and Accepted again`,
      before: [['marketplace', status]],
      back: [['marketplace', 'Accepted']],
      code: 'reopened',
      by: 'marketplace',
      next: [
        ['reopen ERP order SO', ['erp', 'reserved']],
        ['cancel or reject the order on the marketplace again', ['marketplace', 'Canceled']],
      ],
    }),
  ),
  {
    name: 'Rejected by us after the ERP cancelled it, and Submitted again',
    before: [['erp', 'cancelled']],
    back: [['marketplace', 'Submitted']],
    code: 'reopened',
    by: 'marketplace',
    next: [
      ['reopen ERP order SO', ['erp', 'reserved']],
      ['cancel or reject the order on the marketplace again', ['marketplace', 'Rejected']],
    ],
  },
  {
    name: 'Canceled on the marketplace, and Fulfilled',
    before: [['marketplace', 'Canceled']],
    back: [['marketplace', 'Fulfilled']],
    code: 'reopened',
    by: 'marketplace',
    next: [
      ['reopen ERP order SO', ['erp', 'shipped']],
      ['cancel or reject the order on the marketplace again', ['marketplace', 'Rejected']],
    ],
  },
  {
    name: 'Canceled on the marketplace, and in Backorder',
    before: [['marketplace', 'Canceled']],
    back: [['marketplace', 'Backorder']],
    code: 'reopened',
    by: 'marketplace',
    next: [['cancel or reject the order on the marketplace again', ['marketplace', 'Canceled']]],
  },
  {
    name: 'cancelled in the ERP after the buyer cancelled it, and reserved again',
    before: [['marketplace', 'Canceled']],
    back: [['erp', 'reserved']],
    code: 'reopened',
    by: 'erp',
    next: [
      ['set the order back to Accepted on the marketplace', ['marketplace', 'Accepted']],
      ['cancel ERP order SO again', ['erp', 'cancelled']],
    ],
  },
  {
    name: 'cancelled by mistake in the ERP, and reserved again after we rejected it',
    before: [['erp', 'cancelled']],
    back: [['erp', 'reserved']],
    code: 'reopened',
    by: 'erp',
    next: [
      ['set the order back to Accepted on the marketplace', ['marketplace', 'Accepted']],
      ['cancel ERP order SO again', ['erp', 'cancelled']],
    ],
  },
  {
    name: 'cancelled on both sides, and a draft in the ERP',
    before: [['marketplace', 'Canceled']],
    back: [['erp', 'draft']],
    code: 'reopened',
    by: 'erp',
    next: [['cancel ERP order SO again', ['erp', 'cancelled']]],
  },
  {
    name: 'cancelled on both sides, and shipped in the ERP',
    before: [['marketplace', 'Canceled']],
    back: [['erp', 'shipped']],
    code: 'reopened',
    by: 'erp',
    next: [
      ['set the order back to Accepted on the marketplace', ['marketplace', 'Accepted']],
      ['cancel ERP order SO again', ['erp', 'cancelled']],
    ],
    ends: { 0: ['Fulfilled', 'shipped'] },
  },
  {
    name: 'cancelled on both sides, and taken up on both',
    before: [['marketplace', 'Canceled']],
    back: [
      ['marketplace', 'Accepted'],
      ['erp', 'reserved'],
    ],
    code: null,
  },
  {
    name: 'cancelled on both sides, taken up on both, and shipped at once',
    before: [['marketplace', 'Canceled']],
    back: [
      ['marketplace', 'Accepted'],
      ['erp', 'shipped'],
    ],
    code: null,
    left: ['Fulfilled', 'shipped'],
  },
  ...['Accepted', 'Submitted'].map(
    (status): Case => ({
      name: `Fulfilled on the marketplace and shipped in the ERP, and ${status} again`,
      before: [['erp', 'shipped']],
      back: [['marketplace', status]],
      code: 'moved-back',
      by: 'marketplace',
      next: [
        ['set the order to Fulfilled again on the marketplace', ['marketplace', 'Fulfilled']],
        ['undo the shipment of ERP order SO', ['erp', 'reserved']],
      ],
    }),
  ),
  ...['Shipped', 'Complete'].map(
    (status): Case => ({
      name: `${status} on the marketplace and shipped in the ERP, and Accepted again`,
      before: [
        ['erp', 'shipped'],
        ['marketplace', status],
      ],
      back: [['marketplace', 'Accepted']],
      code: 'moved-back',
      by: 'marketplace',
      next: [
        [`set the order to ${status} again on the marketplace`, ['marketplace', status]],
        ['undo the shipment of ERP order SO', ['erp', 'reserved']],
      ],
    }),
  ),
  {
    name: 'Shipped by us where ship is named, and Fulfilled again',
    ship: true,
    before: [['erp', 'shipped']],
    back: [['marketplace', 'Fulfilled']],
    code: 'moved-back',
    by: 'marketplace',
    next: [['set the order to Shipped again on the marketplace', ['marketplace', 'Shipped']]],
  },
  {
    name: 'Complete on the marketplace, and Shipped again',
    ship: true,
    before: [
      ['erp', 'shipped'],
      ['marketplace', 'Complete'],
    ],
    back: [['marketplace', 'Shipped']],
    code: null,
  },
  ...(['reserved', 'draft'] as const).map(
    (status): Case => ({
      name: `shipped in the ERP, and ${status} again`,
      before: [['erp', 'shipped']],
      back: [['erp', status]],
      code: 'moved-back',
      by: 'erp',
      next: [
        ['ship ERP order SO again', ['erp', 'shipped']],
        [
          'set the order back to Accepted on the marketplace',
          ['marketplace', 'Accepted'],
          ...(status === 'draft' ? ([['erp', 'reserved']] as const) : []),
        ],
      ],
    }),
  ),
  {
    name: 'shipped, and taken back on both sides',
    before: [['erp', 'shipped']],
    back: [
      ['erp', 'reserved'],
      ['marketplace', 'Accepted'],
    ],
    code: null,
  },
  {
    name: 'Fulfilled by a person before the ERP shipped, and Accepted again',
    before: [['marketplace', 'Fulfilled']],
    back: [['marketplace', 'Accepted']],
    code: null,
  },
  {
    name: 'Fulfilled by a person, and Accepted again while the ERP ships',
    before: [['marketplace', 'Fulfilled']],
    back: [
      ['marketplace', 'Accepted'],
      ['erp', 'shipped'],
    ],
    code: 'moved-both-ways',
    // The shipment alone may be seen first, and agrees with Fulfilled.
    orCode: 'moved-back',
    next: [
      ['set the order to Fulfilled', ['marketplace', 'Fulfilled']],
      ['undo the shipment of ERP order SO', ['erp', 'reserved']],
    ],
  },
  {
    name: 'Fulfilled on the marketplace while the ERP cancels',
    before: [],
    back: [
      ['marketplace', 'Fulfilled'],
      ['erp', 'cancelled'],
    ],
    code: 'moved-both-ways',
    next: [
      ['reject or cancel the order on the marketplace', ['marketplace', 'Rejected']],
      ['reopen ERP order SO', ['erp', 'reserved']],
    ],
  },
  {
    name: 'shipped, Accepted again on the marketplace while the ERP cancels',
    before: [['erp', 'shipped']],
    back: [
      ['marketplace', 'Accepted'],
      ['erp', 'cancelled'],
    ],
    code: 'moved-both-ways',
    next: [
      ['reject or cancel the order on the marketplace', ['marketplace', 'Rejected']],
      ['reopen ERP order SO', ['erp', 'reserved']],
    ],
  },
  {
    name: 'shipped, Rejected on the marketplace while the ERP takes the shipment back',
    before: [['erp', 'shipped']],
    back: [
      ['marketplace', 'Rejected'],
      ['erp', 'reserved'],
    ],
    code: 'moved-both-ways',
    next: [
      ['set the order back to Accepted on the marketplace', ['marketplace', 'Accepted']],
      ['cancel ERP order SO', ['erp', 'cancelled']],
    ],
  },
  {
    name: 'Canceled on the marketplace while the ERP ships',
    before: [],
    back: [
      ['marketplace', 'Canceled'],
      ['erp', 'shipped'],
    ],
    code: 'dead-but-shipped',
    next: [
      ['set the order to Fulfilled on the marketplace', ['marketplace', 'Fulfilled']],
      ['cancel ERP order SO', ['erp', 'cancelled']],
    ],
    ends: { 0: ['Fulfilled', 'shipped'] },
  },
  {
    name: 'an unknown status on the marketplace, and Accepted again',
    before: [['marketplace', 'Archived']],
    back: [['marketplace', 'Accepted']],
    code: null,
  },
  {
    name: 'Accepted on the marketplace, and Submitted again',
    before: [],
    back: [['marketplace', 'Submitted']],
    code: null,
  },
  {
    name: 'Fulfilled in a strategy that reserves then, and Accepted again',
    strategy: 'c',
    before: [['marketplace', 'Fulfilled']],
    back: [['marketplace', 'Accepted']],
    code: null,
  },
  {
    name: 'exported at Fulfilled, cancelled, and Fulfilled again',
    strategy: 'a',
    before: [
      ['marketplace', 'Fulfilled'],
      ['marketplace', 'Canceled'],
    ],
    back: [['marketplace', 'Fulfilled']],
    code: 'reopened',
    by: 'marketplace',
    next: [
      ['reopen ERP order SO', ['erp', 'reserved']],
      ['cancel or reject the order on the marketplace again', ['marketplace', 'Canceled']],
    ],
  },
];

const erpIdOf = ({ number }: Played) => stage.erp.control.findOrders(number)[0]?.id ?? '';
const statusesOf = (one: Played): Pair => [
  stage.marketplace.order(one.number).status,
  stage.erp.control.findOrders(one.number)[0]?.status ?? 'none',
];

function move(one: Played, [side, status]: Move): void {
  if (side === 'marketplace') stage.marketplace.forceStatus(one.number, status);
  else stage.erp.control.forceStatus(erpIdOf(one), status);
}

async function causesOf({ number }: Played): Promise<readonly Cause[]> {
  const work = await stage.store().work.get({ account: 'main', flow: 'order-in', key: number });
  return [
    ...(work?.heldFor ?? []),
    ...(await alertOf({ account: 'main', store: stage.store() }, `order-in:${number}`)),
  ];
}

/** An accepted order of each case, which the ERP has, moved as both sides agree. */
async function begin({ ship = false, strategy = 'b', cases }: Group): Promise<void> {
  stage = await openStage({ marketplace: ship ? WITH_SHIP : NAMED, strategy, timeout: '1s' });
  stage.erp.control.seed(2);
  for (const { sku } of stage.erp.control.state().products) stage.erp.control.setStock(sku, '5000');
  await stage.sync();
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const listing = stage.marketplace.productBySku('SB-0001').id;
  played = cases.map((each) => {
    const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: listing, quantity: '7' }] });
    stage.marketplace.transition(number, 'accept');
    return { each, number };
  });
  await stage.sync();
  await bringBefore();
}

/** Moves the orders as both sides agree, each move followed by a pass. */
async function bringBefore(): Promise<void> {
  for (let step = 0; played.some(({ each }) => each.before.length > step); step += 1) {
    for (const one of played) for (const made of one.each.before.slice(step, step + 1)) move(one, made);
    await stage.sync();
  }
}

const TAKEN_UP: readonly Move[] = [
  ['marketplace', 'Accepted'],
  ['erp', 'reserved'],
];

const moveBack = () => {
  for (const one of played) for (const made of one.each.back) move(one, made);
};

/** The statuses that the people want, in the order of `played`. */
const wanted = () =>
  played.map((one): Pair => {
    const last = (side: 'marketplace' | 'erp') => one.each.back.findLast(([of]) => of === side)?.[1];
    const [there, here] = statusesOf(one);
    return one.each.left ?? [last('marketplace') ?? there, last('erp') ?? here];
  });

/** The cases that did not end as they are told, each with what was seen. */
async function wrongAfter(
  expected: readonly Pair[],
  toldBy: (each: Case) => Pick<Case, 'code' | 'orCode' | 'by' | 'next'> = (each) => each,
): Promise<string[]> {
  const quiet = await stage.sync();
  const wrong =
    quiet.written > 0 || quiet.failed > 0 ? [`a second pass wrote ${quiet.written}, failed ${quiet.failed}`] : [];
  for (const [at, one] of played.entries()) {
    const { name } = one.each;
    const { code, orCode, by, next = [] } = toldBy(one.each);
    const causes = await causesOf(one);
    const seen = `${statusesOf(one).join('/')} ${causes.map((cause) => `${cause.code} ${JSON.stringify(cause.params)}`).join('; ')}`;
    const isRight =
      statusesOf(one).join() === expected[at]?.join() &&
      [code ?? '', orCode ?? code].includes(causes.map((cause) => cause.code).join()) &&
      (by === undefined || causes.some(({ params }) => 'by' in params && params.by === by));
    const advice = causes.map((cause) => shownCause(cause).next).join(' ');
    const missing = next.map(([words]) => words.replace('SO', erpIdOf(one))).filter((words) => !advice.includes(words));
    if (!isRight || missing.length > 0) wrong.push([name, seen, ...missing].join(': '));
  }
  return wrong;
}

const TIMES: Readonly<Record<string, () => Promise<void>>> = {
  async 'while both sides are quiet'() {
    moveBack();
    await stage.sync();
  },
  async 'while the program is stopped'() {
    await stage.stop();
    moveBack();
    await stage.sync();
  },
  async 'and the program is restarted once it has seen it'() {
    moveBack();
    await stage.sync();
    await stage.stop();
    await stage.sync();
  },
  async 'while the ERP is away'() {
    stage.erp.control.inject({ kind: 'status', status: 503, times: null });
    moveBack();
    await stage.sync().catch(() => {});
    stage.erp.control.clearFaults();
    await stage.sync();
  },
  async 'while the marketplace is away'() {
    stage.marketplace.faults.set(parseFault('status-before,status=503'));
    moveBack();
    await stage.sync().catch(() => {});
    stage.marketplace.faults.clear();
    await stage.sync();
  },
};

interface Group {
  readonly ship?: boolean | undefined;
  readonly strategy?: 'a' | 'b' | 'c' | undefined;
  readonly cases: readonly Case[];
}

const GROUPS = [
  ...Map.groupBy(CASES, ({ ship = false, strategy = 'b' }) => `strategy ${strategy}${ship ? ', ship named' : ''}`),
].map(([settings, cases]) => ({ settings, cases, ship: cases[0]?.ship, strategy: cases[0]?.strategy }));

describe.each(GROUPS)('a status moved back ($settings)', (group) => {
  test.each(Object.entries(TIMES))(
    'a status that is moved back: %s is carried over or held, and never answered by our earlier step',
    async (_, act) => {
      await begin(group);
      const expected = wanted();
      await act();
      expect(await wrongAfter(expected)).toEqual([]);
    },
  );

  test.each([0, 1])('next step %i of each cause ends the hold of a status that was moved back', async (at) => {
    await begin({ ...group, cases: group.cases.filter(({ next = [] }) => next.length > at) });
    moveBack();
    await stage.sync();
    for (const one of played) for (const made of (one.each.next?.[at] ?? []).slice(1)) move(one, made as Move);
    const ends = played.map((one): Pair => one.each.ends?.[at] ?? statusesOf(one));
    await stage.sync();
    expect(await wrongAfter(ends, () => ({ code: null }))).toEqual([]);
  });

  test('a status that is moved back a second time is a change like the first', async () => {
    await begin(group);
    for (let times = 0; times < 2; times += 1) {
      moveBack();
      await stage.sync();
      for (const one of played) for (const made of TAKEN_UP) move(one, made);
      await stage.sync();
      expect(
        await wrongAfter(
          played.map(() => ['Accepted', 'reserved']),
          () => ({ code: null }),
        ),
      ).toEqual([]);
      await bringBefore();
    }
    const expected = wanted();
    moveBack();
    await stage.sync();
    expect(await wrongAfter(expected)).toEqual([]);
  });
});

/** The write is applied, its answer is lost, and a person moves the order back before the program looks again. */
const UNDER_WAY: readonly {
  readonly name: string;
  readonly first: Move;
  readonly lost: 'marketplace' | 'erp';
  readonly back: Move;
  readonly code: string;
  readonly by: 'marketplace' | 'erp';
}[] = [
  {
    name: 'Accepted again while the ERP cancels for a Canceled one',
    first: ['marketplace', 'Canceled'],
    lost: 'erp',
    back: ['marketplace', 'Accepted'],
    code: 'reopened',
    by: 'marketplace',
  },
  {
    name: 'reserved again right after we cancelled it',
    first: ['marketplace', 'Canceled'],
    lost: 'erp',
    back: ['erp', 'reserved'],
    code: 'reopened',
    by: 'erp',
  },
  {
    name: 'Accepted again right after we rejected it',
    first: ['erp', 'cancelled'],
    lost: 'marketplace',
    back: ['marketplace', 'Accepted'],
    code: 'reopened',
    by: 'marketplace',
  },
  {
    name: 'reserved again while we reject it',
    first: ['erp', 'cancelled'],
    lost: 'marketplace',
    back: ['erp', 'reserved'],
    code: 'reopened',
    by: 'erp',
  },
  {
    name: 'Accepted again right after we fulfilled it',
    first: ['erp', 'shipped'],
    lost: 'marketplace',
    back: ['marketplace', 'Accepted'],
    code: 'moved-back',
    by: 'marketplace',
  },
  {
    name: 'the shipment taken back while we fulfil it',
    first: ['erp', 'shipped'],
    lost: 'marketplace',
    back: ['erp', 'reserved'],
    code: 'moved-back',
    by: 'erp',
  },
];

describe.each(UNDER_WAY)('our write is under way: $name', ({ name, first, lost, back, code, by }) => {
  test.each(['the program goes on', 'the program is restarted'])(
    'a status that is moved back during our write: %s',
    async (how) => {
      await begin({ cases: [{ name, before: [], back: [back], code, by }] });
      const [one] = played;
      if (one === undefined) throw new Error('no order plays it');
      move(one, first);
      if (lost === 'erp') stage.erp.control.inject({ kind: 'lose-answer', method: 'PATCH' });
      else stage.marketplace.faults.set(parseFault('reset-after@orders.transition,times=1'));
      const goes = stage.sync().catch(() => {});
      const target = lost === 'erp' ? 1 : 0;
      const was = ['Accepted', 'reserved'][target];
      await until('the write is applied', () => statusesOf(one)[target] !== was);
      if (how === 'the program is restarted') await stage.stop();
      move(one, back);
      await goes;
      const expected = statusesOf(one);
      await stage.sync();
      expect(await wrongAfter([expected])).toEqual([]);
      expect(statusesOf(one)[back[0] === 'erp' ? 1 : 0]).toBe(back[1]);
    },
  );
});
