import { beforeEach, describe, expect, test } from 'vitest';
import { type Cause, type Code, cause, sentencesOf } from '../../../src/domain/causes/cause.ts';
import type { FailureCode } from '../../../src/domain/causes/reads.ts';
import type { Lane, WorkKey } from '../../../src/store/work.ts';
import { causeOf } from '../../support/causes.ts';
import { d, order, orderBatch, stockRow, useShelf } from '../shelf.ts';

const shelf = useShelf();
const work = () => shelf().store.work;
const A: WorkKey = { account: 'main', flow: 'order-in', key: 'o-1' };
const B: WorkKey = { account: 'main', flow: 'order-in', key: 'o-2' };
const mark = (target = A, lane: Lane = 'poll', reason = 'changed') => work().mark([target], lane, reason);
const row = async (target = A) => {
  const found = await work().get(target);
  if (found === null) throw new Error(`${target.key} is not on record`);
  return found;
};
const X = causeOf('x');
const due = async () => (await work().due('main', 100)).map((each) => each.key);

test('a marked key is stored once, with the last reason, however often it is marked', async () => {
  await mark();
  await mark(A, 'poll', 'changed again');
  expect(await due()).toEqual(['o-1']);
  expect(await row()).toMatchObject({ version: 2, reason: 'changed again', state: 'pending' });
  await work().mark([A, B, A], 'poll', 'all');
  expect(await row()).toMatchObject({ version: 4 });
  expect(await work().pending('main')).toBe(2);
});

test('the age of the work is that of its longest waiting key', async () => {
  const { nowMs } = shelf();
  await work().mark([{ ...A, account: 'other' }], 'poll', 'changed');
  await mark(A);
  await work().hold(A, 1, [X]);
  expect(await work().pendingSinceMs('main')).toBeNull();
  shelf().nowMs += 5;
  await mark(B);
  shelf().nowMs += 5;
  await mark({ ...A, key: 'o-3' });
  expect(await work().pendingSinceMs('main')).toBe(nowMs + 5);
});

test('due keys come by lane, and the oldest first within one', async () => {
  const keys: [string, Lane][] = [
    ['backfill', 'backfill'],
    ['poll', 'poll'],
    ['later', 'poll'],
    ['webhook', 'webhook'],
    ['operator', 'operator'],
    ['new order', 'new-order'],
    ['told', 'follow-up'],
  ];
  for (const [key, lane] of keys) {
    await mark({ ...A, key }, lane);
    shelf().nowMs += 1;
  }
  await mark({ ...A, key: 'poll' }, 'poll');
  expect(await due()).toEqual(['operator', 'new order', 'webhook', 'poll', 'later', 'backfill', 'told']);
});

test('a key of one lane neither delays nor waits for keys of another lane', async () => {
  const lanes = ['backfill', 'poll', 'webhook', 'operator', 'new-order'] as const;
  for (const lane of lanes) for (const each of [1, 2, 3]) await mark({ ...A, key: `${lane} ${each}` }, lane);
  const found = (await work().due('main', 4, 0)).map(({ lane }) => lane);
  expect(found.filter((lane) => lane === 'operator' || lane === 'new-order')).toHaveLength(4);
  expect(found.slice(4)).toEqual(['webhook', 'webhook', 'webhook', 'poll']);
});

test('the accounts with a due key are found in one query', async () => {
  const held = { ...A, account: 'held' };
  const late = { ...A, account: 'late' };
  await work().mark([A, B, { ...A, account: 'other' }, held, late, { ...A, account: 'unasked' }], 'poll', 'changed');
  await work().hold(held, 1, [X]);
  await work().postpone(late, 1, shelf().nowMs + 1, []);
  const asked = ['late', 'main', 'held', 'other', 'unknown'];
  expect((await work().accountsDue(asked)).toSorted()).toEqual(['main', 'other']);
  shelf().nowMs += 1;
  expect((await work().accountsDue(asked)).toSorted()).toEqual(['late', 'main', 'other']);
  expect(await work().accountsDue([])).toEqual([]);
});

