import { describe, expect, test } from 'vitest';
import { cause } from '../../../src/domain/causes/cause.ts';
import { CallFailure, type Outcome } from '../../../src/domain/failure.ts';
import { type CreateOnce, createOnce, similarEntities } from '../../../src/flows/engine/create-once.ts';
import { useShelf } from '../../store/shelf.ts';
import { accountConfig, accountContext } from '../account.ts';

const shelf = useShelf();
const INTENT = { account: 'main', kind: 'order-in', key: 'o-1', externalId: 'o-1' } as const;
/** Twice the time-out of a call. */
const SETTLE_MS = 60_000;

/** A side that creates entities and remembers them. */
function side(found: string[] = []) {
  const made = [...found];
  let fails: Outcome | null = null;
  let isApplied = true;
  return {
    made,
    loseAnswers(outcome: Outcome | null, applied = true) {
      fails = outcome;
      isApplied = applied;
    },
    create: async () => {
      if (isApplied || fails === null) made.push(`E-${made.length + 1}`);
      if (fails === null) return made.at(-1) ?? '';
      throw new CallFailure('no answer', { side: 'erp', kind: 'unavailable', outcome: fails });
    },
    find: async () => [...made],
  };
}

function create({ create: make, find }: ReturnType<typeof side>, changes: Partial<CreateOnce<string>> = {}) {
  const context = { ...accountContext(shelf().store, accountConfig()), now: () => shelf().nowMs };
  return createOnce<string>(context, {
    intent: { kind: INTENT.kind, key: INTENT.key },
    find,
    create: make,
    record: async () => {},
    idOf: (erpId) => erpId,
    alwaysFind: false,
    ...changes,
  });
}
const linked = async () => (await shelf().store.mappings.byMarketplaceId('main', 'order', 'o-1'))?.erpId ?? null;
const unsettled = async () => (await shelf().store.intents.unsettled(INTENT))?.state ?? null;

test('a create is sent, recorded and linked', async () => {
  const erp = side();
  expect(await create(erp)).toEqual({ outcome: 'written', answer: 'ERP order E-1' });
  expect([await linked(), await unsettled()]).toEqual(['E-1', null]);
});

test('the intent of a create is stored before anything is sent', async () => {
  const erp = side();
  const seen: unknown[] = [];
  await create(erp, {
    create: async () => {
      seen.push(await unsettled());
      return 'E-1';
    },
  });
  expect(seen).toEqual(['open']);
});

test('a create that is clearly refused leaves no intent, and the next attempt creates at once', async () => {
  const erp = side();
  erp.loseAnswers('not-applied', false);
  await expect(create(erp)).rejects.toThrow('no answer');
  expect(await unsettled()).toBeNull();
  erp.loseAnswers(null);
  expect(await create(erp)).toMatchObject({ outcome: 'written' });
  expect(erp.made).toEqual(['E-1']);
});

test('a create that waited for the quota may be applied for the full time after it was sent', async () => {
  const erp = side();
  const waitMs = 10_000;
  const afterAWhile = async (sending: () => Promise<void>) => {
    shelf().nowMs += waitMs;
    await sending();
    throw new CallFailure('no answer', { side: 'marketplace', kind: 'unavailable', outcome: 'unknown' });
  };
  await expect(create(erp, { create: afterAWhile })).rejects.toThrow('no answer');
  shelf().nowMs += SETTLE_MS - 1;
  expect(await create(erp)).toMatchObject({ outcome: 'wait', waitMs: 1 });
  shelf().nowMs += 1;
  expect(await create(erp)).toMatchObject({ outcome: 'written' });
});

test('a create that was interrupted before its request left is made once, without a wait', async () => {
  const erp = side();
  await shelf().store.intents.open(INTENT);
  expect(await create(erp)).toEqual({ outcome: 'written', answer: 'ERP order E-1' });
  expect([erp.made, await linked(), await unsettled()]).toEqual([['E-1'], 'E-1', null]);
});

test('a create that was interrupted after the sending waits, counted from the sending', async () => {
  const { store } = shelf();
  await store.intents.sending(await store.intents.open(INTENT));
  shelf().nowMs += 10_000;
  expect(await create(side())).toMatchObject({ outcome: 'wait', waitMs: SETTLE_MS - 10_000 });
});

test('a create waits if the machine crashed meanwhile, since the request may have left', async () => {
  const { store } = shelf();
  await store.machineIs('main', 'one start of the machine');
  await store.intents.open(INTENT);
  await store.machineIs('main', 'one start of the machine');
  expect(await store.intents.unsettled(INTENT)).toMatchObject({ leftAtMs: null });
  await store.machineIs('main', 'the next');
  expect(await create(side())).toMatchObject({ outcome: 'wait', waitMs: SETTLE_MS });
});

