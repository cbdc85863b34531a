import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import { composed, type Field, fieldsOf, type RowRule, withField } from './row-rule.ts';

/** Maps rows of an ERP to rows of the contract: JSONata over one row, also named `$row`. */
export interface MappingSection {
  /** The parts of a row that each become a row. */
  readonly each?: string | undefined;
  /** The condition for a row to count. */
  readonly where?: string | undefined;
  /** The contract's row, by field or as one expression. By default rows stay unchanged. */
  readonly row?: RowRule | undefined;
}

export interface MappingOptions {
  /** Names of values for all rows, without `$`. */
  readonly names: readonly string[];
  /** Names of values for one row, without `$`. */
  readonly rowNames?: readonly string[];
  /** The location of a part of the mapping: `erp.yaml:41:12`. */
  readonly place?: ((path: readonly string[]) => string | null) | undefined;
}

export interface RawRow {
  readonly row: unknown;
  readonly given?: Given | undefined;
}

export interface Mapping {
  /**
   * Plain JSON in the same order. A row that cannot be mapped becomes an `Unfit` with its mappable fields.
   * @param given the values for all rows
   */
  rows(raw: readonly RawRow[], given: Given): Promise<unknown[]>;
}

/** Limits of one batch, since the result of an expression is bounded. */
const BATCH_ROWS = 100;
const BATCH_CHARS = 60_000;
/** Failing rows of a read whose fields are evaluated one by one. */
const MAX_EXPLAINED = 100;
/** Fields that are lists. JSONata returns a list of one element as that element. */
const LISTS = ['lines', 'transports'] as const;

/** @throws ExpressionError for an invalid expression */
export function compileMapping(section: MappingSection, options: MappingOptions): Mapping {
  const { each, where, row = '$' } = section;
  if (each === undefined && where === undefined && section.row === undefined) {
    return { rows: async (raw) => raw.map((one) => one.row) };
  }
  const rowNames = options.rowNames ?? [];
  const names = [...options.names, ...rowNames, 'row'];
  const counted = where === undefined ? composed(row) : `((${where}\n) ? ${composed(row)})`;
  const made = each === undefined ? counted : `(${each}\n).(${counted})`;
  const own = rowNames.map((name) => `$${name} := given.${name}; `).join('');
  const batch = compileExpression(`[rows.(${own}{"at": at, "out": [row.($row := $; ${made})]})]`, names);
  const parts: Parts = {
    each: each === undefined ? null : compileExpression(each, names),
    where: where === undefined ? null : compileExpression(where, names),
    fields: fieldsOf(row).map((field) => ({ ...field, expression: compileExpression(field.text, names) })),
    place: options.place ?? (() => null),
  };

  return {
    async rows(raw, given) {
      const whole = raw.map(({ row: one, given: of }) => ({
        row: one instanceof Unfit ? one : withTexts(one),
        given: of ?? {},
      }));
      const left = { toExplain: MAX_EXPLAINED };
      const mapped = batchesOf(whole).map((rows) => mapBatch(batch, parts, { rows, given, left }));
      return (await Promise.all(mapped)).flat().map(withLists);
    },
  };
}

interface Parts {
  readonly each: Expression | null;
  readonly where: Expression | null;
  readonly fields: readonly (Field & { readonly expression: Expression })[];
  readonly place: (path: readonly string[]) => string | null;
}

interface Batch {
  readonly rows: readonly Required<RawRow>[];
  readonly given: Given;
  readonly left: { toExplain: number };
}

async function mapBatch(batch: Expression, parts: Parts, { rows, given, left }: Batch): Promise<unknown[]> {
  const plain = rows.every(({ row }) => typeof row === 'object' && row !== null && !(row instanceof Unfit));
  if (plain) {
    const input = { rows: rows.map((one, at) => ({ at, row: one.row, given: one.given })) };
    try {
      return outOf(await batch.evaluate(input, given));
    } catch (error) {
      // One row fails, so each is mapped alone.
      if (!(error instanceof ExpressionError)) throw error;
    }
  }
  if (plain && rows.length > 1) {
    const alone = rows.map((one) => mapBatch(batch, parts, { rows: [one], given, left }));
    return (await Promise.all(alone)).flat();
  }
  const mapped = await Promise.all(
    rows.map((one) => mapOne(parts, one, { ...given, ...one.given, row: one.row }, left)),
  );
  return mapped.flat();
}

