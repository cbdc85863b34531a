import { ExpressionError } from '../../expressions/expression-error.ts';
import { compileRule, inOrder, type Rule } from '../../expressions/rule.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';

/**
 * Maps an ERP's rows to rows of the contract, with one rule a field. A rule that only names a column avoids the
 * expression process: ten thousand such rows take a fraction of a second.
 */
export interface Mapping {
  /** The columns that are used unchanged. */
  readonly columns: readonly string[];
  /** The fields with a rule: `price.amount`. The value is the column that the rule names; null: another rule. */
  readonly fields: ReadonlyMap<string, string | null>;
  /** A row whose rule fails becomes an `Unfit`. Fields without a value are omitted. */
  map(rows: readonly RawRow[], cell?: ReadCell): Promise<(MappedRow | Unfit)[]>;
}

export type RawRow = Readonly<Record<string, unknown>>;
export type MappedRow = Readonly<Record<string, unknown>>;

/**
 * Reads a column's value for a field; undefined: no value.
 * @param field the last part of its path: `amount` of `price.amount`
 * @throws CellError
 */
export type ReadCell = (value: unknown, field: string) => unknown;

/** A cell does not fit its field. */
export class CellError extends Error {
  override readonly name = 'CellError';
}

type Maker =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'rule'; readonly rule: Extract<Rule, { kind: 'expression' }> }
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'parts'; readonly parts: readonly (readonly [name: string, maker: Maker])[] }
  | { readonly kind: 'list'; readonly items: readonly Maker[] };

const ROWS_AT_ONCE = 200;
const PLAIN = /^(?:`([^`]+)`|([\p{L}_][\p{L}\p{N}_]*))$/u;
const WORDS = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** @throws ExpressionError for an invalid rule */
export function createMapping(row: Parameters<typeof compileRule>[0]): Mapping {
  const maker = makerOf(compileRule(row));
  const fields = new Map<string, string | null>();
  const columns = new Set<string>();
  look(maker, '', columns, fields);
  return {
    columns: [...columns],
    fields,
    async map(rows, cell = (value) => withTexts(value) ?? undefined) {
      const mapped: (MappedRow | Unfit)[] = [];
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const begun = rows.slice(from, from + ROWS_AT_ONCE).map((raw) => mapRow(maker, raw, cell));
        mapped.push(...(await inOrder(begun)));
      }
      return mapped;
    },
  };
}

/** The column that an expression only names; null: it does more. */
export function plainColumn(expression: string): string | null {
  const [, quoted, name] = PLAIN.exec(expression.trim()) ?? [];
  return quoted ?? (name === undefined || WORDS.has(name) ? null : name);
}

function makerOf(rule: Rule): Maker {
  switch (rule.kind) {
    case 'constant':
      return rule;
    case 'list':
      return { kind: 'list', items: rule.items.map(makerOf) };
    case 'object':
      return { kind: 'parts', parts: Object.entries(rule.parts).map(([name, part]) => [name, makerOf(part)] as const) };
    case 'expression': {
      const column = plainColumn(rule.expression.text);
      return column === null ? { kind: 'rule', rule } : { kind: 'column', column };
    }
  }
}

function look(maker: Maker, at: string, columns: Set<string>, fields: Map<string, string | null>): void {
  if (at !== '') fields.set(at, maker.kind === 'column' ? maker.column : null);
  if (maker.kind === 'column') columns.add(maker.column);
  if (maker.kind === 'parts') {
    for (const [name, part] of maker.parts) look(part, at === '' ? name : `${at}.${name}`, columns, fields);
  }
  if (maker.kind === 'list') for (const item of maker.items) look(item, at, columns, fields);
}

interface Given {
  readonly raw: RawRow;
  input(): unknown;
}

async function mapRow(maker: Maker, raw: RawRow, cell: ReadCell): Promise<MappedRow | Unfit> {
  let input: unknown;
  const given = { raw, input: () => (input ??= withTexts(raw)) };
  try {
    return ((await valueOf(maker, given, '', cell)) ?? {}) as MappedRow;
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof CellError) return new Unfit(error.message, raw);
    throw error;
  }
}

/** A promise if an expression is evaluated. */
function valueOf(maker: Maker, given: Given, at: string, cell: ReadCell): unknown {
  switch (maker.kind) {
    case 'constant':
      return maker.value;
    case 'column':
      return named(at, () => cell(given.raw[maker.column], lastOf(at)));
    case 'rule':
      return evaluated(maker.rule, given, at);
    case 'list':
      return listOf(maker.items.map((item) => valueOf(item, given, at, cell)));
    case 'parts':
      return partsOf(
        maker.parts.map(
          ([name, part]) => [name, valueOf(part, given, at === '' ? name : `${at}.${name}`, cell)] as const,
        ),
      );
  }
}

async function evaluated(rule: Extract<Rule, { kind: 'expression' }>, given: Given, at: string): Promise<unknown> {
  try {
    return await rule.expression.evaluate(given.input());
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(`${at}: ${error.message} (in ${rule.expression.text})`);
  }
}

/** Failures become rejected promises, so that the row's other rules are awaited first. */
function named(at: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return Promise.reject(error instanceof CellError ? new CellError(`${at}: ${error.message}`) : (error as Error));
  }
}

function listOf(items: readonly unknown[]): unknown {
  const present = (values: readonly unknown[]) => values.filter((value) => value !== undefined);
  return items.some(isPromise) ? inOrder(items.map(async (item) => item)).then(present) : present(items);
}

function partsOf(parts: readonly (readonly [string, unknown])[]): unknown {
  const present = (values: readonly unknown[]) => {
    const known = parts
      .map(([name], index) => [name, values[index]] as const)
      .filter(([, value]) => value !== undefined);
    return known.length === 0 ? undefined : Object.fromEntries(known);
  };
  const values = parts.map(([, value]) => value);
  return values.some(isPromise) ? inOrder(values.map(async (value) => value)).then(present) : present(values);
}

function isPromise(value: unknown): boolean {
  return value instanceof Promise;
}

function lastOf(at: string): string {
  return at.slice(at.lastIndexOf('.') + 1);
}
