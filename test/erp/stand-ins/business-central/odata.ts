import { ENTITIES, type Property, propertyIn } from './entities.ts';
import { refuse, Undocumented } from './failures.ts';

/*
 * Queries: dev-itpro/webservices/use-filter-expressions-in-odata-uris.md, odata-known-limitations.md and
 * Server-Driven-Paging-in-OData-Web-Services.md.
 */

export type Row = Record<string, unknown>;
type Test = (row: Row) => boolean;

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  ne: (order) => order !== 0,
  gt: (order) => order > 0,
  ge: (order) => order >= 0,
  lt: (order) => order < 0,
  le: (order) => order <= 0,
};
const FUNCTIONS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startswith: (text, part) => text.startsWith(part),
  endswith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
};
const TOKENS = /\s*('(?:[^']|'')*'|[(),]|[^\s(),']+)/gy;
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,7})?Z$/;

function tokensOf(written: string): string[] {
  const tokens = Array.from(written.matchAll(TOKENS), ([, token = '']) => token);
  if (tokens.join('').length !== written.replaceAll(/\s+(?=(?:[^']*'[^']*')*[^']*$)/g, '').length)
    refuse('BadRequest_NotFound', 'Bad Request - Error in query syntax.');
  return tokens;
}

/** A value in a filter. Text of a Code field is compared in capitals; one that is longer than the field is refused. */
function literal({ type, length }: Property, name: string, token: string): string | number | boolean {
  const syntax = () =>
    refuse('BadRequest', `A binary operator with incompatible types was detected for ${name}: ${token}.`);
  if (type === 'text' || type === 'code' || type === 'option') {
    if (!token.startsWith("'")) return syntax();
    const value = token.slice(1, -1).replaceAll("''", "'");
    if (length > 0 && value.length > length)
      refuse(
        'Application_FilterErrorException',
        `The filter "='${value}'" is not valid for the ${name} field. The length of the string is ${value.length}, but it must be less than or equal to ${length} characters. Value: ${value}`,
      );
    return type === 'code' ? value.trim().toUpperCase() : value;
  }
  if (type === 'bool') return token === 'true' || (token === 'false' ? false : syntax());
  if (type === 'guid') return GUID.test(token) ? token.toLowerCase() : syntax();
  if (type === 'datetime') return TIME.test(token) ? Date.parse(token) : syntax();
  if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(token) ? token : syntax();
  return /^-?\d+(\.\d+)?$/.test(token) ? Number(token) : syntax();
}

function valueOf({ type }: Property, value: unknown): string | number | boolean {
  if (type === 'datetime') return Date.parse(String(value));
  return value as string | number | boolean;
}

/** The test of a filter, by recursive descent: "or" of "and" of comparisons. */
function filterOf(set: string, written: string): Test {
  const tokens = tokensOf(written);
  const take = (): string =>
    tokens.shift() ?? refuse('BadRequest_NotFound', `Expression expected at the end of '${written}'.`);
  const expect = (token: string): void => {
    if (take() !== token) refuse('BadRequest_NotFound', `'${token}' expected in '${written}'.`);
  };
  const comparison = (fields: Set<string>): Test => {
    const name = take();
    if (name === '(') {
      const inner = either(fields);
      expect(')');
      return inner;
    }
    const call = FUNCTIONS[name];
    if (call !== undefined) {
      expect('(');
      const field = take();
      expect(',');
      const property = propertyIn(set, field);
      const part = String(literal({ ...property, length: 0 }, field, take()));
      expect(')');
      fields.add(field);
      return (row) => call(String(row[field]), part);
    }
    const property = propertyIn(set, name);
    fields.add(name);
    const operator = take();
    const holds =
      OPERATORS[operator] ?? refuse('BadRequest_NotFound', `Syntax error at '${operator}' in '${written}'.`);
    const value = literal(property, name, take());
    return (row) => {
      const is = valueOf(property, row[name]);
      return holds(is < value ? -1 : is > value ? 1 : 0);
    };
  };
  const both = (fields: Set<string>): Test => {
    const tests = [comparison(fields)];
    while (tokens[0] === 'and') {
      take();
      tests.push(comparison(fields));
    }
    return (row) => tests.every((one) => one(row));
  };
  function either(outer: Set<string>): Test {
    const named: Set<string>[] = [new Set()];
    const tests = [both(named[0] as Set<string>)];
    while (tokens[0] === 'or') {
      take();
      const fields = new Set<string>();
      named.push(fields);
      tests.push(both(fields));
    }
    const all = new Set(named.flatMap((fields) => [...fields]));
    if (tests.length > 1 && all.size > 1)
      refuse(
        'BadRequest_MethodNotImplemented',
        "The 'OR' operator is not supported on distinct fields on an OData filter.",
      );
    for (const field of all) outer.add(field);
    return (row) => tests.some((one) => one(row));
  }
  const test = either(new Set());
  if (tokens.length > 0) refuse('BadRequest_NotFound', `Syntax error at '${tokens[0]}' in '${written}'.`);
  return test;
}

const KNOWN = new Set([
  '$filter',
  '$select',
  '$expand',
  '$orderby',
  '$top',
  '$skip',
  '$count',
  '$skiptoken',
  'aid',
  '$schemaversion',
]);

export function checkOptions(asked: URLSearchParams): void {
  for (const name of asked.keys()) if (!KNOWN.has(name)) throw new Undocumented(`an address knows no ${name}`);
}

function sorted(set: string, written: string | null, rows: readonly Row[]): Row[] {
  const keys = (written ?? '').split(',').flatMap((part) => {
    const [name = '', direction = 'asc'] = part.trim().split(/\s+/);
    if (name === '') return [];
    propertyIn(set, name);
    return [{ name, sign: direction === 'desc' ? -1 : 1 }];
  });
  // The primary key comes last.
  keys.push({ name: 'id', sign: 1 });
  return rows.toSorted((one, other) => {
    for (const { name, sign } of keys) {
      const property = propertyIn(set, name);
      const [a, b] = [valueOf(property, one[name]), valueOf(property, other[name])];
      if (a !== b) return (a < b ? -1 : 1) * sign;
    }
    return 0;
  });
}

/** The page of a query, and its last row where more come. */
export function query(set: string, asked: URLSearchParams, all: readonly Row[], size: number) {
  checkOptions(asked);
  const filter = asked.get('$filter');
  const test = filter === null ? () => true : filterOf(set, filter);
  const found = sorted(set, asked.get('$orderby'), all.filter(test));
  const token = asked.get('$skiptoken');
  const after = token === null ? 0 : found.findIndex(({ id }) => id === token) + 1;
  const wanted = found.slice(after + Number(asked.get('$skip') ?? 0));
  const top = asked.get('$top');
  const limited = top === null ? wanted : wanted.slice(0, Number(top));
  const page = limited.slice(0, size);
  const last = page.length < limited.length ? page.at(-1)?.['id'] : undefined;
  return { rows: page, last, count: asked.get('$count') === 'true' ? found.length : undefined };
}

/** The properties that "$select" names, with the tag. */
export function selected(set: string, asked: URLSearchParams, row: Row): Row {
  const names = asked.get('$select')?.split(',');
  for (const name of names ?? []) propertyIn(set, name.trim());
  const all = Object.keys(ENTITIES[set] ?? {}).filter((name) => names === undefined || names.includes(name));
  return { '@odata.etag': row['@odata.etag'], ...Object.fromEntries(all.map((name) => [name, row[name]])) };
}