test.each<[Lane, Lane, Lane]>([
  ['poll', 'webhook', 'webhook'],
  ['webhook', 'poll', 'webhook'],
  ['operator', 'backfill', 'operator'],
  ['backfill', 'backfill', 'backfill'],
])('a key marked in lane %s and then in lane %s is in lane %s, the more urgent one', async (first, then, expected) => {
  await mark(A, first);
  await mark(A, then);
  expect((await row()).lane).toBe(expected);
});

test('a held key comes in the lane of the event that marks it', async () => {
  await mark(A, 'operator');
  await work().hold(A, 1, [X]);
  await mark(A, 'backfill');
  expect((await row()).lane).toBe('backfill');
});

test('a newly marked key is due, and may repeat a write that had no effect', async () => {
  const vain = cause('write-without-effect', { action: 'x', target: 'x', before: '1', after: '2', again: false });
  for (const [target, why] of [[A, vain] as const, [B, X] as const]) {
    await mark(target);
    await work().hold(target, 1, [why]);
  }
  await work().markAfresh([A, B], 'backfill', 'looked at afresh');
  expect(await row(A)).toMatchObject({ state: 'pending', lane: 'backfill', heldFor: [{ params: { again: true } }] });
  expect(await row(B)).toMatchObject({ state: 'pending', lane: 'backfill', heldFor: [X] });
});

const REFUSED = cause('erp-refuses-for-now', {
  action: 'order-in.create',
  target: 'ERP order for o-1',
  before: null,
  after: 'reserved',
  message: 'no',
  waitsFor: 'stock',
  skus: ['SB-0001', 'SB-0002'],
  seen: {},
  againAtMs: 0,
  again: false,
});

test('a write that the ERP refuses for now is tried again when one of its products changes, or when its key is marked anew', async () => {
  const hold = async () => {
    await mark(A);
    await work().hold(A, (await row(A)).version, [REFUSED]);
  };
  await hold();
  expect(await work().release({ account: 'main', codes: ['erp-refuses-for-now'], skus: ['SB-0003'] })).toBe(0);
  expect(await work().release({ account: 'main', codes: ['erp-refuses-for-now'], skus: ['SB-0002'] })).toBe(1);
  const { erp } = shelf().store;
  for (const [sku, state] of [
    ['SB-0009', 'held'],
    ['SB-0001', 'pending'],
  ] as const) {
    await hold();
    await erp.recordStock('main', [stockRow({ sku, productId: sku, available: d('7') })], 'poll');
    expect(await row(A), sku).toMatchObject({ state, heldFor: [REFUSED] });
  }
  expect((await erp.stockRows('main', 'SB-0001')).map(({ available }) => available.toFixed())).toEqual(['7']);
  await hold();
  await work().markAfresh([A], 'backfill', 'looked at afresh');
  expect(await row(A)).toMatchObject({ heldFor: [{ params: { again: true } }] });
});

test('a key that changes during a job that succeeds stays pending', async () => {
  await mark();
  const { version } = await row();
  await mark();
  expect(await work().settle(A, version)).toBe(false);
  expect(await due()).toEqual(['o-1']);
  expect(await work().settle(A, (await row()).version)).toBe(true);
  expect(await work().get(A)).toBeNull();
});

test('a key that changes during a job that is held stays pending', async () => {
  await mark();
  await mark();
  expect(await work().hold(A, 1, [X])).toBe(false);
  expect(await row()).toMatchObject({ state: 'pending', heldFor: null });
});

test('a key that changes during a job that is postponed is due at once', async () => {
  await mark();
  await mark();
  expect(await work().postpone(A, 1, shelf().nowMs + 60_000, [])).toBe(false);
  expect(await due()).toEqual(['o-1']);
});

test('a key that changes during a job that fails stays pending, and the failure is listed', async () => {
  await mark();
  await mark();
  await work().fail(A, 1, 'erp-refused', 'no', 5);
  expect(await due()).toEqual(['o-1']);
  expect(await work().failed()).toHaveLength(1);
});

