import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { parseJson } from '../../src/http/json.ts';
import { parseEntity, parseRows, TooManyRows, Unfit } from '../../src/http/rows.ts';
import { watchSlices } from '../fuzz/slices.ts';

const bytes = (text: string) => Buffer.from(text);
const read = (text: string, maxRows = 1_000) => parseRows(bytes(text), 'results', maxRows);
const deep = (levels: number) => `{"number":"deep","more":${'['.repeat(levels)}1.5${']'.repeat(levels)}}`;

test('an answer that is read row by row equals the answer', async () => {
  const any = fc.jsonValue({ maxDepth: 4 });
  const answer = fc.record({ count: fc.nat(), results: fc.array(any), next: any, 'a"\\': any });
  await fc.assert(
    fc.asyncProperty(fc.oneof(answer, fc.array(any), any), fc.boolean(), async (value, isSpaced) => {
      const text = JSON.stringify(value, null, isSpaced ? 2 : undefined);
      expect(await read(text)).toEqual(parseJson(text));
    }),
  );
});

test('the last value of a repeated field counts', async () => {
  expect(await read('{"results":[1,2],"count":2,"results":[{"a":3}]}')).toEqual({ count: 2, results: [{ a: 3 }] });
});

test.each([3_000, 5_000, 100_000])('a row with %i levels of nesting does not hide other rows', async (levels) => {
  const { results } = (await read(`{"count":3,"results":[{"a":1},${deep(levels)},{"a":1.50}]}`)) as {
    results: unknown[];
  };
  expect(results[0]).toEqual({ a: 1 });
  expect(results[1]).toBeInstanceOf(Unfit);
  expect(results[1]).toMatchObject({
    problem: expect.stringContaining('levels deep'),
    row: { number: 'deep', more: null },
  });
  expect(JSON.stringify(results[2])).toBe('{"a":1.50}');
});

test('a row with very many values is not parsed', async () => {
  const row = `{"id":7,"more":[${'0,'.repeat(60_000)}0]}`;
  const { results } = (await read(`{"results":[${row}]}`)) as { results: unknown[] };
  expect(results[0]).toMatchObject({ problem: expect.stringContaining('values'), row: { id: 7 } });
});

test('an oversized row hides no other, and is known where its own fields are short', async () => {
  const long = `"${'x'.repeat(4_000_000)}"`;
  const { results } = (await read(`{"results":[{"id":7,"more":{"a":${long}}},{"id":8,"name":${long}},{"id":9}]}`)) as {
    results: unknown[];
  };
  const problem = expect.stringContaining('longer than 4000000 characters') as unknown;
  expect(results).toEqual([
    { problem, row: { id: 7, more: null }, path: '' },
    { problem, row: null, path: '' },
    { id: 9 },
  ]);
});

test('many rows with many values fill no memory, and delay no small row', async () => {
  const large = Array.from({ length: 200 }, (_, id) => `{"id":${id},"more":[${'{},'.repeat(40_000)}{}]}`);
  const body = bytes(`{"results":[${large.join()},{"id":"small","more":[1]}]}`);
  const answer = (await parseRows(body, 'results', 1_000)) as { results: { id?: unknown; problem?: string }[] };
  const kept = answer.results.filter((row) => row instanceof Unfit);
  expect(kept[0]).toMatchObject({ problem: expect.stringContaining('the answer as a whole'), row: { more: null } });
  expect(answer.results.at(-1)).toEqual({ id: 'small', more: [1] });
  expect(answer.results.length - kept.length).toBe(50);
});

test('no more rows are read than allowed', async () => {
  await expect(read(`{"results":[${'0,'.repeat(5_000_000)}0]}`)).rejects.toBeInstanceOf(TooManyRows);
});

test.each([
  '',
  '{',
  '{"results":[1,2',
  '{"results":[{"a":tru}]}',
  '{"results":[1,,2]}',
  '{"results":[1]]',
  '"',
  '{"results":["]}',
])('%s is no JSON', async (text) => {
  await expect(read(text)).rejects.toBeInstanceOf(SyntaxError);
});

