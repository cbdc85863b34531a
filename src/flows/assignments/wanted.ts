import type { AccountConfig } from '../../config/resolve.ts';
import { ExpressionError } from '../../expressions/expression-error.ts';
import { evaluateNamed } from '../../expressions/rule.ts';
import { erpInput } from '../../shadow/erp-input.ts';
import type { StoredErpProduct } from '../../store/erp.ts';

/** The customers and groups that may buy a product in the ERP. null: the ERP does not say. */
export interface Offered {
  readonly exclusive: boolean | null;
  /** ERP customer ids. */
  readonly customers: readonly string[] | null;
  readonly groups: readonly string[] | null;
}

const PLACE = 'assignments.from';
const MAX_NAMED = 2_000;

/** @throws ExpressionError */
export async function offeredBy(
  { assignments }: Pick<AccountConfig, 'assignments'>,
  erp: StoredErpProduct,
): Promise<Offered | null> {
  const made = assignments === null ? null : await evaluateNamed(assignments.from, erpInput(erp), PLACE);
  if (made === undefined || made === null) return null;
  if (typeof made !== 'object' || Array.isArray(made)) throw unexpected('an object', made);
  const { exclusive = null, customers, groups, ...more } = made as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(more);
  if (unknown !== undefined) throw new ExpressionError(`${PLACE}: makes ${unknown}, which is not one of its parts`);
  if (exclusive !== null && typeof exclusive !== 'boolean') throw unexpected('true or false for exclusive', exclusive);
  return { exclusive, customers: named('customers', customers), groups: named('groups', groups) };
}

/** JSONata returns a list of one item as that item. */
function named(part: string, value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (items.length > MAX_NAMED) throw new ExpressionError(`${PLACE}: names more than ${MAX_NAMED} ${part}`);
  return [
    ...new Set(
      items.map((item) => {
        const text = typeof item === 'number' ? String(item) : item;
        if (typeof text !== 'string' || text.trim() === '') throw unexpected(`names of ${part}`, item);
        return text;
      }),
    ),
  ];
}

function unexpected(expected: string, got: unknown): ExpressionError {
  return new ExpressionError(`${PLACE}: expected ${expected} and got ${JSON.stringify(got).slice(0, 100)}`);
}