test('the failures of a key that changes during its job count as attempts until it succeeds', async () => {
  for (const attempts of [5, 1]) {
    await mark();
    await work().fail(A, (await row()).version, 'erp-refused', 'no', attempts);
  }
  expect(await work().failed()).toMatchObject([{ attempts: 6 }]);
  await mark();
  await work().settle(A, (await row()).version);
  await mark();
  await work().fail(A, (await row()).version, 'erp-refused', 'no', 1);
  expect(await work().failed()).toMatchObject([{ attempts: 1 }]);
});

test('a key that is released during its job stays pending', async () => {
  await mark();
  await work().hold(A, 1, [X]);
  await work().release({});
  expect(await work().hold(A, 1, [X])).toBe(false);
  expect(await due()).toEqual(['o-1']);
});

describe('work whose last attempt did not succeed', () => {
  const WHY = cause('tried-again', { message: 'answered 500', lock: null });

  test('work whose last attempt failed stays due and says why, until the next result', async () => {
    await mark();
    await work().tried(A, 1, WHY);
    expect(await due()).toEqual(['o-1']);
    expect(await row()).toMatchObject({ state: 'pending', heldFor: [WHY], heldSinceMs: shelf().nowMs });
    expect((await work().groups('main', 'held')).map(({ code }) => code)).toEqual(['tried-again']);
    await work().tried(A, 1, cause('tried-again', { message: 'answered 503', lock: null }));
    expect(sentencesOf((await row()).heldFor ?? [])).toContain('answered 503');
    await work().settle(A, 1);
    expect(await work().groups('main', 'held')).toEqual([]);
  });

  test('a failed attempt keeps the other causes of a hold', async () => {
    await mark();
    await work().hold(A, 1, [X]);
    await work().release({});
    const { version } = await row();
    await work().tried(A, version, WHY);
    expect((await row()).heldFor).toEqual([X, WHY]);
  });

  test('work whose last attempt failed is pending and not held, and its earlier failure stays', async () => {
    await mark();
    await work().fail(A, 1, 'erp-refused', 'no', 5);
    await mark();
    const { version } = await row();
    await work().tried(A, version, WHY);
    expect(await work().failed()).toHaveLength(1);
    expect(await work().held('main')).toEqual([]);
    expect((await work().counts()).map(({ state, count }) => [state, count])).toEqual([
      ['pending', 1],
      ['failed', 1],
    ]);
    const waits = cause('waits-first', { reason: 'of this test' });
    await work().postpone(A, version, shelf().nowMs + 1_000, [waits]);
    expect((await row()).heldFor).toEqual([waits]);
    expect(await work().held('main')).toEqual([]);
  });

  test('a failed attempt does not change since when a key is held', async () => {
    await mark();
    await work().hold(A, 1, [X]);
    const { heldSinceMs } = await row();
    await work().release({});
    shelf().nowMs += 60_000;
    const { version } = await row();
    await work().tried(A, version, WHY);
    await work().hold(A, version, [X]);
    expect(await row()).toMatchObject({ heldSinceMs, heldFor: [X] });
  });

  test('a failed attempt is not recorded for a key that changed meanwhile', async () => {
    await mark();
    await mark();
    await work().tried(A, 1, WHY);
    expect(await row()).toMatchObject({ heldFor: null });
  });
});