test('an interrupted create waits where the system does not report its boot time', async () => {
  const { store } = shelf();
  await store.machineIs('main', null);
  await store.intents.open(INTENT);
  await store.machineIs('main', null);
  expect(await create(side())).toMatchObject({ outcome: 'wait', waitMs: SETTLE_MS });
});

describe('an answer that is lost', () => {
  async function lost(applied: boolean) {
    const erp = side();
    erp.loseAnswers('unknown', applied);
    await expect(create(erp)).rejects.toThrow('no answer');
    expect(await unsettled()).toBe('open');
    erp.loseAnswers(null);
    return erp;
  }

  test('a create with a lost answer that was applied is adopted, not repeated', async () => {
    const erp = await lost(true);
    expect(await create(erp)).toMatchObject({ outcome: 'noted', adopted: 'ERP order E-1' });
    expect([erp.made, await linked(), await unsettled()]).toEqual([['E-1'], 'E-1', null]);
  });

  test('a create with a lost answer that was not applied waits for a late request, and is then made once', async () => {
    const erp = await lost(false);
    expect(await create(erp)).toMatchObject({ outcome: 'wait', waitMs: SETTLE_MS });
    shelf().nowMs += SETTLE_MS - 1;
    expect(await create(erp)).toMatchObject({ outcome: 'wait', waitMs: 1 });
    shelf().nowMs += 1;
    expect(await create(erp)).toEqual({ outcome: 'written', answer: 'ERP order E-1' });
    expect(erp.made).toEqual(['E-1']);
  });

  test('a request that is applied late, while the create waits, has its entity adopted', async () => {
    const erp = await lost(false);
    await create(erp);
    erp.made.push('E-late');
    expect(await create(erp)).toMatchObject({ outcome: 'noted', adopted: 'ERP order E-late' });
    expect(erp.made).toEqual(['E-late']);
  });

  test('a lookup that begins while the request may still be applied does not prove that nothing was created', async () => {
    const erp = await lost(false);
    shelf().nowMs += SETTLE_MS - 1;
    const answeredBefore = async () => {
      const found = [...erp.made];
      erp.made.push('E-late');
      shelf().nowMs += 1;
      return found;
    };
    expect(await create(erp, { find: answeredBefore })).toMatchObject({ outcome: 'wait' });
    expect(await create(erp)).toMatchObject({ outcome: 'noted', adopted: 'ERP order E-late' });
    expect(erp.made).toEqual(['E-late']);
  });

  test('a clock that was set back neither shortens nor prolongs the wait of a create', async () => {
    const erp = await lost(false);
    shelf().nowMs -= 3_600_000;
    expect(await create(erp)).toMatchObject({ outcome: 'wait', waitMs: SETTLE_MS });
    await shelf().store.restampFuture('main');
    shelf().nowMs += SETTLE_MS - 1;
    expect(await create(erp)).toMatchObject({ outcome: 'wait', waitMs: 1 });
    shelf().nowMs += 1;
    expect(await create(erp)).toMatchObject({ outcome: 'written' });
  });

  test('a lost create with two matches is in doubt until an operator decides', async () => {
    const erp = await lost(true);
    erp.made.push('E-2');
    const found = ['ERP order E-1', 'ERP order E-2'];
    const doubt = { outcome: 'in-doubt', doubt: cause('several-match', { found, sent: true }) };
    expect(await create(erp)).toEqual(doubt);
    shelf().nowMs += 10 * SETTLE_MS;
    expect(await create(erp)).toEqual(doubt);
    expect(erp.made).toHaveLength(2);
  });

  test('a create with a malformed success answer and no match is in doubt, and is never repeated', async () => {
    const erp = side();
    const taken = async () => {
      erp.made.push('E-1');
      const facts = { side: 'erp', kind: 'invalid-answer', outcome: 'unknown', status: 201 } as const;
      throw new CallFailure('the answer does not fit', facts);
    };
    await expect(create(erp, { create: taken })).rejects.toThrow('the answer does not fit');
    const notShown = { find: async () => [] };
    expect(await create(erp, notShown)).toMatchObject({ outcome: 'wait' });
    shelf().nowMs += SETTLE_MS;
    const doubt = cause('made-and-not-found', { answer: 'the answer does not fit' });
    expect(await create(erp, notShown)).toEqual({ outcome: 'in-doubt', doubt });
    shelf().nowMs += 10 * SETTLE_MS;
    expect(await create(erp, notShown)).toEqual({ outcome: 'in-doubt', doubt });
    expect(erp.made).toEqual(['E-1']);
  });

  test('a lost create is in doubt where an empty lookup proves nothing', async () => {
    const erp = await lost(false);
    shelf().nowMs += SETTLE_MS;
    const unprovable = async () => similarEntities('Orders look like it', ['o-9', 'o-10']);
    const alike = cause('look-alikes', { what: 'Orders look like it', found: ['o-9', 'o-10'] });
    expect(await create(erp, { unprovable })).toEqual({ outcome: 'in-doubt', doubt: alike });
    const [doubt] = await shelf().store.intents.of(INTENT);
    expect(doubt).toMatchObject({ state: 'in-doubt', candidates: '["o-9","o-10"]' });
    expect(erp.made).toEqual([]);
  });

  test('a create with a lost answer is not repeated while the other side does not answer', async () => {
    const erp = await lost(true);
    const broken = () =>
      Promise.reject(new CallFailure('down', { side: 'erp', kind: 'unavailable', outcome: 'unknown' }));
    shelf().nowMs += SETTLE_MS;
    await expect(create(erp, { find: broken })).rejects.toThrow('down');
    expect(erp.made).toEqual(['E-1']);
  });

  test('a lost create of an entity that is no longer wanted is adopted if it exists, and never repeated', async () => {
    const there = await lost(true);
    expect(await create(there, { create: null })).toMatchObject({ answer: 'adopted ERP order E-1' });
    expect(await linked()).toBe('E-1');
  });

  test('a lost create of an entity that is no longer wanted and does not exist is settled', async () => {
    const erp = await lost(false);
    expect(await create(erp, { create: null })).toMatchObject({ outcome: 'wait' });
    shelf().nowMs += SETTLE_MS;
    expect(await create(erp, { create: null })).toMatchObject({ outcome: 'noted' });
    expect([erp.made, await unsettled()]).toEqual([[], null]);
  });
});

