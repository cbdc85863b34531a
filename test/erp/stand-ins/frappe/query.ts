import { DOCTYPES, type Field, fieldIn } from './doctypes.ts';
import { refuse, Undocumented } from './failures.ts';
import { all, type Doc, flt, folded, plain, type Site } from './site.ts';

/*
 * Lists of Frappe: frappe/api/v1.py (document_list), frappe/client.py (get_list) and frappe/model/db_query.py.
 * Where rows are equal in the order that was asked for, a database may answer them in any order. This one changes it at each call.
 */

const PARAMETERS = new Set(
  'fields filters or_filters order_by limit_start limit_page_length start limit parent doctype as_dict debug'.split(
    ' ',
  ),
);
/** db_query.py: without a limit of its own, a list has twenty rows. */
const USUAL_LIMIT = 20;

type Filter = readonly [doctype: string, field: string, operator: string, value: unknown];
type Row = Readonly<Record<string, Doc | undefined>>;

function parsed(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return refuse('Expecting value: line 1 column 1 (char 0)', 'JSONDecodeError');
  }
}

/** frappe/utils/data.py, get_filter and make_filter_tuple */
function filterOf(doctype: string, written: unknown): Filter {
  if (!Array.isArray(written)) refuse('Filter must be a tuple or list (in a list)');
  const [one, two, three, four] = written as unknown[];
  if (written.length === 2) return [doctype, String(one), '=', two];
  if (written.length === 3) return [doctype, String(one), String(two), three];
  if (written.length === 4) return [String(one), String(two), String(three), four];
  return refuse(`Filter must have 4 values (doctype, fieldname, operator, value): ${JSON.stringify(written)}`);
}

function filtersOf(doctype: string, written: string | null): Filter[] {
  if (written === null || written === '') return [];
  const said = parsed(written);
  if (Array.isArray(said)) return said.map((one) => filterOf(doctype, one));
  return Object.entries(said as object).map(([field, value]) =>
    Array.isArray(value) ? filterOf(doctype, [field, ...value]) : filterOf(doctype, [field, '=', value]),
  );
}

function fieldOf(doctype: string, name: string): Field {
  const words = `(1054, "Unknown column 'tab${doctype}.${name}' in 'WHERE'")`;
  return fieldIn(doctype, name) ?? refuse(words, 'OperationalError');
}

const isNumber = ({ type }: Field) => ['Float', 'Currency', 'Percent', 'Int', 'Check'].includes(type);

/** db_query.py wraps a column in ifnull: what is not there compares as 0 or as an empty text. */
function compare(field: Field, one: unknown, other: unknown): number {
  if (isNumber(field)) return flt(one).comparedTo(flt(other));
  const [a, b] = [folded(one ?? ''), folded(other ?? '')];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** MariaDB reads a time without a zone. A "T" or a zone in it is no time that Frappe's documentation shows. */
function checkTime(field: Field, value: unknown): void {
  const isTime = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d{1,6})?)?$/.test(String(value));
  if (field.type === 'Datetime' && !isTime) throw new Undocumented(`${String(value)} is no time of Frappe`);
}

function like(pattern: unknown): RegExp {
  const source = String(pattern).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${source.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'is');
}

const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : String(value).split(','));

function holds([doctype, name, operator, value]: Filter, row: Row): boolean {
  const field = fieldOf(doctype, name);
  const is = row[doctype]?.[name];
  const order = () => (checkTime(field, value), compare(field, is, value));
  switch (operator.toLowerCase()) {
    case '=':
      return compare(field, is, value) === 0;
    case '!=':
      return compare(field, is, value) !== 0;
    case '>':
      return order() > 0;
    case '>=':
      return order() >= 0;
    case '<':
      return order() < 0;
    case '<=':
      return order() <= 0;
    case 'in':
      return listed(value).some((one) => compare(field, is, one) === 0);
    case 'not in':
      return listed(value).every((one) => compare(field, is, one) !== 0);
    case 'like':
      return like(value).test(plain(is));
    case 'not like':
      return !like(value).test(plain(is));
    case 'is':
      return (value === 'set') === (plain(is) !== '');
    default:
      return refuse(`Operator must be one of =, !=, >, <, >=, <=, like, not like, in, not in, is, between`);
  }
}

interface Column {
  readonly doctype: string;
  readonly field: string;
  readonly as: string;
}

