import type { Rows } from './database.ts';
import type { Session, Statement } from './session.ts';
import type { Parameter, Parameters } from './statement.ts';

/** A statement of a write. */
export interface Step extends Statement {
  /** By this name, later statements use what it answers: `:made.id`. */
  readonly name: string | null;
  /** It runs once for each of these. */
  readonly each: 'lines' | 'transports' | null;
  /** It runs only when this field is sent. */
  readonly when: string | null;
  /** It changes, or finds, so many rows; another number undoes the write. */
  readonly rows: number | null;
  /** What is said then. */
  readonly message: string | null;
}

/** One of them in the names of parameters: `:line.sku`. */
export const ONE_OF = { lines: 'line', transports: 'transport' } as const;
/** The statement whose `id` is that of the new record. */
export const MADE = 'made';

/**
 * Runs the statements of a write, in their order.
 * @param body as the contract has it
 * @returns every parameter that there is in the end
 */
export async function runSteps(session: Session, steps: readonly Step[], body: Body): Promise<Parameters> {
  const given: Record<string, Parameters[string]> = flat(body);
  for (const step of steps) {
    if (step.when !== null && body[step.when] === undefined) continue;
    const parts = step.each === null ? [null] : ((body[step.each] as readonly Body[] | undefined) ?? []);
    for (const [index, part] of parts.entries()) {
      const of = part === null || step.each === null ? {} : partOf(ONE_OF[step.each], part, index);
      const answer = await session.run(step, { ...given, ...of });
      checkRows(session, step, answer);
      if (step.name !== null) Object.assign(given, resultsOf(step.name, answer));
    }
  }
  return given;
}

export type Body = Readonly<Record<string, unknown>>;

/** Its fields, and its place among the others, from 1. */
function partOf(name: string, part: Body, index: number): Parameters {
  return { ...flat(part, `${name}.`), [`${name}.number`]: index + 1 };
}

/** `{ customer: { name } }` as `customer.name`. Lists are left out: they have statements of their own. */
function flat(body: Body, prefix = ''): Record<string, Parameter> {
  const entries = Object.entries(body).flatMap(([name, value]): (readonly [string, Parameter])[] => {
    if (value === undefined || Array.isArray(value)) return [];
    if (typeof value === 'object' && value !== null) return Object.entries(flat(value as Body, `${prefix}${name}.`));
    return [[prefix + name, value as Parameter]];
  });
  return Object.fromEntries(entries);
}

function checkRows(session: Session, { key, rows, message }: Step, { count }: Rows): void {
  if (rows === null || rows === count) return;
  const why = message === null ? '' : ` ${message}`;
  const text = `The statement erp.${key} changed or found ${count} rows where ${rows} are asked for, so nothing was written.${why}`;
  throw session.refuse('refused', text);
}

/** The columns of its first row. Where it has none, `id` is what the database numbered the new row with. */
function resultsOf(name: string, { columns, rows, insertId }: Rows): Parameters {
  const [first] = rows;
  if (columns.length === 0) return { [`${name}.id`]: insertId };
  return Object.fromEntries(columns.map((column, index) => [`${name}.${column.name}`, first?.[index] ?? null]));
}