function outOf(answer: unknown): unknown[] {
  return (answer as readonly { readonly out: unknown }[]).flatMap(({ out }) =>
    Array.isArray(out) ? (out as unknown[]) : [out],
  );
}

/** Maps a row field by field to name the failing one. */
async function mapOne(parts: Parts, { row }: RawRow, given: Given, left: Batch['left']): Promise<unknown[]> {
  if (row instanceof Unfit) return [row];
  left.toExplain -= 1;
  const evaluate = async (expression: Expression, input: unknown, path: readonly string[]): Promise<unknown> => {
    try {
      return await expression.evaluate(input, given);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const place = parts.place(path);
      const said = `${place === null ? '' : `${place}: `}${shortened(expression.text)} fails: ${error.message}`;
      return new Unfit(said, null, path.slice(1).join('.') || path.join('.'));
    }
  };
  const found = parts.each === null ? [row] : await evaluate(parts.each, row, ['each']);
  if (found instanceof Unfit) return [found];
  const made = (Array.isArray(found) ? found : found === undefined ? [] : [found]).map(async (part) => {
    const counts = parts.where === null ? true : await evaluate(parts.where, part, ['where']);
    if (counts instanceof Unfit) return [await unfitOf(counts, parts, part, evaluate)];
    if (counts !== true) return [];
    return [await fieldsMade(parts, part, evaluate, left.toExplain >= 0)];
  });
  return (await Promise.all(made)).flat();
}

type Evaluate = (expression: Expression, input: unknown, path: readonly string[]) => Promise<unknown>;

async function fieldsMade(parts: Parts, part: unknown, evaluate: Evaluate, whole: boolean): Promise<unknown> {
  const wanted = whole ? parts.fields : parts.fields.filter(({ path }) => isName(path));
  const values = await Promise.all(
    wanted.map(async ({ path, expression }) => ({ path, value: await evaluate(expression, part, ['row', ...path]) })),
  );
  const readable = values.filter(({ value }) => value !== undefined && !(value instanceof Unfit));
  const row = readable.reduce<unknown>((before, { path, value }) => withField(before, path, value), undefined);
  const faults = values.map(({ value }) => value).filter((value) => value instanceof Unfit);
  const [first] = faults;
  if (first !== undefined) return new Unfit(faults.map(({ problem }) => problem).join('; '), row ?? null, first.path);
  return whole ? row : new Unfit('its mapping fails, as that of other rows does', row ?? null);
}

/** A row whose condition fails, with its identifying fields. */
async function unfitOf({ problem, path }: Unfit, parts: Parts, part: unknown, evaluate: Evaluate): Promise<Unfit> {
  const named = await fieldsMade(parts, part, evaluate, false);
  return new Unfit(problem, named instanceof Unfit ? named.row : null, path);
}

const isName = (path: readonly string[]): boolean =>
  path.length <= 1 && ['id', 'sku', 'product_id'].includes(path[0] ?? '');

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
};

function withLists(row: unknown): unknown {
  if (typeof row !== 'object' || row === null || row instanceof Unfit) return row;
  const fields = row as Readonly<Record<string, unknown>>;
  const single = LISTS.filter((name) => isSingle(fields[name]));
  return single.length === 0 ? row : { ...fields, ...Object.fromEntries(single.map((name) => [name, [fields[name]]])) };
}

const isSingle = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

function batchesOf(rows: readonly Required<RawRow>[]): Required<RawRow>[][] {
  const batches: Required<RawRow>[][] = [];
  let chars = BATCH_CHARS;
  for (const one of rows) {
    const size = one.row instanceof Unfit ? 0 : JSON.stringify([one.row, one.given]).length;
    const last = batches.at(-1);
    if (last === undefined || last.length >= BATCH_ROWS || chars + size > BATCH_CHARS) {
      batches.push([one]);
      chars = size;
    } else {
      last.push(one);
      chars += size;
    }
  }
  return batches;
}
