import type { Endpoint, Param, RestSource } from './rest-source.ts';
import { BOUNDS, type Collection, DraftFault, type Field, type FieldType, field, nameOf } from './shape.ts';
import { isObject, kept, typeOf } from './values.ts';

/** Reads an OpenAPI 3 document. Pure. */

type Loose = Readonly<Record<string, unknown>>;

/** Schemas that are looked at in all, so that a document that refers to itself ends. */
const NODES_MAX = 500_000;
/** Objects of one level that are looked into. */
const OBJECTS_MAX = 20;

/** @param base the address that the document came from, for servers that are named below it; null for a file */
export function openapiSource(document: Loose, base: string | null): RestSource {
  const reader = readerOf(document);
  const paths = Object.entries(objectAt(document, 'paths')).slice(0, BOUNDS.collections);
  const operations = paths.flatMap(([path, item]) => {
    const all = reader.resolved(item);
    return Object.entries(all).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path, method, operation, shared: listAt(all, 'parameters') }] : [],
    );
  });
  const collections = operations
    .filter(({ method, path }) => method === 'get' && !path.includes('{'))
    .flatMap(({ path, operation, shared }) => {
      const found = collectionOf(path, [...shared, ...listAt(operation, 'parameters')], operation, reader);
      return found === null ? [] : [found];
    });
  const withWrites = collections.map((one) => ({
    ...one,
    place: { ...one.place, ...besideOf(one.place.path, operations, reader) },
  }));
  const ping = operations.find(
    ({ method, path }) => method === 'get' && /\/(ping|health|status|info|version|about)\/?$/i.test(path),
  );
  const info = objectAt(document, 'info');
  return {
    what: `OpenAPI: ${textAt(info, 'title')} ${textAt(info, 'version')}`.trim(),
    url: serverOf(document, base),
    auth: authOf(document, reader),
    ping: ping?.path ?? null,
    collections: withWrites,
  };
}

interface SchemaReader {
  resolved(value: unknown): Loose;
  fields(schema: unknown): Field[];
}

function readerOf(document: Loose): SchemaReader {
  let nodes = 0;
  const resolved = (value: unknown): Loose => {
    let at: unknown = value;
    for (let hop = 0; hop < 20 && isObject(at) && typeof at['$ref'] === 'string'; hop += 1)
      at = pointed(document, at['$ref']);
    return isObject(at) ? at : {};
  };
  /** The schema with the parts that it is made of: all of `allOf`, the first of a choice that is no null. */
  const merged = (value: unknown, depth: number): Loose => {
    nodes += 1;
    const schema = resolved(value);
    if (depth > BOUNDS.depth * 2 || nodes > NODES_MAX) return schema;
    const choice = [...listAt(schema, 'oneOf'), ...listAt(schema, 'anyOf')]
      .map((one) => merged(one, depth + 1))
      .filter((one) => one['type'] !== 'null')
      .slice(0, 1);
    const parts = [...listAt(schema, 'allOf').map((one) => merged(one, depth + 1)), ...choice];
    const properties = Object.assign({}, ...[...parts, schema].map((one) => objectAt(one, 'properties'))) as Loose;
    const all = Object.assign({}, ...parts, schema) as Loose;
    return Object.keys(properties).length === 0 ? all : { ...all, properties };
  };
  const known = new WeakMap<object, Loose>();
  const whole = (value: unknown): Loose => {
    nodes += 1;
    if (!isObject(value)) return {};
    const before = known.get(value);
    if (before !== undefined) return before;
    const made = merged(value, 0);
    known.set(value, made);
    return made;
  };
  /** The fields nearest to the row first, so that a schema that refers to itself hides no field of its own. */
  const fields = (value: unknown, lists = 0): Field[] => {
    const found: Field[] = [];
    let level: (readonly [path: readonly string[], schema: Loose])[] = [[[], whole(value)]];
    for (let depth = 0; depth < BOUNDS.depth && found.length < BOUNDS.fields && nodes < NODES_MAX; depth += 1) {
      const parts = level.slice(0, OBJECTS_MAX).flatMap(([path, schema]) =>
        Object.entries(objectAt(schema, 'properties'))
          .slice(0, BOUNDS.fields - found.length)
          .map(([name, part]) => ({ path: [...path, name], own: whole(part), schema, name })),
      );
      for (const { path, own, schema, name } of parts) {
        if ('properties' in own) continue;
        const nested = typeIn(own) === 'list' && lists < 2 ? fields(own['items'], lists + 1) : [];
        found.push(field(path, { ...typedBy(own), nullable: isNullable(own, schema, name), fields: nested }));
      }
      level = parts.filter(({ own }) => 'properties' in own).map(({ path, own }) => [path, own]);
    }
    return found.slice(0, BOUNDS.fields);
  };
  return { resolved: whole, fields };
}