describe('work that cannot be done now', () => {
  test('postponed work waits until its time or until it changes', async () => {
    await mark();
    expect(await work().postpone(A, 1, shelf().nowMs + 1_000, [])).toBe(true);
    expect(await due()).toEqual([]);
    expect(await work().pending('main')).toBe(1);
    shelf().nowMs += 1_000;
    expect(await due()).toEqual(['o-1']);
    await work().postpone(A, 1, shelf().nowMs + 1_000, []);
    await mark();
    expect(await due()).toEqual(['o-1']);
  });

  test('held work keeps its reason, and waits for a change', async () => {
    await mark();
    expect(await work().hold(A, 1, [X])).toBe(true);
    expect(await due()).toEqual([]);
    expect(await work().held('main')).toMatchObject([{ key: 'o-1', heldFor: [X] }]);
    await mark();
    expect(await due()).toEqual(['o-1']);
  });

  test('held work is held since the first attempt with this code, whatever was read meanwhile', async () => {
    const y = cause('paused', { reason: 'x' });
    const sinceMs = shelf().nowMs;
    const holdAgain = async (held: Cause) => {
      shelf().nowMs += 1_000;
      await mark();
      await work().hold(A, (await row()).version, [held]);
      return (await row()).heldSinceMs;
    };
    await mark();
    await work().hold(A, 1, [X]);
    expect(await holdAgain(X)).toBe(sinceMs);
    expect(await holdAgain(y)).toBe(shelf().nowMs);
  });

  test('held work is counted completely by flow and code, and can be listed in order', async () => {
    const y = cause('paused', { reason: 'x' });
    const other: WorkKey = { account: 'main', flow: 'stock', key: 'P-1' };
    for (const [target, causes] of [
      [A, [X, y]],
      [B, [X]],
      [other, [X]],
      [{ ...A, account: 'other' }, [X]],
    ] as const) {
      await mark(target);
      await work().hold(target, 1, causes);
      shelf().nowMs += 1;
    }
    const begunMs = shelf().nowMs - 4;
    const at = (first: number, last = first) => ({ firstMs: begunMs + first, lastMs: begunMs + last });
    expect(await work().groups('main', 'held')).toEqual([
      { about: 'order-in', code: X.code, count: 2, key: 'o-1', cause: X, ...at(0, 1) },
      { about: 'order-in', code: y.code, count: 1, key: 'o-1', cause: y, ...at(0) },
      { about: 'stock', code: X.code, count: 1, key: 'P-1', cause: X, ...at(2) },
    ]);
    const after = async (last: WorkKey | null) => (await work().heldAfter('main', last, 2)).map(({ key }) => key);
    expect([await after(null), await after(B), await after(other)]).toEqual([['o-1', 'o-2'], ['P-1'], []]);
  });

  test('held work is counted without keys whose causes are all counted elsewhere', async () => {
    const doubt = cause('several-match', { found: ['listing 70'], sent: true });
    const y = cause('paused', { reason: 'x' });
    const held = { 'o-1': [X], 'o-2': [X, y], 'o-3': [doubt], 'o-4': [doubt, y], 'o-5': [doubt] };
    for (const [key, causes] of Object.entries(held)) {
      await mark({ ...A, key });
      await work().hold({ ...A, key }, 1, causes);
    }
    const { intents } = shelf().store;
    for (const key of ['o-3', 'o-4', 'o-6']) {
      const id = await intents.open({ account: 'main', kind: 'order-in', key, externalId: key });
      if (key !== 'o-6') await intents.inDoubt(id, doubt);
    }
    const counts = async (codes: readonly Code[]) => work().heldBesides('main', codes);
    expect(await counts([])).toEqual([{ flow: 'order-in', count: 4 }]);
    expect(await counts([X.code])).toEqual([{ flow: 'order-in', count: 3 }]);
    expect(await counts([X.code, y.code, doubt.code])).toEqual([]);
    const groups = await work().groups('main', 'held');
    expect(groups.find(({ code }) => code === doubt.code)).toMatchObject({ count: 1, key: 'o-5' });
  });

  test('held work with a shared cause is counted once for each thing that its keys share', async () => {
    const status = (name: string) => cause('customer-status-unknown', { status: name });
    for (const [key, causes] of [
      ['C-1', [status('Gold'), status('it\'s: a "test"')]],
      ['C-2', [status('Gold')]],
      ['C-3', [status('')]],
    ] as const) {
      const target = { account: 'main', flow: 'customer', key };
      await mark(target);
      await work().hold(target, 1, causes);
    }
    const told = (await work().groups('main', 'held')).map((of) => [of.cause, of.count, of.key]);
    expect(told).toEqual([
      [status('Gold'), 2, 'C-1'],
      [status(''), 1, 'C-3'],
      [status('it\'s: a "test"'), 1, 'C-1'],
    ]);
  });

  test.each(['failed', 'in-doubt', 'alert'] as const)(
    'work that is %s is counted by its cause, with the first key',
    async (state) => {
      const { store, nowMs } = shelf();
      const doubt = cause('several-match', { found: ['listing 70'], sent: true });
      for (const key of ['P-2', 'P-1', 'P-3']) {
        const target = { account: 'main', flow: 'stock', key };
        await mark(target);
        await work().fail(target, 1, 'erp-not-found', `no ${key}`, 5);
        const id = await store.intents.open({ account: 'main', kind: 'product', key, externalId: key });
        if (key !== 'P-3') await store.intents.inDoubt(id, doubt);
        await store.facts.set('main', `alert:stock:${key}`, JSON.stringify([doubt, cause('paused', { reason: key })]));
        shelf().nowMs += 1;
      }
      await store.facts.set('main', 'alert:orders', JSON.stringify([doubt]));
      const told = (await work().groups('main', state)).map((of) => [
        of.about,
        of.cause,
        of.count,
        of.key,
        of.firstMs,
        of.lastMs,
      ]);
      expect(told).toEqual(
        {
          failed: [['stock', cause('erp-not-found', { message: 'no P-2' }), 3, 'P-2', nowMs, nowMs + 2]],
          'in-doubt': [['product', doubt, 2, 'P-2', nowMs, nowMs + 1]],
          alert: [
            ['orders', doubt, 1, '', null, null],
            ['stock', doubt, 3, 'P-1', null, null],
            ...['P-1', 'P-2', 'P-3'].map((key) => ['stock', cause('paused', { reason: key }), 1, key, null, null]),
          ],
        }[state],
      );
      expect(await work().groups('other', state)).toEqual([]);
    },
  );

  test.each<[string, readonly Code[] | undefined, Lane]>([
    ['what held it is over', ['paused'], 'new-order'],
    ['it is only looked at again', undefined, 'backfill'],
    ['a listing has stock again', ['backorder'], 'backfill'],
  ])('a new order comes first again when %s', async (_why, codes, lane) => {
    const entered: WorkKey = { account: 'main', flow: 'order-in', key: 'entered' };
    const product: WorkKey = { account: 'main', flow: 'product', key: 'P-1' };
    await shelf().store.mappings.link({
      account: 'main',
      kind: 'order',
      marketplaceId: entered.key,
      erpId: 'S-1',
      how: 'created',
    });
    for (const target of [A, entered, product]) {
      await work().mark([target], 'new-order', 'changed');
      const { version } = await row(target);
      await work().hold(target, version, [cause('paused', { reason: 'x' }), causeOf('backorder')]);
    }
    // A look from time to time is bulk. It does not keep the order there.
    await work().release({});
    await work().release(codes === undefined ? {} : { codes });
    const lanes = await Promise.all([A, entered, product].map(async (target) => (await row(target)).lane));
    expect(lanes).toEqual([lane, 'backfill', 'backfill']);
  });

  test('a new order that waited for its product comes first once that is linked', async () => {
    const { store } = shelf();
    await store.orders.record(orderBatch([order()]));
    await work().hold(A, (await row()).version, [X]);
    await store.mappings.link({ account: 'main', kind: 'product', marketplaceId: '70', erpId: 'P-1', how: 'created' });
    expect(await row()).toMatchObject({ state: 'pending', lane: 'new-order' });
  });

  test('held work is released by account, by flow, and by the code of its cause', async () => {
    const paused = cause('paused', { reason: 'x' });
    const held: [WorkKey, Cause][] = [
      [A, paused],
      [{ ...A, flow: 'stock' }, paused],
      [{ ...A, account: 'other' }, paused],
      [B, cause('links-unknown')],
    ];
    for (const [target, one] of held) {
      await mark(target);
      await work().hold(target, 1, [X, one]);
    }
    expect(await work().release({ account: 'main', flow: 'order-in', codes: ['paused'] })).toBe(1);
    expect(await row(A)).toMatchObject({ state: 'pending' });
    expect(await work().release({ codes: ['brake-kind-waits', 'links-unknown'] })).toBe(1);
    expect(await work().release({ account: 'other' })).toBe(1);
    expect(await work().release({})).toBe(1);
    expect(await work().pending('main')).toBe(3);
  });

  describe('held, and to be looked at again', () => {
    const paused = cause('paused', { reason: 'x' });
    const shown = async () => ({
      held: (await work().held('main')).map(({ key }) => key),
      after: (await work().heldAfter('main', null, 10)).map(({ key }) => key),
      groups: (await work().groups('main', 'held')).map(({ code, count }) => [code, count]),
      counts: (await work().counts()).map(({ state, count }) => [state, count]),
    });
    const HELD = { held: ['o-1'], after: ['o-1'], groups: [['paused', 1]], counts: [['held', 1]] };
    const NOT_HELD = { held: [], after: [], groups: [] };

    beforeEach(async () => {
      await mark();
      await work().hold(A, 1, [paused]);
    });

    test.each<[string, () => Promise<unknown>]>([
      ['it is released', () => work().release({ account: 'main' })],
      ['it is released because the cause may be over', () => work().release({ account: 'main', codes: ['paused'] })],
      ['its entity changed', () => mark()],
      ['it gives way', async () => [await mark(), await work().giveWay(A, 2)]],
    ])('held work stays held in every view when %s', async (_, happens) => {
      await happens();
      expect(await row()).toMatchObject({ state: 'pending' });
      expect(await shown()).toEqual(HELD);
    });

    test.each<[string, () => Promise<unknown>, [string, number][]]>([
      ['finds nothing to do', () => work().settle(A, 2), []],
      ['waits for something', () => work().postpone(A, 2, 0, []), [['pending', 1]]],
      ['fails', () => work().fail(A, 2, 'erp-refused', 'no', 1), [['failed', 1]]],
    ])('held work is released when an attempt %s', async (_, ends, counts) => {
      await mark();
      await ends();
      expect(await shown()).toEqual({ ...NOT_HELD, counts });
      if ((await work().get(A)) === null) return;
      await mark();
      expect(await shown()).toMatchObject(NOT_HELD);
    });

    test('held work is released when its cause is known to be over', async () => {
      await mark();
      await work().release({ account: 'main', codes: ['paused'], isOver: true });
      expect(await shown()).toEqual({ ...NOT_HELD, counts: [['pending', 1]] });
      expect(await due()).toEqual(['o-1']);
    });

    test('held work stays held when another cause is known to be over', async () => {
      await work().hold(A, 1, [paused, X]);
      await work().release({ account: 'main', codes: ['paused'], isOver: true });
      expect(await shown()).toMatchObject({ held: ['o-1'], counts: [['held', 1]] });
    });

    test('a failed job counts as failed while it waits for another attempt', async () => {
      await work().fail(A, 1, 'erp-refused', 'no', 1);
      await mark();
      expect((await shown()).counts).toEqual([
        ['pending', 1],
        ['failed', 1],
      ]);
    });
  });

  test('a held key that is marked again waits since this mark, not since it was held', async () => {
    await mark();
    await work().hold(A, 1, [X]);
    shelf().nowMs += 5_000;
    await mark();
    expect((await row()).sinceMs).toBe(shelf().nowMs);
    shelf().nowMs += 5_000;
    await mark();
    expect((await row()).sinceMs).toBe(shelf().nowMs - 5_000);
  });
});

