import type { Given } from '../../expressions/bundle.ts';
import { compileExpression, type Expression } from '../../expressions/expression.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { withTexts } from '../../http/json.ts';
import { Unfit } from '../../http/rows.ts';
import { composed, type Field, fieldsOf, type RowRule, withField } from './row-rule.ts';

/** The mapping from rows of an ERP to rows of the contract: JSONata expressions over one row of the ERP, also named `$row`. */
export interface MappingSection {
  /** The parts of a row of the ERP that each become a row. */
  readonly each?: string | undefined;
  /** The condition of the rows that count. */
  readonly where?: string | undefined;
  /** The row of the contract, field by field or as one expression. When left out, rows stay as they came. */
  readonly row?: RowRule | undefined;
}

export interface MappingOptions {
  /** Names of values that are the same for all rows, without `$`. */
  readonly names: readonly string[];
  /** Names of values that belong to one row, without `$`. */
  readonly rowNames?: readonly string[];
  /** The place where a part of the mapping is written: `erp.yaml:41:12`. */
  readonly place?: ((path: readonly string[]) => string | null) | undefined;
}

/** A row of an ERP, with the values that belong to this row alone. */
export interface RawRow {
  readonly row: unknown;
  readonly given?: Given | undefined;
}

export interface Mapping {
  /**
   * The rows of the contract, in their order, as plain JSON. A row that cannot be mapped becomes an `Unfit` with the fields that
   * could be mapped.
   * @param given the values of the names, for all rows
   */
  rows(raw: readonly RawRow[], given: Given): Promise<unknown[]>;
}

/** The limits of rows that are mapped together, by number and by text, since the result of an expression is bounded. */
const BATCH_ROWS = 100;
const BATCH_CHARS = 60_000;
/** The number of failing rows of one read whose fields are evaluated one by one. */
const MAX_EXPLAINED = 100;
/** Fields of the contract's rows that are lists. JSONata returns a list of one element as the element itself. */
const LISTS = ['lines', 'transports'] as const;

/** @throws ExpressionError for an expression that cannot be read */
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
      // One of the rows is at fault, so each row is mapped alone.
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

/** Maps one row field by field, so that the failing field is named. */
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

/** An `Unfit` with the names of a row whose condition fails. */
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