test('an entity that is too deep or too large is not read', async () => {
  expect(await parseEntity(bytes('{"a":1.50}'))).toEqual(parseJson('{"a":1.50}'));
  await expect(parseEntity(bytes(deep(5_000)))).rejects.toThrow(SyntaxError);
  await expect(parseEntity(bytes(`[${'0,'.repeat(60_000)}0]`))).rejects.toThrow(SyntaxError);
});

const rowsOf = (count: number) => Array.from({ length: count }, (_, id) => JSON.stringify({ id, of: [1] })).join();

test.each([
  ['of many rows', `{"a":1.5,"results":[${rowsOf(1_000)}]}`, 100],
  ['of one text with escaped quotation marks', `{"results":[{"a":"${'\\"'.repeat(15_000_000)}"}]}`, 10],
  ['of one text with backslashes', `{"results":[{"a":"${'\\\\'.repeat(15_000_000)}"}]}`, 10],
  ['of one text without an end', `{"results":[{"a":"${'x'.repeat(30_000_000)}`, 10],
])('other work runs while a large answer %s is read', async (_, text, leastTurns) => {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 5));
  let turns = 0;
  const count = () => {
    turns += 1;
    look = setImmediate(count);
  };
  let look = setImmediate(count);
  await read(text).catch(() => {});
  clearImmediate(look);
  clock.mockRestore();
  expect(turns).toBeGreaterThan(leastTurns);
});

test('rows are found under a key with escapes', async () => {
  expect(await read('{"count":1, "\\u0072esults" : [{"a":1}]}')).toEqual({ count: 1, results: [{ a: 1 }] });
  await expect(read(`{"\\u0072esults":[${'0,'.repeat(5_000)}0]}`)).rejects.toBeInstanceOf(TooManyRows);
});

const blanks = ' '.repeat(200_000);

test.each([
  ['blanks before a bracket', `{"a":1,${blanks}[1]}`],
  ['blanks before many brackets', `{${blanks}${'[]'.repeat(200_000)}}`],
  ['blanks before many colons', `{${blanks}${':'.repeat(400_000)}}`],
  ['blanks beside the rows', `{"a":1,${blanks}"results"${blanks}:${blanks}[{"a":${blanks}1}]`],
  ['very many values beside the rows', `{"a":[${'{"b":1.5},'.repeat(600_000)}0],"results":[]}`],
  ['something very long beside the rows', `{"a":"${'x'.repeat(5_000_000)}","results":[]}`],
  ['something very deep beside the rows', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)},"results":[]}`],
])('an answer with %s is refused quickly', async (_, text) => {
  // The processor time is measured, since a busy machine makes everything late. The test is about work that grows too fast.
  const before = process.cpuUsage();
  await expect(read(text)).rejects.toBeInstanceOf(SyntaxError);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});

const SIZE = 60_000_000;
const many = (row: string) => Array.from({ length: 500 }, () => row).join();

test.each([
  ['of large rows', `{"results":[${many(`{"a":"${'x,y:'.repeat(SIZE / 2_000)}"}`)}]}`],
  ['of rows with many values', `{"results":[${many(`{"a":[${'1,'.repeat(SIZE / 1_000 - 10)}1]}`)}]}`],
  ['of one row', `{"results":[{"a":[${'1.5,'.repeat(SIZE / 4)}1]}]}`],
  ['of texts between backslashes', `{"results":[{"a":"${'\\\\"'.repeat(SIZE / 3)}"}]}`],
  ['of one text', `{"results":[{"a":"${'\\"'.repeat(SIZE / 2)}"}]}`],
  ['with everything beside the rows', `{"more":[${'[],'.repeat(SIZE / 3)}1],"results":[]}`],
  ['that is an open bracket', '['.repeat(SIZE)],
])('an answer of 60 MB %s never blocks the processor for a second', async (_, text) => {
  const body = bytes(text);
  const slices = watchSlices();
  await parseRows(body, 'results', 1_000).catch(() => {});
  await parseEntity(body).catch(() => {});
  expect(slices.longestMs()).toBeLessThan(1_000);
  slices.stop();
});
