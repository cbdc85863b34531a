import type { z } from 'zod';
import { ruleProblems } from '../../expressions/rule.ts';
import { fieldsOf } from '../rows/fields.ts';
import { FINDS } from '../rows/kinds.ts';
import { addressOf } from './address.ts';
import { conditionProblem, hasFilter, parametersOf, queryProblem, writeProblem } from './statement.ts';
import type { Dialect } from './tokens.ts';

/** Checks the statements without a database. Values are unvalidated; the schema reports wrong shapes. */

type Loose = Readonly<Record<string, unknown>>;
type Path = readonly (string | number)[];
/** null: no problem. */
type Report = (path: Path, problem: string | null) => void;

/** The name of an item in parameters: `:line.sku`. */
export const ONE_OF = { lines: 'line', transports: 'transport' } as const;
/** The statement that returns the new record's `id`. */
export const MADE = 'made';

const MONEY = ['discount', 'shipping', 'tax', 'total'];
const ORDER = [
  'reference',
  'origin',
  'status',
  'customer.id',
  'customer.marketplace_id',
  'customer.name',
  'currency',
  'note',
];
const ADDRESS = ['address', 'unit_number', 'city', 'county', 'state', 'zipcode'];
const addressed = (place: string) => ADDRESS.map((field) => `${place}.${field}`);
const DETAILS = [...addressed('ship_to'), 'delivery_date'];

/** The fields for each write, as in the contract's bodies. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'order-create': [...ORDER, ...MONEY, ...DETAILS],
  'order-update': ['id', 'status', ...MONEY],
  'product-create': ['sku', 'name', 'description', 'price.amount', 'price.currency', 'unit_multiplier'],
  'customer-create': [
    'name',
    'marketplace_id',
    'email',
    'phone',
    'license_number',
    ...addressed('addresses.corporate'),
    ...addressed('addresses.delivery'),
  ],
  'payment-create': ['reference', 'amount', 'currency', 'method', 'received_at', 'marketplace_id'],
};
const OF_EACH = {
  lines: ['sku', 'quantity', 'unit_price', 'description', 'key', 'unit_multiplier', 'number'],
  transports: ['id', 'status', 'shipped_at', 'delivered_at', 'expected_at', 'tracking', 'number'],
} as const;

export function checkSection(value: unknown, context: z.core.$RefinementCtx): void {
  const { url, lists, finds, writes } = fieldsOf(value);
  const dialect = typeof url === 'string' ? addressOf(url)?.dialect : undefined;
  // Quoting differs by database, so nothing is checked while its kind is unknown.
  if (dialect === undefined) return;
  const report: Report = (path, problem) => {
    if (problem !== null) context.addIssue({ code: 'custom', path: [...path], message: problem });
  };
  for (const [name, list] of Object.entries(fieldsOf(lists)))
    checkList(fieldsOf(list), ['lists', name], dialect, report);
  for (const [name, condition] of Object.entries(fieldsOf(finds))) {
    if (Object.hasOwn(FINDS, name)) checkFind(name as keyof typeof FINDS, condition, fieldsOf(lists), dialect, report);
  }
  for (const [name, steps] of Object.entries(fieldsOf(writes))) {
    if (Array.isArray(steps)) checkWrite(name, steps.map(fieldsOf), dialect, report);
  }
}

function checkList({ query, changed, lines, row }: Loose, at: Path, dialect: Dialect, report: Report): void {
  if (typeof query === 'string') {
    report([...at, 'query'], queryProblem(query, dialect));
    checkNames(query, [], [...at, 'query'], dialect, report);
    if (changed !== undefined && !hasFilter(query, dialect))
      report([...at, 'query'], 'has no {filter}, where the condition of "changed" is inserted');
  }
  if (typeof changed === 'string') checkCondition(changed, 'since', [...at, 'changed'], dialect, report);
  if (typeof lines === 'string') {
    report([...at, 'lines'], queryProblem(lines, dialect));
    checkNames(lines, ['ids'], [...at, 'lines'], dialect, report);
    if (!parametersOf(lines, dialect).includes('ids')) report([...at, 'lines'], 'names no orders: give it in (:ids)');
  }
  for (const { path, message } of ruleProblems(row, [...at, 'row'])) report(path, message);
}

function checkFind(name: keyof typeof FINDS, condition: unknown, lists: Loose, dialect: Dialect, report: Report): void {
  const { list, parameter } = FINDS[name];
  const at = ['finds', name];
  if (typeof condition === 'string') checkCondition(condition, parameter, at, dialect, report);
  const { query } = fieldsOf(lists[list]);
  if (query === undefined) report(at, `there is no erp.lists.${list} to find it in`);
  if (typeof query === 'string' && !hasFilter(query, dialect))
    report(['lists', list, 'query'], `has no {filter}, in which finds.${name} stands`);
}

function checkCondition(sql: string, parameter: string, at: Path, dialect: Dialect, report: Report): void {
  report(at, conditionProblem(sql, dialect));
  checkNames(sql, [parameter], at, dialect, report);
  if (!parametersOf(sql, dialect).includes(parameter)) report(at, `does not name :${parameter}`);
}

function checkWrite(write: string, steps: readonly Loose[], dialect: Dialect, report: Report): void {
  const fields = FIELDS[write] ?? [];
  const named = new Set<string>();
  for (const [index, { sql, name, each, when }] of steps.entries()) {
    const at = ['writes', write, index];
    const of =
      each === 'lines' || each === 'transports' ? OF_EACH[each].map((field) => `${ONE_OF[each]}.${field}`) : [];
    if (typeof sql === 'string') {
      report([...at, 'sql'], writeProblem(sql, dialect));
      checkNames(sql, [...fields, ...of], [...at, 'sql'], dialect, report, named);
    }
    if (typeof when === 'string' && ![...fields, 'lines', 'transports'].includes(when))
      report([...at, 'when'], `is no field that is sent: ${['lines', 'transports', ...fields].join(', ')}`);
    if (typeof name !== 'string') continue;
    if (
      fields.some((field) => field === name || field.startsWith(`${name}.`)) ||
      Object.values(ONE_OF).includes(name as never)
    )
      report([...at, 'name'], 'is the name of a field: choose another one');
    named.add(name);
  }
  if (write !== 'order-update' && !named.has(MADE))
    report(['writes', write], `no statement has "name: ${MADE}": the one that makes the record, whose id it answers`);
}

/** @param named the statements whose answers may be used, with any column */
function checkNames(
  sql: string,
  known: readonly string[],
  at: Path,
  dialect: Dialect,
  report: Report,
  named: ReadonlySet<string> = new Set(),
): void {
  for (const name of parametersOf(sql, dialect)) {
    if (known.includes(name) || named.has(name.slice(0, name.indexOf('.')))) continue;
    const there = known.length === 0 ? 'it takes no values' : `there are ${known.map((one) => `:${one}`).join(', ')}`;
    report(at, `there is no :${name} here: ${there}`);
  }
}