function typedBy(schema: Loose): Pick<Field, 'type' | 'samples'> {
  const type = typeIn(schema);
  const samples = samplesIn(schema);
  return { type: type === 'text' && samples.length > 0 && !('enum' in schema) ? typeOf(samples) : type, samples };
}

function pointed(document: Loose, reference: string): unknown {
  if (!reference.startsWith('#/')) return {};
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => decoded(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    document,
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function typeIn(schema: Loose): FieldType {
  const types = [schema['type']].flat().filter((type) => type !== 'null');
  const format = textAt(schema, 'format');
  if (types.includes('array')) return 'list';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'whole';
  if (types.includes('number')) return 'decimal';
  if (!types.includes('string')) return 'unknown';
  if (format.startsWith('date')) return 'time';
  if (/decimal|money|number/.test(format)) return 'decimal';
  return 'enum' in schema || 'maxLength' in schema || 'example' in schema ? 'text' : 'unknown';
}

function samplesIn(schema: Loose): string[] {
  const all = [schema['example'], ...listAt(schema, 'examples'), ...listAt(schema, 'enum'), schema['const']];
  return kept(all.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)).map(String));
}

function isNullable(own: Loose, parent: Loose, name: string): boolean {
  return (
    own['nullable'] === true || [own['type']].flat().includes('null') || !listAt(parent, 'required').includes(name)
  );
}

/** The list that a GET answers with; null where its answer holds none. */
function collectionOf(
  path: string,
  parameters: readonly unknown[],
  operation: Loose,
  reader: SchemaReader,
): Collection<Endpoint> | null {
  const schema = answerOf(operation, reader);
  const found = schema === null ? null : rowsIn(schema, reader);
  if (schema === null || found === null) return null;
  const fields = reader.fields(found.row);
  if (fields.length === 0) return null;
  const params = parameters
    .map((one) => reader.resolved(one))
    .filter((one) => one['in'] === 'query')
    .map(paramOf);
  const answer = 'properties' in schema ? reader.fields(schema).filter(({ type }) => type !== 'list') : [];
  const name =
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? path;
  return {
    name,
    shown: `GET ${path}`,
    fields,
    rows: 0,
    place: { path, items: found.path, params, answer, query: null, byId: null, missing: null, writes: [] },
  };

  function paramOf(one: Loose): Param {
    const { type, maximum, default: usual } = reader.resolved(one['schema']);
    return {
      name: textAt(one, 'name'),
      required: one['required'] === true,
      isNumber: type === 'integer' || type === 'number',
      most: typeof maximum === 'number' ? maximum : typeof usual === 'number' ? usual : null,
    };
  }
}

function answerOf(
  operation: Loose,
  reader: SchemaReader,
  codes: readonly string[] = ['200', '2XX', '2xx', 'default'],
): Loose | null {
  const responses = objectAt(operation, 'responses');
  const code = codes.find((one) => Object.hasOwn(responses, one));
  const response = code === undefined ? {} : reader.resolved(responses[code]);
  const [, media] = Object.entries(objectAt(response, 'content')).find(([type]) => /json|\*\/\*/.test(type)) ?? [];
  return isObject(media) && isObject(media['schema']) ? reader.resolved(media['schema']) : null;
}

/** The place of the rows in an answer: the list of objects that is least deep. */
function rowsIn(answer: Loose, reader: SchemaReader): { readonly path: string | null; readonly row: unknown } | null {
  let level: (readonly [path: string, schema: Loose])[] = [['', answer]];
  for (let depth = 0; depth < 4; depth += 1) {
    for (const [path, schema] of level) {
      if (typeIn(schema) === 'list' && 'properties' in reader.resolved(schema['items']))
        return { path: path === '' ? null : path, row: schema['items'] };
      const { additionalProperties: each } = schema;
      if (path !== '' && isObject(each) && 'properties' in reader.resolved(each))
        return { path: `${path}.*`, row: each };
    }
    level = level.flatMap(([path, schema]) =>
      Object.entries(objectAt(schema, 'properties'))
        .filter(([name]) => /^[A-Za-z_][\w-]*$/.test(name))
        .slice(0, 50)
        .map(([name, part]) => [path === '' ? name : `${path}.${name}`, reader.resolved(part)] as const),
    );
  }
  return null;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Loose;
}

