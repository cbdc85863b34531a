import { type Loose, listAt, objectAt, readerOf, type SchemaReader, textAt, typeIn } from './openapi-schema.ts';
import type { Endpoint, Param, RestSource } from './rest-source.ts';
import { isNameable } from './rules.ts';
import { likeliest, rankOf } from './score.ts';
import { type Collection, DraftFault, nameOf } from './shape.ts';
import { isObject } from './values.ts';
import { TrustedText } from './yaml.ts';

/** Reads an OpenAPI 3 document. Pure. */

/** @param base the document's address, to which servers may be relative; null for a file */
export function openapiSource(document: Loose, base: string | null): RestSource {
  const reader = readerOf(document);
  const operations = Object.entries(objectAt(document, 'paths')).flatMap(([path, item]) => {
    const all = reader.resolved(item);
    return Object.entries(all).flatMap(([method, operation]) =>
      isObject(operation) ? [{ path, method, operation, shared: listAt(all, 'parameters') }] : [],
    );
  });
  const lists = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'));
  const { taken, cut } = likeliest(lists, ({ path }) => rankOf(lastOf(path)), 'paths');
  const short: string[] = [];
  const collections = taken.flatMap(({ path, operation, shared }) => {
    // Each has its own bound, so that a large one takes nothing from the others.
    const own = readerOf(document);
    const found = collectionOf(path, [...shared, ...listAt(operation, 'parameters')], operation, own);
    if (found === null) return [];
    const place = { ...found.place, ...otherCallsOf(path, operations, own) };
    if (own.isCut()) short.push(path);
    return [{ ...found, place }];
  });
  const ping = lists.find(({ path }) => /\/(ping|health|status|info|version|about)\/?$/i.test(path));
  const info = objectAt(document, 'info');
  return {
    what: `OpenAPI: ${textAt(info, 'title')} ${textAt(info, 'version')}`.trim(),
    url: serverOf(document, base),
    auth: authOf(document, reader),
    ping: ping?.path ?? null,
    cut: [
      ...cut,
      ...(short.length === 0
        ? []
        : [`whether a field is missing: too large to be read whole is ${short.slice(0, 10).join(', ')}`]),
    ],
    collections,
  };
}

/** The list that a GET returns; null if it returns none. */
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
  return {
    name: lastOf(path),
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

function lastOf(path: string): string {
  return (
    path
      .split('/')
      .filter((part) => part !== '')
      .at(-1) ?? path
  );
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

/** The path of the rows: the outermost list of objects. */
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
    level = level
      .flatMap(([path, schema]) =>
        Object.entries(objectAt(schema, 'properties'))
          .filter(([name]) => /^[A-Za-z_][\w-]*$/.test(name))
          .slice(0, 50)
          .map(([name, part]) => [path === '' ? name : `${path}.${name}`, reader.resolved(part)] as const),
      )
      .slice(0, 500);
  }
  return null;
}

interface Operation {
  readonly path: string;
  readonly method: string;
  readonly operation: Loose;
}

/** The other calls of a list: the read of one record, and the writes. */
function otherCallsOf(
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
  const missing = absent === null ? null : (reader.fields(absent).find(isNameable) ?? null);
  return { byId: single?.path ?? null, missing, writes };
}

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
  if (is('http', 'bearer')) return { section: { scheme: 'bearer', token: new TrustedText('${env:ERP_TOKEN}') }, shown };
  if (is('http', 'basic'))
    return { section: { scheme: 'basic', user: 'bridge', password: new TrustedText('${env:ERP_PASSWORD}') }, shown };
  const parameter = textAt(scheme, 'name');
  if (is('apiKey') && scheme['in'] === 'header')
    return { section: { scheme: 'header', header: parameter, key: new TrustedText('${env:ERP_KEY}') }, shown };
  if (is('apiKey') && scheme['in'] === 'query')
    return { section: { scheme: 'query', parameter, key: new TrustedText('${env:ERP_KEY}') }, shown };
  const { tokenUrl } = objectAt(objectAt(scheme, 'flows'), 'clientCredentials');
  if (is('oauth2') && typeof tokenUrl === 'string' && URL.canParse(tokenUrl))
    return {
      section: {
        scheme: 'oauth2',
        token_url: tokenUrl,
        client_id: 'stockbridge',
        client_secret: new TrustedText('${env:ERP_SECRET}'),
      },
      shown,
    };
  return null;
}

/** @throws DraftFault for another version */
export function isOpenapi(document: unknown): document is Loose {
  if (!isObject(document)) return false;
  if (typeof document['swagger'] === 'string')
    throw new DraftFault('it is a document of Swagger 2: let a converter make OpenAPI 3 of it');
  return typeof document['openapi'] === 'string' && document['openapi'].startsWith('3');
}
