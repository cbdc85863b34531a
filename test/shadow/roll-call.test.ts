import { beforeEach, expect, test } from 'vitest';
import { alertOf } from '../../src/shadow/alerts.ts';
import { beginRoll, type SecondOpinion } from '../../src/shadow/roll-call.ts';
import { accountConfig, accountContext } from '../flows/account.ts';
import { product, productBatch, useShelf } from '../store/shelf.ts';

const shelf = useShelf();
const IDS = Array.from({ length: 20 }, (_, at) => String(at + 1));
const SHOWS_NONE = async () => new Set<string>();

beforeEach(async () => {
  const listings = IDS.map((id) => product({ id: Number(id), sku: `SKU ${id}` }));
  await shelf().store.products.record(productBatch(listings));
});

/** Calls the roll with a list that lacks so many of the twenty. Answers how many are gone, and what people are told. */
async function called(lacking: number, opinion: SecondOpinion, isWhole = true) {
  const { store } = shelf();
  const context = accountContext(store, accountConfig());
  const look = { key: 'all', lane: 'poll', signal: AbortSignal.timeout(60_000) } as const;
  const roll = await beginRoll(context, look, 'products');
  roll.saw(IDS.slice(lacking));
  await roll.settle(isWhole, opinion);
  const told = await alertOf(context, 'roll:products');
  return [IDS.length - (await store.products.count('main')), told.map(({ code }) => code)];
}

test.each<[string, number, SecondOpinion, readonly [number, readonly string[]]]>([
  ['that a second list lacks too, is gone', 1, { witness: 'second-list', shown: SHOWS_NONE }, [1, []]],
  [
    'of many that a second list lacks too, is not gone',
    5,
    { witness: 'second-list', shown: SHOWS_NONE },
    [0, ['list-lacks-many']],
  ],
  [
    'that its own call does not show, is gone, also with many others',
    5,
    { witness: 'own-get', shown: SHOWS_NONE },
    [5, []],
  ],
  ['that its own call shows, is there', 5, { witness: 'own-get', shown: async () => new Set(IDS) }, [0, []]],
  ['that nobody can tell of, is there', 1, { witness: 'own-get', shown: async () => null }, [0, []]],
  ['beside all others, is not gone', 20, { witness: 'own-get', shown: SHOWS_NONE }, [0, ['list-lacks-many']]],
])('a listing that a full list lacks, and %s', async (_, lacking, opinion, expected) => {
  expect(await called(lacking, opinion)).toEqual(expected);
});

test('an incomplete list proves no absence', async () => {
  expect(await called(1, { witness: 'own-get', shown: SHOWS_NONE }, false)).toEqual([0, []]);
});
