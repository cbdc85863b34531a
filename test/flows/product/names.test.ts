import { describe, expect, test } from 'vitest';
import { nameKey } from '../../../src/domain/name.ts';
import { pickNamed, unknownName } from '../../../src/flows/product/names.ts';
import { useShelf } from '../../store/shelf.ts';

const named = (id: number, name: string, parentId: number | null = null) => ({ id, name, parentId });

test.each([
  ['Pre-Rolls', 'pre-rolls'],
  ['  Blue \t Dream  ', 'blue dream'],
  ['ＦＬＯＷＥＲ', 'flower'],
  ['Crème', 'crème'],
])('%j and %j are the same name', (one, other) => {
  expect(nameKey(one)).toBe(nameKey(other));
});

test.each<[string, Parameters<typeof pickNamed>, ReturnType<typeof pickNamed>]>([
  ['nothing is none', [[], null, 'brand'], null],
  ['the only one is meant', [[named(3, 'Flower')], null, 'category'], { id: 3, problem: null }],
  ['what belongs to another is not', [[named(3, 'Other', 8)], 7, 'sub-category'], null],
  [
    'the one that belongs to it is',
    [[named(3, 'Other', 8), named(4, 'Other', 7)], 7, 'sub-category'],
    { id: 4, problem: null },
  ],
  ['one of which nothing is shown may be', [[named(3, 'Other')], 7, 'sub-category'], { id: 3, problem: null }],
  [
    'one that is known to belong to it goes first',
    [[named(3, 'Other'), named(4, 'Other', 7)], 7, 'sub-category'],
    { id: 4, problem: null },
  ],
  ['without a category, all are possible', [[named(3, 'Other', 8)], null, 'sub-category'], { id: 3, problem: null }],
])('of several records with the same name: %s', (_, given, expected) => {
  expect(pickNamed(...given)).toEqual(expected);
});

test('two records with the same name are for a person to tell apart', () => {
  expect(pickNamed([named(3, 'Flower'), named(9, 'FLOWER')], null, 'category')).toEqual({
    id: null,
    problem:
      '2 records on the marketplace have the name of this category: "Flower" (3), "FLOWER" (9); rename all but one',
  });
});

test.each([
  [['Flower', 'Flour', 'Edibles'], '; the nearest are "Flower", "Flour"'],
  [['Flower', 'Edibles'], '; the nearest is "Flower"'],
  [['A', 'B', 'C', 'D'], '; it has "A", "B", "C" and 1 more'],
  [['Edibles'], '; it has "Edibles"'],
  [[], '; it has none at all'],
])('with the names %j, an unknown name is reported with similar names', (names, advice) => {
  const all = names.map((name, index) => named(index, name));
  expect(unknownName('category', 'Flowr', all)).toBe(`the marketplace has no category "Flowr"${advice}`);
});

describe('the stored lists', () => {
  const shelf = useShelf();

  test('a stored name is found however it is spelled, by kind and account', async () => {
    const { names } = shelf().store;
    expect(await names.replace('main', 'brand', [named(1, 'Juniper  Ridge'), named(2, 'Other')])).toBe(true);
    await names.replace('main', 'category', [named(5, 'juniper ridge')]);
    await names.replace('north', 'brand', [named(6, 'juniper ridge')]);
    expect(await names.find('main', 'brand', ' JUNIPER RIDGE')).toEqual([named(1, 'Juniper  Ridge')]);
  });

  test('a list of names replaces the stored one, and counts as a change when they differ', async () => {
    const { names } = shelf().store;
    const lines = [named(2, 'B', 7), named(1, 'A', 7)];
    await names.replace('main', 'product_line', lines);
    expect(await names.replace('main', 'product_line', lines.toReversed())).toBe(false);
    expect(await names.replace('main', 'product_line', [named(1, 'A', 8)])).toBe(true);
    await names.add('main', 'product_line', named(3, 'C', 8));
    await names.add('main', 'product_line', named(3, 'C', 8));
    expect(await names.list('main', 'product_line', 10)).toEqual([named(1, 'A', 8), named(3, 'C', 8)]);
  });
});
