import { expect, test } from 'vitest';
import { readRows } from '../../src/shadow/pages.ts';
import { PageError } from '../../src/store/store-error.ts';

/* I19. A row on which our own code fails stops no other row of its page. */

interface Row {
  readonly id: number;
  readonly name: string;
}

const row = (id: number, name = 'sound'): Row => ({ id, name });

function read({ id, name }: Row): string {
  if (name === 'broken') throw new RangeError('planted');
  return `entity ${id}`;
}

const readAll = (...rows: readonly Row[]) => readRows({ rows, invalidRows: [] }, 'id', read);

test('a row on which our own code fails is set aside with the error, and the others are read', () => {
  expect(readAll(row(1), row(2, 'broken'), row(3))).toMatchObject({
    rows: ['entity 1', 'entity 3'],
    invalidRows: [{ what: '2', cause: { code: 'row-not-understood', params: { problem: 'planted' } } }],
  });
});

test('an invalid row is set aside by its name, or by its position where it has no name', () => {
  const invalidRow = { path: 'name', message: 'expected a text', raw: {} };
  const invalidRows = [
    { id: '7', index: 0, ...invalidRow },
    { id: null, index: 1, ...invalidRow },
  ];
  expect(readRows({ rows: [], invalidRows }, 'id', read).invalidRows).toEqual([
    { what: '7', path: 'name', message: 'expected a text' },
    { what: 'row 1', path: 'name', message: 'expected a text' },
  ]);
});

test('a row that is alone in its page is at fault itself', () => {
  expect(readAll(row(2, 'broken'))).toMatchObject({ rows: [], invalidRows: [{ what: '2' }] });
});

test('no row is at fault when our own code fails on each of several rows', () => {
  expect(() => readAll(row(1, 'broken'), row(2, 'broken'))).toThrow(PageError);
});
