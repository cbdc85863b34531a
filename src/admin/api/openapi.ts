import { z } from 'zod';
import { problem } from './problem.ts';
import { LIVE_PATH, ofAccount, type Route } from './route.ts';

/** The description of the admin API, OpenAPI 3.1, made of the schemas that every call goes through. */
export function openApi(routes: readonly Route[]) {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: { title: 'Stockbridge admin API', version: '1' },
    servers: [{ url: '/api/v1' }],
    security: [{ token: [] }],
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: schemaOf(problem, 'output') },
    },
    paths: {
      ...Object.fromEntries(
        [...paths].map(([path, own]) => [
          path,
          Object.fromEntries(own.map((one) => [one.method.toLowerCase(), operationOf(one)])),
        ]),
      ),
      [LIVE_PATH]: { get: LIVE },
    },
  };
}

/** The call for the live journal. Unlike the answers of other calls, its answer goes on, for ten minutes at most. */
const LIVE = {
  operationId: 'get-live',
  summary: 'Every entry of the journal as it comes, as server-sent events; a write that has ended comes once more',
  description: 'A viewer may ask.',
  parameters: [
    ...parametersOf(ofAccount, 'query'),
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } },
  ],
  responses: {
    200: { description: 'Events; the id of each is that of its entry', content: { 'text/event-stream': {} } },
  },
};

function operationOf({ method, path, summary, parameters, query, body, answer }: Route) {
  const access = method === 'GET' ? 'A viewer may ask.' : 'Only an operator may.';
  return {
    operationId: `${method.toLowerCase()}${path.replaceAll(/[{}]/g, '').replaceAll('/', '-')}`,
    summary,
    description: access,
    parameters: [...parametersOf(parameters, 'path'), ...parametersOf(query, 'query')],
    ...(body === null
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } } }),
    responses: {
      200: { description: 'The answer', content: { 'application/json': { schema: schemaOf(answer, 'output') } } },
      default: {
        description: 'A problem (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function parametersOf(schema: z.ZodObject, place: 'path' | 'query') {
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: of,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
