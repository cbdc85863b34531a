import { expect, it } from 'vitest';
import { filesErp } from '../../../src/erp/files/kind.ts';
import { PRODUCTS, SECTION, STOCK } from './exchange-folder.ts';

const doubtsOf = (changes: object) => {
  const lists = { products: PRODUCTS, stock: STOCK, stock_changes: { ...STOCK, files: 'changes-*.csv', ...changes } };
  const section = filesErp.schema.parse({ ...SECTION, type: 'files', dir: '.', lists });
  return (filesErp.doubts?.(section) ?? []).map(({ path }) => path.join('.'));
};

it('a file of changes that could be truncated is incomplete, unless a last line or a .done file marks its end', () => {
  expect(doubtsOf({})).toEqual(['lists.stock_changes']);
  expect(doubtsOf({ trailer: { marks: 'END' } })).toEqual([]);
  expect(doubtsOf({ done: true })).toEqual([]);
  expect(doubtsOf({ files: 'changes-*.json', format: 'json' })).toEqual([]);
});
