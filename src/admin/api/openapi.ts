import { z } from 'zod';
import { problem } from './problem.ts';
import { LIVE_PATH, ofAccount, type Route } from './route.ts';
import type { Group } from './routes.ts';
import { toApiSchema } from './spelling.ts';

const ABOUT = `Everything that the terminal shows and does, for programs. A list comes in pages: \`next\` of an answer is \`after\` of the next call, and null at the end. A request may have an Idempotency-Key chosen by the caller: a second request with the same key does not repeat the act and gets the first answer.`;

const LIVE_TAG = { name: 'live', description: 'The journal as it is written' };

/**
 * The description of the admin API, OpenAPI 3.1, made of the schemas that every call goes through.
 * @param base the path under which a proxy serves all of it; empty: none
 */
export function openApi(groups: readonly Group[], base: string) {
  const schemas = new Map<string, unknown>();
  const operations = groups.flatMap(({ name, routes }) =>
    routes.map((route) => ({ ...route, operation: operationOf(route, name, schemas) })),
  );
  const Problem = schemaOf(problem, 'output', schemas);
  const live = liveOf(schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stockbridge admin API',
      version: '1',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'Those who run this Stockbridge' },
    },
    servers: [{ url: `${base}/api/v1`, description: 'This daemon' }],
    tags: [...groups.map(({ name, about }) => ({ name, description: about })), LIVE_TAG],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The operator token or the viewer token' },
      },
      schemas: { Problem, ...Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))) },
    },
    paths: {
      ...Object.fromEntries(
        [...Map.groupBy(operations, ({ path }) => path)].map(([path, own]) => [
          path,
          Object.fromEntries(own.map(({ method, operation }) => [method.toLowerCase(), operation])),
        ]),
      ),
      [LIVE_PATH]: { get: live },
    },
  };
}

/** The call for the live journal. Unlike the answers of other calls, its answer goes on, for ten minutes at most. */
function liveOf(schemas: Map<string, unknown>) {
  const described = 'Events; the id of each is that of its entry';
  return {
    operationId: 'followJournal',
    tags: [LIVE_TAG.name],
    summary: 'Every new entry of the journal as a server-sent event. A write is sent again when it has ended',
    description: 'A viewer may ask.',
    parameters: [
      ...parametersOf(ofAccount, 'query', schemas),
      {
        name: 'Last-Event-ID',
        in: 'header',
        description: 'The id of the last event that was received: later events are sent',
        required: false,
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: { description: described, content: { 'text/event-stream': { schema: { type: 'string' } } } },
      ...problemsOf([400, 401, 404, 503]),
    },
  };
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A text chosen by the caller for this act. With the same key, the act is not repeated',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function operationOf(route: Route, tag: string, schemas: Map<string, unknown>) {
  const { id, method, summary, parameters, query, body, answer } = route;
  const isAct = method !== 'GET';
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: isAct ? 'Only an operator may.' : 'A viewer may ask.',
    parameters: [
      ...parametersOf(parameters, 'path', schemas),
      ...parametersOf(query, 'query', schemas),
      ...(isAct ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: jsonOf(`${name}Body`, schemaOf(body, 'input', schemas), schemas) } }),
    responses: {
      200: {
        description: 'The answer',
        content: jsonOf(`${name}Answer`, toApiSchema(schemaOf(answer, 'output', schemas)), schemas),
      },
      ...problemsOf(isAct ? [400, 401, 403, 404, 409, 422, 429, 503] : [400, 401, 404, 429, 503]),
    },
  };
}

/** A schema by its name. */
function jsonOf(name: string, schema: unknown, schemas: Map<string, unknown>) {
  const { $ref } = schema as { readonly $ref?: string };
  if ($ref === undefined) schemas.set(name, schema);
  return { 'application/json': { schema: { $ref: $ref ?? `${SCHEMAS}${name}` } } };
}

const SCHEMAS = '#/components/schemas/';

const SAID: Readonly<Record<number, string>> = {
  400: 'The request does not fit',
  401: 'The token is missing or unknown',
  403: 'Only an operator may',
  404: 'There is no such thing',
  409: 'It has changed since the request was made',
  422: 'The Idempotency-Key was sent with another request',
  429: 'There were too many wrong tokens: Retry-After says when to ask again',
  503: 'Not now: Retry-After says when to ask again',
};

function problemsOf(statuses: readonly number[]): Readonly<Record<string, unknown>> {
  const content = { 'application/problem+json': { schema: { $ref: `${SCHEMAS}Problem` } } };
  const retry = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } };
  const told = (status: number): [number, unknown] => [
    status,
    { description: SAID[status], ...(status === 429 || status === 503 ? { headers: retry } : {}), content },
  ];
  return { ...Object.fromEntries(statuses.map(told)), default: { description: 'A problem (RFC 9457)', content } };
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query', schemas: Map<string, unknown>) {
  const { properties = {}, required = [] } = schemaOf(schema, 'input', schemas) as JsonObject;
  return Object.entries(properties).map(([name, { description, ...of }]) => ({
    name,
    in: place,
    ...(description === undefined ? {} : { description }),
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

interface JsonObject {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}

/** The JSON Schema of a schema. Its named parts are put among `schemas`, and it refers to them. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Map<string, unknown>): unknown {
  // Only the parts of a schema are referred to by name, and not the schema itself.
  const made = z.toJSONSchema(z.object({ made: schema }), { io, unrepresentable: 'any' });
  for (const [name, { id: _, ...of }] of Object.entries(made.$defs ?? {}))
    schemas.set(name, toApiSchema(referring(of)));
  return referring(made.properties?.['made']);
}

function referring(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${SCHEMAS}`));
}
