import type { Readable } from '../sql/database.ts';
import type { Values } from './connection.ts';
import { drizzleOn } from './drizzle-on.ts';
import type { Rows } from './messages.ts';
import { type Ask, ColumnOf } from './prefetch-plan.ts';
import { readJson } from './values.ts';

/** A store statement. Its values may come from the rows of an earlier one. */
interface Question {
  readonly text: string;
  readonly values: Values;
}

export interface Prefetched {
  readonly text: string;
  readonly values: Values;
  readonly questions: readonly Question[];
}

/** Answers by the text and the values of the question. */
export type Answers = ReadonlyMap<string, Rows>;

export const keyOf = (text: string, values: Values): string => JSON.stringify([text, values]);

/** @returns null: nothing was prefetched */
export type Prefetch = (tell: (ask: Ask) => void) => Prefetched | null;

/** Collects the questions of the store's functions by running them on a connection that only records. */
export function prefetcher(): Prefetch {
  let heard: Question[] = [];
  const client = {
    prepare(text: string) {
      const hear = (...values: Values): unknown[] => {
        heard.push({ text, values });
        return [];
      };
      // Questions with unnamed columns need `raw`, so they cannot be prefetched.
      return { get: (...values: Values) => hear(...values)[0], all: hear };
    },
  };
  const listener: Readable = drizzleOn(client);
  return (tell) => {
    heard = [];
    tell((find, of) => {
      const question = heard.length;
      find(listener, of as Parameters<typeof find>[1]);
      if (heard.length !== question + 1) throw new Error('invariant: a question is one statement');
      return new Proxy({}, { get: (_, column) => new ColumnOf(question, `p."${String(column)}"`) }) as never;
    });
    return heard.length === 0 ? null : together(heard);
  };
}

const QUOTED_OR_VALUE = /'(?:[^']|'')*'|\$(\d+)/g;

/** Joins the questions into one statement with parts `q0`, `q1` and so on, each with the values asked for. */
function together(questions: readonly Question[]): Prefetched {
  const values: unknown[] = [];
  const parts = questions.map((question, index) => `q${index} as (${partOf(question, values)})`);
  const answers = questions.map(
    (_, index) => `(select json_agg(q${index} order by "#row") from q${index}) as q${index}`,
  );
  return { text: `with ${parts.join(', ')} select ${answers.join(', ')}`, values, questions };
}

function partOf({ text, values }: Question, known: unknown[]): string {
  const columns: string[] = [];
  const needed: string[] = [];
  const parents = new Set<number>();
  const own = text.replaceAll(QUOTED_OR_VALUE, (part, position?: string) => {
    if (position === undefined) return part;
    const value = values[Number(position) - 1];
    if (!(value instanceof ColumnOf)) return `$${known.push(value)}`;
    parents.add(value.question);
    const column = `a."#${columns.push(value.expression) - 1}"`;
    if (!value.mayBeNull) needed.push(`${column} is not null`);
    return column;
  });
  const [parent] = parents;
  if (parents.size > 1) throw new Error('invariant: a question has the values of one earlier question');
  const found = `(select row_number() over () as "#row", s.* from (${own}) s) f`;
  if (parent === undefined) return `select f.* from ${found}`;
  const named = columns.map((column, index) => `${column} as "#${index}"`).join(', ');
  const given = `(select distinct ${named} from q${parent} p where p."#row" is not null) a`;
  return `select a.*, f.* from ${given} left join lateral ${found} on true where ${['true', ...needed].join(' and ')}`;
}

type Answer = Readonly<Record<string, unknown>>;

/** @param row the single row of the answer */
export function answersOf({ questions }: Prefetched, row: readonly unknown[]): Answers {
  const answers = new Map<string, Rows>();
  for (const [index, { text, values }] of questions.entries()) {
    const found = (row[index] === null ? [] : readJson(row[index] as string)) as readonly Answer[];
    for (const [key, rows] of Map.groupBy(found, (answer) => keyOf(text, asked(values, answer)))) {
      answers.set(key, asRows(rows));
    }
    const key = values.some((value) => value instanceof ColumnOf) ? null : keyOf(text, values);
    if (key !== null && !answers.has(key)) answers.set(key, asRows([]));
  }
  return answers;
}

function asked(values: Values, answer: Answer): unknown[] {
  let later = 0;
  return values.map((value) => (value instanceof ColumnOf ? answer[`#${later++}`] : value));
}

/** Drops the rows of values that have no answer. */
function asRows(answers: readonly Answer[]): Rows {
  const found = answers.filter((answer) => answer['#row'] !== null);
  const columns = Object.keys(found[0] ?? {}).filter((column) => !column.startsWith('#'));
  return { columns, rows: found.map((answer) => columns.map((column) => answer[column])), count: found.length };
}