/** The calls beside a list: that of one record by its id, and those that write. */
function besideOf(
  path: string,
  operations: readonly Operation[],
  reader: SchemaReader,
): Pick<Endpoint, 'byId' | 'missing' | 'writes'> {
  const below = operations.filter((one) => one.path === path || one.path.startsWith(`${path}/`));
  const single = below.find((one) => one.method === 'get' && /^\/\{[^/{}]+\}\/?$/.test(one.path.slice(path.length)));
  const writes = below
    .filter(({ method }) => ['post', 'put', 'patch', 'delete'].includes(method))
    .map(({ method, path: at, operation }) => {
      const [body] = Object.values(objectAt(reader.resolved(operation['requestBody']), 'content'));
      const schema = isObject(body) ? reader.resolved(body['schema']) : {};
      const required = listAt(schema, 'required');
      const takes = reader.fields(schema).map((one) => `${nameOf(one)}${required.includes(one.path[0]) ? '*' : ''}`);
      return `${method.toUpperCase()} ${at}${takes.length === 0 ? '' : ` takes ${takes.join(', ')}`}`;
    });
  const absent = single === undefined ? null : answerOf(single.operation, reader, ['404', '4XX', '4xx', 'default']);
  const [missing = null] = absent === null ? [] : reader.fields(absent);
  return { byId: single?.path ?? null, missing, writes };
}

/** The address of the first server, without anything secret. */
function serverOf(document: Loose, base: string | null): string | null {
  const [server] = listAt(document, 'servers');
  const written = isObject(server) && typeof server['url'] === 'string' ? server['url'] : '/';
  const url = written.includes('{') ? null : URL.parse(written, base ?? undefined);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

function authOf(document: Loose, reader: SchemaReader): RestSource['auth'] {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes');
  const [wanted] = listAt(document, 'security').flatMap((one) => (isObject(one) ? Object.keys(one) : []));
  const [name, first] = Object.entries(schemes).find(([one]) => one === wanted) ?? Object.entries(schemes)[0] ?? [];
  const scheme = reader.resolved(first);
  const shown = `the document names the scheme ${name}`;
  const is = (type: string, how?: string) =>
    scheme['type'] === type && (how === undefined || textAt(scheme, 'scheme').toLowerCase() === how);
  if (is('http', 'bearer')) return { section: { scheme: 'bearer', token: '${env:ERP_TOKEN}' }, shown };
  if (is('http', 'basic'))
    return { section: { scheme: 'basic', user: 'bridge', password: '${env:ERP_PASSWORD}' }, shown };
  const parameter = textAt(scheme, 'name');
  if (is('apiKey') && scheme['in'] === 'header')
    return { section: { scheme: 'header', header: parameter, key: '${env:ERP_KEY}' }, shown };
  if (is('apiKey') && scheme['in'] === 'query')
    return { section: { scheme: 'query', parameter, key: '${env:ERP_KEY}' }, shown };
  const { tokenUrl } = objectAt(objectAt(scheme, 'flows'), 'clientCredentials');
  if (is('oauth2') && typeof tokenUrl === 'string' && URL.canParse(tokenUrl))
    return {
      section: { scheme: 'oauth2', token_url: tokenUrl, client_id: 'stockbridge', client_secret: '${env:ERP_SECRET}' },
      shown,
    };
  return null;
}

function textAt(value: Loose, name: string): string {
  const found = value[name];
  return typeof found === 'string' ? found : '';
}

function objectAt(value: Loose, name: string): Loose {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function listAt(value: Loose, name: string): readonly unknown[] {
  const found = value[name];
  return Array.isArray(found) ? (found as unknown[]).slice(0, BOUNDS.fields) : [];
}

/** @throws DraftFault for a document of another version */
export function isOpenapi(document: unknown): document is Loose {
  if (!isObject(document)) return false;
  if (typeof document['swagger'] === 'string')
    throw new DraftFault('it is a document of Swagger 2: let a converter make OpenAPI 3 of it');
  return typeof document['openapi'] === 'string' && document['openapi'].startsWith('3');
}
