import { expect, test } from 'vitest';
import { parseJson } from '../../src/http/json.ts';
import type { Operation } from '../../src/marketplace/operations/operation.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { readPage } from '../../src/marketplace/page.ts';
import { ORDER, ORDER_JSON } from './loopback.ts';

const orders = OPERATIONS['orders.list'] as Operation;
const AT = '2030-01-01T00:00:00Z';
const offsets: Operation = { ...orders, paging: 'offset' };

async function pageOf(rows: readonly string[]) {
  const read = await readPage(
    orders,
    {},
    parseJson(`{"count":${rows.length},"next":null,"results":[${rows.join()}]}`),
    AT,
  );
  if ('issue' in read) throw new Error(read.issue.path);
  return read.page;
}

test('an invalid row is set aside with its place, and the rest of the page is read', async () => {
  const broken = ORDER_JSON.replace('"2.0000"', '"two"');
  const page = await pageOf([ORDER_JSON, broken, '{"id":7}', '5', ORDER_JSON]);
  expect(page.rows).toEqual([parseJson(ORDER_JSON), parseJson(ORDER_JSON)]);
  expect(page.raw).toHaveLength(5);
  expect(page.invalidRows).toMatchObject([
    {
      index: 1,
      id: ORDER,
      path: 'results[1].line_items[0].quantity',
      message: 'expected a decimal number',
      raw: parseJson(broken),
    },
    { index: 2, id: '7', path: 'results[2].number', raw: { id: 7 } },
    { index: 3, id: null, path: 'results[3]', raw: 5 },
  ]);
});

test('the rows of a page are the very objects the server sent', async () => {
  const answer = parseJson(`{"count":1,"results":[${ORDER_JSON}]}`) as { results: unknown[] };
  const read = await readPage(orders, {}, answer, AT);
  expect('page' in read && read.page.rows[0]).toBe(answer.results[0]);
});

test.each([
  ['a status nobody knows', ORDER_JSON.replace('Submitted', 'Draft')],
  ['fields nobody knows', ORDER_JSON.replace('{', '{"frozen_data":[{}],"colour":{"deep":[1]},')],
  ['no lines', ORDER_JSON.replace(/"line_items":\[.*\]/s, '"line_items":null')],
  ['a discount as Money', ORDER_JSON.replace('1.50', '{"amount":"1.50","currency":"USD"}')],
  ['a whole price as text', ORDER_JSON.replace('12.10', '"12"')],
])('a row with %s is valid', async (_, row) => {
  expect((await pageOf([row])).invalidRows).toEqual([]);
});

test.each([
  ['a status that is no text', ORDER_JSON.replace('"Submitted"', '5'), 'status'],
  ['no time of change', ORDER_JSON.replace('modified', 'changed'), 'modified'],
  ['a quantity with an exponent', ORDER_JSON.replace('"2.0000"', '2e3'), 'line_items[0].quantity'],
  ['a price without a currency', ORDER_JSON.replace('currency', 'money'), 'line_items[0].ordered_unit_price.currency'],
  ['a discount in words', ORDER_JSON.replace('1.50', '"much"'), 'discount_amount'],
  ['Money without an amount as discount', ORDER_JSON.replace('1.50', '{"currency":"USD"}'), 'discount_amount.amount'],
])('a row with %s is invalid', async (_, row, path) => {
  expect((await pageOf([row])).invalidRows).toMatchObject([{ path: `results[0].${path}` }]);
});

test.each([
  ['the last page', orders, {}, { count: 2, next: null, rows: 2 }, false],
  ['a next page', orders, {}, { count: 9, next: 'https://x/?page=2', rows: 2 }, true],
  ['a capped first page without next', orders, { page_size: 500 }, { count: 9, next: undefined, rows: 2 }, true],
  ['a capped first page that denies a next', orders, { page_size: 500 }, { count: 9, next: null, rows: 2 }, true],
  ['a later page that denies a next', orders, { page: 3, page_size: 2 }, { count: 9, next: null, rows: 2 }, false],
  [
    'a later page without next, by its number',
    orders,
    { page: 3, page_size: 2 },
    { count: 9, next: undefined, rows: 2 },
    true,
  ],
  [
    'the last page without next, by its number',
    orders,
    { page: 3, page_size: 2 },
    { count: 6, next: undefined, rows: 2 },
    false,
  ],
  ['an empty page', orders, {}, { count: 9, next: 'https://x/?page=2', rows: 0 }, false],
  ['a middle of limit and offset', offsets, { offset: 4 }, { count: 9, next: undefined, rows: 2 }, true],
  ['an end of limit and offset', offsets, { offset: 7 }, { count: 9, next: undefined, rows: 2 }, false],
] as const)('another page follows after %s', async (_, operation, query, { count, next, rows }, more) => {
  const results = Array.from({ length: rows }, () => parseJson(ORDER_JSON));
  expect(await readPage(operation, query, { count, next, results }, AT)).toMatchObject({ page: { more, count } });
});

test('a list without pages is rejected when it has only a part of its rows', async () => {
  const whole: Operation = { ...orders, paging: 'array' };
  const some = (rest: string) => readPage(whole, {}, parseJson(`{${rest},"results":[${ORDER_JSON}]}`), AT);
  expect(await some('"count":1,"next":null')).toMatchObject({ page: { count: 1, more: false } });
  const issue = { path: '', message: 'expected all rows at once, and got 1 of 3' };
  expect(await some('"count":3,"next":null')).toEqual({ issue });
  expect(await some('"count":3,"next":"https://marketplace.example/?page=2"')).toEqual({ issue });
});

test('a record that is twice in one answer with differences is set aside; the same row twice is one', async () => {
  const other = ORDER_JSON.replace('1.50', '2.50');
  const read = async (...rows: string[]) => {
    const results = rows.map((row) => parseJson(row));
    return readPage(orders, {}, { count: rows.length, next: null, results }, AT);
  };
  expect(await read(ORDER_JSON, ORDER_JSON)).toMatchObject({ page: { invalidRows: [] } });
  const message = 'it stands twice in one answer, and not the same each time';
  expect(await read(ORDER_JSON, other)).toMatchObject({ page: { rows: [], invalidRows: [{ message }, { message }] } });
});
