import { ONE_OF } from './check.ts';
import type { Rows } from './database.ts';
import type { Section } from './section.ts';
import type { Session, Statement } from './session.ts';
import type { Parameter, Parameters } from './statement.ts';

export type Step = Statement & Section['writes']['order-create'][number];

/**
 * Runs a write's statements in order.
 * @param body in the contract's form
 * @returns all parameters after the last statement
 */
export async function runSteps(session: Session, steps: readonly Step[], body: Body): Promise<Parameters> {
  const given: Record<string, Parameters[string]> = flat(body);
  for (const step of steps) {
    if (step.when !== undefined && body[step.when] === undefined) continue;
    const parts = step.each === undefined ? [null] : ((body[step.each] as readonly Body[] | undefined) ?? []);
    for (const [index, part] of parts.entries()) {
      const of = part === null || step.each === undefined ? {} : partOf(ONE_OF[step.each], part, index);
      const answer = await session.run(step, { ...given, ...of });
      checkRows(session, step, answer);
      if (step.name !== undefined) Object.assign(given, resultsOf(step.name, answer));
    }
  }
  return given;
}

export type Body = Readonly<Record<string, unknown>>;

/** The parameters of a line or transport: its fields and its number, from 1. */
function partOf(name: string, part: Body, index: number): Parameters {
  return { ...flat(part, `${name}.`), [`${name}.number`]: index + 1 };
}

/** `{ customer: { name } }` becomes `customer.name`. Lists have their own statements. */
function flat(body: Body, prefix = ''): Record<string, Parameter> {
  const entries = Object.entries(body).flatMap(([name, value]): (readonly [string, Parameter])[] => {
    if (value === undefined || Array.isArray(value)) return [];
    if (typeof value === 'object' && value !== null) return Object.entries(flat(value as Body, `${prefix}${name}.`));
    return [[prefix + name, value as Parameter]];
  });
  return Object.fromEntries(entries);
}

function checkRows(session: Session, { key, rows, message }: Step, { count }: Rows): void {
  if (rows === undefined || rows === count) return;
  const why = message === undefined ? '' : ` ${message}`;
  const text = `The statement erp.${key} changed or found ${count} rows where ${rows} are asked for, so nothing was written.${why}`;
  throw session.refuse('refused', text);
}

/** The first row's columns. An answer without columns has the new row's `id`. */
function resultsOf(name: string, { columns, rows, insertId }: Rows): Parameters {
  const [first] = rows;
  if (columns.length === 0) return { [`${name}.id`]: insertId };
  return Object.fromEntries(columns.map((column, index) => [`${name}.${column.name}`, first?.[index] ?? null]));
}
