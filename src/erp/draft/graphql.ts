import type { Endpoint, RestSource } from './rest-source.ts';
import { likeliest, rankOf } from './score.ts';
import { BOUNDS, type Collection, type Field, type FieldType, field } from './shape.ts';
import { isObject } from './values.ts';

/** Reads a GraphQL introspection answer. Pure. */

interface Type {
  readonly kind?: string;
  readonly name?: string | null;
  readonly ofType?: Type | null;
  readonly fields?: readonly Member[] | null;
  readonly enumValues?: readonly { readonly name: string }[] | null;
}

interface Member {
  readonly name: string;
  readonly type: Type;
  readonly args?: readonly Member[];
}

interface Schema {
  readonly queryType?: { readonly name?: string };
  readonly types: readonly Type[];
}

const INSIDE_MAX = 60;
const SCALARS: Readonly<Record<string, FieldType>> = {
  Int: 'whole',
  Float: 'decimal',
  Boolean: 'flag',
  Decimal: 'decimal',
  DateTime: 'time',
  Date: 'time',
  ID: 'text',
};

/** null: not an introspection answer. */
export function introspectionIn(document: unknown): Schema | null {
  const data = isObject(document) && isObject(document['data']) ? document['data'] : document;
  const schema = isObject(data) ? data['__schema'] : undefined;
  return isObject(schema) && Array.isArray(schema['types']) ? (schema as unknown as Schema) : null;
}

/** @param base the address of the document; null for a file */
export function graphqlSource({ queryType, types }: Schema, base: string | null): RestSource {
  const known = new Map(types.map((type) => [type.name ?? '', type]));
  const roots = known.get(queryType?.name ?? 'Query')?.fields ?? [];
  const named = roots.filter(({ name }) => /^[A-Za-z_]\w*$/.test(name));
  const { taken, cut } = likeliest(named, ({ name }) => rankOf(name), 'queries');
  const collections = taken.flatMap((root) => collectionOf(root, known));
  return { what: 'GraphQL', url: base, auth: null, ping: null, cut, collections };
}

type Types = ReadonlyMap<string, Type>;

function collectionOf(root: Member, types: Types): Collection<Endpoint>[] {
  const args = root.args ?? [];
  const isPaged = ['first', 'after'].every((name) => args.some((one) => one.name === name));
  if (args.some((one) => one.type.kind === 'NON_NULL' && one.name !== 'first')) return [];
  const found = rowsOf(root.type, types);
  if (found === null) return [];
  const fields = fieldsOf(found.row, types, 0);
  if (fields.length === 0) return [];
  const pages = isPaged && found.path.length > 0;
  const [head, given] = pages ? ['query ($first: Int, $after: String) ', '(first: $first, after: $after)'] : ['', ''];
  const query = (used: readonly Field[]) => {
    const rows = found.path.reduceRight(
      (inner, name) =>
        `{ ${name} ${inner}${pages && name === found.path[0] ? ' pageInfo { hasNextPage endCursor }' : ''} }`,
      selection(pathsOf(used, inside.length)),
    );
    return `${head}{ ${root.name}${given} ${rows} }`;
  };
  const inside = found.path.includes('node') ? ['node'] : [];
  const place: Endpoint = {
    path: '/graphql',
    items: ['data', root.name, ...found.path.filter((name) => name !== 'node')].join('.'),
    params: pages ? [{ name: 'after', required: false, isNumber: false, most: null }] : [],
    answer: pages ? [field(['data', root.name, 'pageInfo', 'endCursor'])] : [],
    query,
    byId: null,
    missing: null,
    writes: [],
  };
  const placed = fields.map((one) => ({ ...one, path: [...inside, ...one.path] }));
  return [{ name: root.name, shown: `query ${root.name}`, fields: placed, rows: 0, place }];
}

/** Includes the elements of the row's lists. @param skip the names that lead to the row itself */
function pathsOf(used: readonly Field[], skip: number): string[][] {
  return used.flatMap(({ path, fields }) => {
    const own = path.slice(skip);
    return fields.length === 0 ? [[...own]] : pathsOf(fields, 0).map((inner) => [...own, ...inner]);
  });
}

/** Selects only the needed values: others may cost too much, or fail. */
function selection(paths: readonly (readonly string[])[]): string {
  const below = Map.groupBy(paths, ([name = '']) => name);
  const parts = [...below].map(([name, those]) => {
    const rest = those.map(([, ...inner]) => inner).filter((inner) => inner.length > 0);
    return rest.length === 0 ? name : `${name} ${selection(rest)}`;
  });
  return `{ ${parts.join(' ') || '__typename'} }`;
}

/** The path to the rows and their type: a list, or a connection with nodes or edges. */
function rowsOf(type: Type, types: Types): { readonly path: readonly string[]; readonly row: Type } | null {
  const inner = bare(type);
  const own = types.get(inner.name ?? '');
  if (isList(type)) return own?.fields ? { path: [], row: own } : null;
  for (const path of [['nodes'], ['items'], ['edges', 'node']]) {
    const member = own?.fields?.find(({ name }) => name === path[0]);
    const element = member !== undefined && isList(member.type) ? types.get(bare(member.type).name ?? '') : undefined;
    const node =
      path.length === 1
        ? element
        : types.get(bare(element?.fields?.find(({ name }) => name === 'node')?.type ?? {}).name ?? '');
    if (node?.fields) return { path, row: node };
  }
  return null;
}

/** The values that need no argument, with nested objects and lists. */
function fieldsOf({ fields }: Type, types: Types, depth: number): Field[] {
  const found: Field[] = [];
  for (const { name, type, args = [] } of fields ?? []) {
    if (
      found.length >= (depth === 0 ? BOUNDS.fields : INSIDE_MAX) ||
      args.some((one) => one.type.kind === 'NON_NULL') ||
      !/^[A-Za-z]\w*$/.test(name)
    )
      continue;
    const inner = bare(type);
    const own = types.get(inner.name ?? '');
    const nullable = type.kind !== 'NON_NULL';
    if (own?.fields) {
      if (depth >= 2) continue;
      const rows = rowsOf(type, types);
      const part = fieldsOf(rows?.row ?? own, types, depth + 1);
      if (part.length === 0) continue;
      if (rows === null) found.push(...part.map((one) => ({ ...one, path: [name, ...one.path] })));
      else found.push(field([name, ...rows.path], { type: 'list', nullable, fields: part }));
    } else if (!isList(type)) {
      const samples = (own?.enumValues ?? []).map((one) => one.name).slice(0, BOUNDS.samples);
      found.push(
        field([name], {
          type: samples.length > 0 ? 'text' : (SCALARS[inner.name ?? ''] ?? 'unknown'),
          nullable,
          samples,
        }),
      );
    }
  }
  return found;
}

function bare(type: Type): Type {
  let at = type;
  for (let hop = 0; hop < 10 && at.ofType != null; hop += 1) at = at.ofType;
  return at;
}

function isList(type: Type): boolean {
  return type.kind === 'LIST' || (type.kind === 'NON_NULL' && type.ofType?.kind === 'LIST');
}
