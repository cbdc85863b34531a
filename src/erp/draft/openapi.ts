import { type Loose, listAt, objectAt, readerOf, type SchemaReader, textAt, typeIn } from './openapi-schema.ts';
import type { Endpoint, Param, RestSource } from './rest-source.ts';
import { BOUNDS, type Collection, DraftFault, nameOf } from './shape.ts';
import { isObject } from './values.ts';

/** Reads an OpenAPI 3 document. Pure. */

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

/** @throws DraftFault for a document of another version */
export function isOpenapi(document: unknown): document is Loose {
  if (!isObject(document)) return false;
  if (typeof document['swagger'] === 'string')
    throw new DraftFault('it is a document of Swagger 2: let a converter make OpenAPI 3 of it');
  return typeof document['openapi'] === 'string' && document['openapi'].startsWith('3');
}