describe('failed jobs', () => {
  const fail = async (target = A, code: FailureCode = 'erp-refused', message = 'no such customer') => {
    await mark(target);
    await work().fail(target, (await row(target)).version, code, message, 5);
  };

  test('failed jobs are not due, and stay listed with their cause', async () => {
    await fail();
    expect(await due()).toEqual([]);
    expect(await work().failed()).toMatchObject([
      { ...A, cause: 'erp-refused', message: 'no such customer', attempts: 5, failedAtMs: shelf().nowMs },
    ]);
  });

  test('failed jobs are found by account, cause or message, and id', async () => {
    await fail();
    await fail(B, 'marketplace-invalid-answer', 'results[0].status');
    const [first] = await work().failed({ error: 'NO SUCH' });
    expect(first?.key).toBe('o-1');
    expect((await work().failed({ error: 'invalid-answer' })).map((job) => job.key)).toEqual(['o-2']);
    expect((await work().failed({ ids: [first?.id ?? 0] })).map((job) => job.key)).toEqual(['o-1']);
    expect(await work().failed({ account: 'other' })).toEqual([]);
    expect(await work().failed({ error: '%' })).toEqual([]);
  });

  test('a failed job that fails again is the same failed job, with the last message', async () => {
    await fail();
    await fail(A, 'erp-refused', 'still no');
    expect(await work().failed()).toMatchObject([{ message: 'still no' }]);
  });

  test('a replayed job is reconciled anew, and stays listed until that attempt succeeds', async () => {
    await fail();
    await work().replay(await work().failed(), 'Ann');
    expect(await due()).toEqual(['o-1']);
    expect(await work().failed()).toHaveLength(1);
    await work().settle(A, (await row()).version);
    expect(await work().failed()).toEqual([]);
  });

  test('a replayed job that is held is held and not failed', async () => {
    await fail();
    await mark();
    await work().hold(A, (await row()).version, [X]);
    expect(await work().failed()).toEqual([]);
  });

  test('discarded, are gone, and what came meanwhile is not', async () => {
    await fail();
    await fail(B);
    const jobs = await work().failed();
    await mark(B);
    await work().discard(jobs, 'Ann');
    expect(await work().failed()).toEqual([]);
    expect(await work().get(A)).toBeNull();
    expect(await due()).toEqual(['o-2']);
  });

  test('the acts of an operator on failed jobs are recorded', async () => {
    await fail();
    await work().replay(await work().failed(), 'Ann');
    await work().discard(await work().failed(), 'Bob');
    const acts = await shelf().store.journal.of('main', 'order-in', 'o-1', 5);
    expect(acts.map(({ action, why }) => [action, why])).toEqual([
      ['job.discard', 'by Bob'],
      ['job.replay', 'by Ann'],
    ]);
  });
});

