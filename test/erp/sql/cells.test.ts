import { expect, test } from 'vitest';
import { rawRows } from '../../../src/erp/sql/cells.ts';

const rowOf = (attributes: string) => {
  const columns = [
    { name: 'id', kind: 'plain' },
    { name: 'attributes', kind: 'json' },
  ] as const;
  return rawRows({ columns, rows: [['7', attributes]], count: 1, insertId: null }, 'UTC')[0];
};

test('JSON in a cell keeps its digits, and sets no property of the program', () => {
  expect(rowOf('{"a": 12.5000, "b": [1, {"c": null}]}')).toEqual({
    id: '7',
    attributes: { a: '12.5000', b: [1, { c: null }] },
  });
  rowOf('{"__proto__": {"polluted": true}}');
  expect({}).not.toHaveProperty('polluted');
});

test.each([65, 2_000, 100_000, 2_000_000])(
  'JSON that is %i levels deep is a text, which is invalid for every field',
  (levels) => {
    const text = `${'['.repeat(levels)}${']'.repeat(levels)}`;
    expect(rowOf(text)).toEqual({ id: '7', attributes: text });
  },
);
