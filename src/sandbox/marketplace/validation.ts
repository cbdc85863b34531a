import type { z } from 'zod';
import { parseJson } from '../../http/json.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import type { WireFile } from '../../marketplace/operations/wire.ts';
import type { Call, RawCall } from './call.ts';
import { inUsualWords, takenAs } from './field-names.ts';
import type { Settings } from './settings.ts';
import { type Fields, invalid, Refusal, refuse } from './wire-values.ts';

const PAGE_SIZE = { default: 50, max: 500 };

type Sent = Pick<RawCall, 'headers' | 'body' | 'form'>;

/** @throws Refusal 400, 404, 415 */
export function validateCall(
  operation: Operation,
  sent: { params: Readonly<Record<string, string>>; query: URLSearchParams; raw: Sent },
  settings: Settings,
): Call {
  const params = typed(operation.pathParams, Object.entries(sent.params));
  if (!operation.pathParams.safeParse(params).success) throw refuse(404, 'Not found.');
  const window = readWindow(operation, sent.query);
  const body = readBody(operation, sent.raw, settings);
  const items = Array.isArray(body) ? (body as Fields[]) : [];
  return { params, query: readQuery(operation, sent.query, settings), window, body: body as Fields, items };
}

/** Spec 1, Pagination: an invalid page or page size is a 404. */
function readWindow(operation: Operation, query: URLSearchParams): Call['window'] {
  const ordering = query.get('ordering');
  const known = operation.query.shape['ordering'] as z.ZodType | undefined;
  const isWritten = known === undefined || ordering === null || known.safeParse(ordering).success;
  if (!isWritten || (ordering !== null && !isAttribute(operation, ordering.replace(/^-/, '')))) {
    throw invalid('ordering', `${ordering} is no attribute.`);
  }
  if (operation.paging === 'offset') {
    const limit = positive(query.get('limit') ?? String(PAGE_SIZE.default), PAGE_SIZE.max);
    return { limit, offset: positive(query.get('offset') ?? '0', Number.MAX_SAFE_INTEGER, 0), ordering };
  }
  const limit = positive(query.get('page_size') ?? String(PAGE_SIZE.default), PAGE_SIZE.max);
  const page = positive(query.get('page') ?? '1', 1_000_000_000);
  return { limit, offset: (page - 1) * limit, ordering };
}

/** Attributes of rows that no document shows. */
const COMMON = ['id', 'name', 'created_on', 'modified', 'created_date', 'modified_date', 'last_edit', 'position'];

/** Whether the documents show the attribute, or a filter has it. */
function isAttribute({ answer, query }: Operation, name: string): boolean {
  const shown = 'shape' in answer ? Object.keys(answer.shape as object) : [];
  const filtered = Object.keys(query.shape).map((filter) => filter.replace(/__\w+$/, ''));
  return [...COMMON, ...shown, ...filtered].includes(name);
}

function positive(text: string, max: number, min = 1): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value < min || value > max) throw refuse(404, 'Invalid page.');
  return value;
}

const WINDOW_NAMES = new Set(['page', 'page_size', 'limit', 'offset', 'ordering']);

function readQuery(operation: Operation, query: URLSearchParams, settings: Settings): Call['query'] {
  const known = operation.query.shape as Record<string, z.ZodType>;
  const withCommas = settings.operations[operation.id]?.arrays === 'commas';
  const filters: [string, string][] = [];
  for (const [name, value] of query) {
    if (WINDOW_NAMES.has(name) && Object.hasOwn(known, name)) continue;
    if (!Object.hasOwn(known, name)) {
      if (settings.unknownFilter === 'refuse') throw invalid(name, 'Unknown query parameter.');
    } else if (withCommas && query.getAll(name).length > 1) throw invalid(name, 'Give several values with commas.');
    else if (withCommas) filters.push(...value.split(',').map((each): [string, string] => [name, each]));
    else filters.push([name, value]);
  }
  const values = typed(operation.query, filters);
  const problem = operation.query.safeParse(values).error;
  if (problem) throw fieldErrors(problem);
  return inUsualWords(operation.id, values, settings);
}

function readBody(operation: Operation, sent: Sent, settings: Settings): unknown {
  if (operation.body === null) {
    if (sent.body !== '') throw refuse(400, 'This call is sent without a payload.');
    return {};
  }
  const read = operation.bodyEncoding === 'multipart' ? readParts(operation.body, sent) : readJson(sent);
  const body = takenAs(operation.id, read, settings);
  const problem = operation.body.safeParse(body).error;
  if (problem) throw fieldErrors(problem);
  return body;
}

function readJson({ headers, body }: Sent): unknown {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw refuse(415, 'Content-Type must be application/json.');
  }
  try {
    return parseJson(body);
  } catch {
    throw refuse(400, 'JSON parse error.');
  }
}

function readParts(schema: z.ZodType, { form }: Sent): Fields {
  if (form === undefined) throw refuse(415, 'Content-Type must be multipart/form-data.');
  if (form === null) throw refuse(400, 'Multipart form parse error.');
  return typed(schema as z.ZodObject, form);
}