/** "name", "items.qty as units", "`tabSales Order Item`.`qty`" and "*" */
function columnOf(doctype: string, written: string): Column[] {
  const [column = '', as] = written.split(/\s+as\s+/i).map((part) => part.replaceAll(/[`'"]/g, '').trim());
  if (column === '*')
    return ['name', ...Object.keys(DOCTYPES[doctype]?.fields ?? {})].map((field) => ({ doctype, field, as: field }));
  const [table, inner] =
    column.startsWith('tab') && column.includes('.') ? column.slice(3).split('.') : column.split('.');
  if (inner === undefined) return [{ doctype, field: column, as: as ?? column }];
  const options = DOCTYPES[doctype]?.fields[table ?? '']?.options;
  return [{ doctype: column.startsWith('tab') ? (table ?? '') : (options ?? ''), field: inner, as: as ?? inner }];
}

/** The table joined with the tables of rows that the fields and filters name: one row for each row of these. */
function joined(site: Site, doctype: string, others: readonly string[]): Row[] {
  const own: Row[] = all(site, doctype).map((doc) => ({ [doctype]: doc }));
  return others.reduce((known, other) => {
    const byParent = Map.groupBy(all(site, other), ({ parent }) => parent);
    return known.flatMap((row) =>
      (byParent.get(row[doctype]?.['name']) ?? [undefined]).map((child) => ({ ...row, [other]: child })),
    );
  }, own);
}

function sorted(doctype: string, written: string | null, found: Row[]): Row[] {
  const mixed = found
    .map((row) => ({ row, chance: Math.random() }))
    .toSorted((one, other) => one.chance - other.chance);
  const keys = (written ?? 'modified desc').split(',').map((part) => {
    const [column = '', direction = 'asc'] = part.trim().split(/\s+(?=asc$|desc$)/i);
    return { column: columnOf(doctype, column)[0], sign: direction.toLowerCase() === 'desc' ? -1 : 1 };
  });
  const order = (one: Row, other: Row): number => {
    for (const { column, sign } of keys) {
      if (column === undefined) continue;
      const field = fieldOf(column.doctype, column.field);
      const by = compare(field, one[column.doctype]?.[column.field], other[column.doctype]?.[column.field]) * sign;
      if (by !== 0) return by;
    }
    return 0;
  };
  return mixed.map(({ row }) => row).toSorted(order);
}

function checkParent(doctype: string, parent: string | null): void {
  if (DOCTYPES[doctype]?.isTable !== true) return;
  const fields = Object.values(DOCTYPES[parent ?? '']?.fields ?? {});
  // frappe/client.py, check_parent_permission
  if (!fields.some(({ options }) => options === doctype)) refuse(`No permission for ${doctype}`, 'PermissionError');
}

export function list(site: Site, doctype: string, asked: URLSearchParams): Doc[] {
  if (DOCTYPES[doctype] === undefined) refuse(`DocType ${doctype} not found`, 'DoesNotExistError');
  for (const name of asked.keys()) if (!PARAMETERS.has(name)) throw new Undocumented(`a list knows no ${name}`);
  checkParent(doctype, asked.get('parent'));
  const fields = parsed(asked.get('fields') ?? '["name"]') as string[];
  const columns = fields.flatMap((one) => columnOf(doctype, one));
  for (const column of columns) fieldOf(column.doctype, column.field);
  const [filters, either] = [filtersOf(doctype, asked.get('filters')), filtersOf(doctype, asked.get('or_filters'))];
  const named = [...columns.map((column) => column.doctype), ...[...filters, ...either].map(([of]) => of)];
  const others = [...new Set(named)].filter((one) => one !== doctype);
  const found = joined(site, doctype, others).filter(
    (row) => filters.every((one) => holds(one, row)) && (either.length === 0 || either.some((one) => holds(one, row))),
  );
  const start = Number(asked.get('limit_start') ?? asked.get('start') ?? 0);
  const limit = Number(asked.get('limit_page_length') ?? asked.get('limit') ?? USUAL_LIMIT);
  const page = sorted(doctype, asked.get('order_by'), found).slice(start, limit === 0 ? undefined : start + limit);
  return page.map((row) =>
    Object.fromEntries(columns.map(({ doctype: of, field, as }) => [as, row[of]?.[field] ?? null])),
  );
}