test('work counts list the account, flow, state and the age of the oldest key', async () => {
  await mark();
  shelf().nowMs += 10;
  await mark(B);
  await work().hold(B, 1, [X]);
  await mark({ ...A, account: 'other' });
  const counts = await work().counts();
  expect(counts).toHaveLength(3);
  expect(counts).toContainEqual({ account: 'main', flow: 'order-in', state: 'pending', count: 1, oldestMs: 1_000_000 });
  expect(counts).toContainEqual({ account: 'main', flow: 'order-in', state: 'held', count: 1, oldestMs: 1_000_010 });
});

test('follow-ups are due although the backlog is full, and keys are due only for their own account', async () => {
  const targets = (account: string, keys: readonly string[]) => keys.map((key) => ({ account, flow: 'order-in', key }));
  await work().mark(targets('main', ['b-1', 'b-2', 'b-3']), 'backfill', 'a whole pass');
  await work().mark(targets('other', ['d-1', 'd-2', 'd-3']), 'follow-up', 'its mark is left');
  await work().mark(targets('main', ['m-1']), 'follow-up', 'its mark is left');
  const keys = async (account: string) => (await work().due(account, 2, 2)).map(({ key }) => key);
  expect(await keys('main')).toEqual(['b-1', 'b-2', 'm-1']);
  expect(await keys('other')).toEqual(['d-1', 'd-2']);
  expect(await keys('elsewhere')).toEqual([]);
});