/**
 * Parses a text by the first type that the schema accepts: text, number, boolean, null. Repeated texts become an array
 * where the schema allows it.
 */
function typed(
  schema: z.ZodObject,
  entries: readonly (readonly [name: string, value: string | WireFile])[],
): Record<string, unknown> {
  const shape = schema.shape as Record<string, z.ZodType>;
  const values = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...values].map(([name, given]) => {
      const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const all: readonly unknown[] = given.map(([, value]) => value);
      const [only] = all;
      const single = all.length > 1 ? [] : [only, ...(typeof only === 'string' ? readings(only) : [])];
      const numbers = all.map((each) => numberOf(each) ?? each);
      const fitting = [...single, all, numbers].find((reading) => own?.safeParse(reading).success);
      return [name, fitting === undefined ? (all.length > 1 ? all : only) : fitting];
    }),
  );
}

function readings(text: string): unknown[] {
  return [...[numberOf(text)].filter((number) => number !== null), ...truth(text), ...(text === '' ? [null] : [])];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : null;
}

function truth(text: string): boolean[] {
  if (text === 'true' || text === 'True') return [true];
  return text === 'false' || text === 'False' ? [false] : [];
}

function fieldErrors(problem: z.ZodError): Refusal {
  const fields = new Map<string, string[]>();
  for (const issue of problem.issues) {
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : [];
    for (const path of unknown.length > 0 ? unknown.map((key) => [...issue.path, key]) : [issue.path]) {
      const [field = 'non_field_errors', ...rest] = path.map(String);
      const where = rest.length > 0 ? `${rest.join('.')}: ` : '';
      const told = `${where}${unknown.length > 0 ? 'Unknown field.' : issue.message}`;
      fields.set(field, [...(fields.get(field) ?? []), told]);
    }
  }
  return new Refusal(400, Object.fromEntries(fields));
}

const API_PREFIX = '/api/v2';

export type Routed =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

type Deployed = Pick<Settings, 'operations' | 'referencePrefix'>;

/** Finds a call's operation at the deployment's path and method. */
export function createRouting(operations: readonly Operation[], deployed: () => Deployed) {
  let known: { readonly by: Deployed; readonly route: ReturnType<typeof createRouter> } | null = null;
  return (method: string, path: string): Routed => {
    const by = deployed();
    if (known?.by !== by) {
      const here = operations.map((operation) => {
        const { paging: _, arrays: __, ...place } = by.operations[operation.id] ?? {};
        return { ...operation, ...(place as Partial<Operation>) };
      });
      known = { by, route: createRouter(here, by.referencePrefix) };
    }
    return known.route(method, path);
  };
}

/** Moves parameters to their places in the table. */
export function inTheirPlaces(
  operation: Operation,
  {
    params,
    query,
    pagedAs,
  }: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: URLSearchParams;
    readonly pagedAs: 'page' | 'offset' | undefined;
  },
): { readonly params: Record<string, string>; readonly query: URLSearchParams } {
  const [own, rest] = [{ ...params }, new URLSearchParams(query)];
  for (const name of Object.keys(operation.query.shape)) {
    const sent = own[name];
    if (sent === undefined || Object.hasOwn(operation.pathParams.shape, name)) continue;
    rest.set(name, sent);
    delete own[name];
  }
  for (const name of Object.keys(operation.pathParams.shape)) {
    const sent = rest.get(name);
    if (own[name] !== undefined || sent === null) continue;
    own[name] = sent;
    rest.delete(name);
  }
  if (pagedAs === 'offset' && operation.paging === 'page') {
    const [limit, offset] = [Number(rest.get('limit') ?? '50'), Number(rest.get('offset') ?? '0')];
    for (const name of ['limit', 'offset', 'page', 'page_size']) rest.delete(name);
    rest.set('page_size', String(limit));
    rest.set('page', String(Math.floor(offset / limit) + 1));
  }
  return { params: own, query: rest };
}

/** From the operation table alone. */
export function createRouter(
  operations: readonly Operation[],
  referencePrefix: string = API_PREFIX,
): (method: string, path: string) => Routed {
  const prefixOf = ({ section }: Operation) => (section.startsWith('2,') ? referencePrefix : API_PREFIX);
  const routes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(
      `^${inSegments(prefixOf(operation) + operation.path).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`,
    ),
  }));
  return (method, path) => {
    const wanted = inSegments(path);
    const matches = routes.filter(({ pattern }) => pattern.test(wanted));
    if (matches.length === 0) return { kind: 'unknown' };
    if (!path.endsWith('/') && matches.some((route) => route.operation.path.endsWith('/'))) return { kind: 'no-slash' };
    const route = matches.find((match) => match.operation.method === method);
    if (!route) return { kind: 'wrong-method', allowed: matches.map((match) => match.operation.method) };
    const params = Object.entries(route.pattern.exec(wanted)?.groups ?? {});
    const decodedParams = Object.fromEntries(params.map(([name, segment]) => [name, decoded(segment)]));
    return { kind: 'found', operation: route.operation, params: decodedParams };
  };
}

/** Ignores empty segments: `/a//b/` equals `/a/b`. */
function inSegments(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .join('/');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
