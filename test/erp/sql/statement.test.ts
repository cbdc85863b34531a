import { expect, it } from 'vitest';
import {
  bind,
  conditionProblem,
  parametersOf,
  queryProblem,
  withFilter,
  writeProblem,
} from '../../../src/erp/sql/statement.ts';

it('each place of a named parameter is bound, and a list has as many places as values', () => {
  const sql = 'select 1 from a where x = :id and y in (:skus) and z = :id';
  const given = { id: "1'; drop table a", skus: ['A', 'B'] };
  const values = ["1'; drop table a", 'A', 'B', "1'; drop table a"];
  const text = 'select 1 from a where x = $1 and y in ($2, $3) and z = $4';
  expect(bind(sql, given, 'postgres')).toMatchObject({ text, values });
  expect(bind(sql, given, 'mysql')).toMatchObject({ text: text.replaceAll(/\$\d/g, '?'), values });
});

it('a bound instant keeps its zone', () => {
  expect(bind('x >= :since', { since: '2030-01-31T08:30:00Z' }, 'postgres').text).toBe('x >= $1::timestamptz');
});

it('an empty list finds nothing, and a missing value is null', () => {
  expect(bind('x in (:ids) or y = :note', { ids: [] }, 'postgres')).toMatchObject({
    text: 'x in ($1) or y = $2',
    values: [null, null],
  });
});

it.each([
  ['postgres', "select ':a', \":b\", x::text, $$ :c $$, $x$ :d $$ $x$, E'\\':e' -- :f\n, /* :g */ :h.i", ['h.i']],
  ['mysql', "select ':a', \":b\", `:c`, 'it\\'s :d' -- :e\n, # :f\n @v := :g", ['g']],
] as const)('quoted text and comments contain no parameters: %s', (dialect, sql, names) => {
  expect(parametersOf(sql, dialect)).toEqual(names);
});

it('a condition is put in its place, and a comment in it ends there', () => {
  const sql = withFilter("select '{filter}' from a where {filter} order by 1", 'x = :id -- by id', 'postgres');
  expect(sql).toBe("select '{filter}' from a where (\nx = :id -- by id\n) order by 1");
  expect(withFilter('select 1 where {filter}', null, 'postgres')).toBe('select 1 where 1 = 1');
});

it.each([
  'select 1',
  '-- the products\nselect a.update, "delete", \'insert\' from a',
  'with a as (select 1) select * from a;',
  '(select 1) union (select 2)',
])('a statement of a list only reads: %s', (sql) => {
  expect(queryProblem(sql, 'postgres')).toBeNull();
});

it.each([
  ['update a set b = 1', /begins with SELECT/],
  ['with a as (delete from b returning *) select * from a', /has DELETE/],
  ['select * into c from a', /has INTO/],
  ['select 1; drop table a', /one statement/],
  ['select 1 from a for update', /has UPDATE/],
  ['explain analyze select 1', /begins with/],
])('a statement of a list that writes is refused: %s', (sql, why) => {
  expect(queryProblem(sql, 'postgres')).toMatch(why);
});

it('an SQL condition cannot close the parentheses around it', () => {
  expect(conditionProblem('x = :id', 'postgres')).toBeNull();
  expect(conditionProblem('x = :id) or (1 = 1', 'postgres')).toMatch(/brackets/);
  expect(conditionProblem('x = :id; drop table a', 'postgres')).toMatch(/";"/);
});

it('a write is one statement that changes rows', () => {
  expect(writeProblem('insert into a values (:id);', 'postgres')).toBeNull();
  for (const sql of ['commit', 'drop table a', 'insert into a values (1); commit', 'set role x'])
    expect(writeProblem(sql, 'postgres')).not.toBeNull();
  expect(writeProblem('insert into a values (?)', 'mysql')).toMatch(/named/);
});