test('an existing entity without an attempt of ours is adopted, where the lookup is cheap', async () => {
  const erp = side(['E-7']);
  expect(await create(erp, { alwaysFind: true })).toMatchObject({ answer: 'adopted ERP order E-7' });
  expect([erp.made, await linked()]).toEqual([['E-7'], 'E-7']);
});

describe('the decision of an operator', () => {
  const ann = { by: 'Ann', isWorked: false };

  async function inDoubt(erp: ReturnType<typeof side>) {
    erp.made.push('E-1', 'E-2');
    expect(await create(erp, { alwaysFind: true })).toEqual({
      outcome: 'in-doubt',
      doubt: cause('several-match', { found: ['ERP order E-1', 'ERP order E-2'], sent: false }),
    });
    const [intent] = await shelf().store.doubts.after(0, 1_000);
    if (intent === undefined) throw new Error('nothing is in doubt');
    expect(intent.candidates).toBe('["E-1","E-2"]');
    return intent;
  }

  test('a create that an operator dropped is not sent until another create is due', async () => {
    const erp = side();
    await shelf().store.doubts.drop(await inDoubt(erp), ann);
    erp.made.length = 0;
    expect(await create(erp)).toMatchObject({
      outcome: 'dropped',
      doubt: { code: 'given-up', params: { by: 'Ann', doubt: { code: 'several-match' } } },
    });
    expect(erp.made).toEqual([]);
    expect(
      await create(erp, { intent: { kind: INTENT.kind, key: INTENT.key, externalId: 'o-1 as it is now' } }),
    ).toMatchObject({
      outcome: 'written',
    });
  });

  test('a create that an operator retries looks on both sides again, and what exists is not created a third time', async () => {
    const erp = side();
    await shelf().store.doubts.retry(await inDoubt(erp), ann);
    expect(await create(erp, { alwaysFind: true })).toMatchObject({ outcome: 'in-doubt' });
    expect(erp.made).toHaveLength(2);
    const [again] = await shelf().store.doubts.after(0, 1_000);
    if (again !== undefined) await shelf().store.doubts.retry(again, ann);
    erp.made.length = 0;
    expect(await create(erp, { alwaysFind: true })).toMatchObject({ outcome: 'written' });
  });
});

test('a side that refuses a duplicate reference is asked again at once', async () => {
  const erp = side();
  erp.loseAnswers('unknown', false);
  await expect(create(erp)).rejects.toThrow('no answer');
  erp.loseAnswers(null);
  expect(await create(erp)).toMatchObject({ outcome: 'wait' });
  expect(await create(erp, { isUnique: async () => true })).toMatchObject({ outcome: 'written' });
  expect(erp.made).toEqual(['E-1']);
});
