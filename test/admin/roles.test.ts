import { afterAll, expect, test } from 'vitest';
import { ACTS } from '../../src/admin/screen/acts.ts';
import { loadAssets } from '../../src/admin/screen/assets.ts';
import { PAGES } from '../../src/admin/screen/pages.ts';
import { createMetrics } from '../../src/daemon/metrics.ts';
import { adminWith } from '../support/admin.ts';

/** The role that each route asks for. `itself`: the route checks by itself. A route that is not named here fails the test. */
const RULES: Record<string, 'anybody' | 'viewer' | 'operator' | 'itself'> = {
  'POST /login': 'itself',
  'GET /login/link': 'itself',
  'POST /login/link': 'itself',
  'HEAD /login/link': 'itself',
  'POST /logout': 'anybody',
  'GET /livez': 'anybody',
  'HEAD /livez': 'anybody',
  'GET /readyz': 'anybody',
  'HEAD /readyz': 'anybody',
  'GET /metrics': 'anybody',
  'HEAD /metrics': 'anybody',
  'GET /api/v1/openapi.json': 'viewer',
  'HEAD /api/v1/openapi.json': 'viewer',
  'GET /api/v1/status': 'viewer',
  'HEAD /api/v1/status': 'viewer',
  'GET /api/v1/coverage': 'viewer',
  'HEAD /api/v1/coverage': 'viewer',
  'GET /api/v1/jobs': 'viewer',
  'HEAD /api/v1/jobs': 'viewer',
  'GET /api/v1/accounts/:account/entities/:flow/:key': 'viewer',
  'HEAD /api/v1/accounts/:account/entities/:flow/:key': 'viewer',
  'POST /api/v1/jobs/replay': 'operator',
  'POST /api/v1/jobs/discard': 'operator',
  'POST /api/v1/doubts/:id/resolve': 'operator',
  'GET /api/v1/accounts/:account/plans': 'viewer',
  'HEAD /api/v1/accounts/:account/plans': 'viewer',
  'POST /api/v1/accounts/:account/plans': 'operator',
  'GET /api/v1/accounts/:account/plans/:plan': 'viewer',
  'HEAD /api/v1/accounts/:account/plans/:plan': 'viewer',
  'GET /api/v1/accounts/:account/plans/:plan/changes': 'viewer',
  'HEAD /api/v1/accounts/:account/plans/:plan/changes': 'viewer',
  'POST /api/v1/accounts/:account/plans/:plan/approve': 'operator',
  'POST /api/v1/accounts/:account/plans/:plan/apply': 'operator',
  'GET /api/v1/accounts/:account/tasks': 'viewer',
  'HEAD /api/v1/accounts/:account/tasks': 'viewer',
  'DELETE /api/v1/accounts/:account/tasks/:task': 'operator',
  'POST /api/v1/accounts/:account/replays': 'operator',
  'GET /api/v1/live': 'viewer',
  'GET /api/v1/brakes': 'viewer',
  'HEAD /api/v1/brakes': 'viewer',
  'POST /api/v1/brakes/:hash/approve': 'operator',
  'POST /api/v1/brakes/:hash/drop': 'operator',
  'GET /api/v1/accounts/:account/mappings/:kind': 'viewer',
  'HEAD /api/v1/accounts/:account/mappings/:kind': 'viewer',
  'POST /api/v1/accounts/:account/mappings/:kind': 'operator',
  'DELETE /api/v1/accounts/:account/mappings/:kind': 'operator',
  'GET /api/v1/accounts/:account/unlinked/listings': 'viewer',
  'HEAD /api/v1/accounts/:account/unlinked/listings': 'viewer',
  'GET /api/v1/accounts/:account/unlinked/products': 'viewer',
  'HEAD /api/v1/accounts/:account/unlinked/products': 'viewer',
  'GET /api/v1/accounts/:account/suggestions': 'viewer',
  'HEAD /api/v1/accounts/:account/suggestions': 'viewer',
  'POST /api/v1/accounts/:account/suggestions/refuse': 'operator',
  'GET /api/v1/pauses': 'viewer',
  'HEAD /api/v1/pauses': 'viewer',
  'PUT /api/v1/accounts/:account/pauses/:flow': 'operator',
  'DELETE /api/v1/accounts/:account/pauses/:flow': 'operator',
  'GET /api/v1/accounts/:account/orders': 'viewer',
  'HEAD /api/v1/accounts/:account/orders': 'viewer',
  'GET /api/v1/accounts/:account/products': 'viewer',
  'HEAD /api/v1/accounts/:account/products': 'viewer',
  'PUT /api/v1/accounts/:account/listings/:listing/archived': 'operator',
  'GET /api/v1/explain': 'viewer',
  'HEAD /api/v1/explain': 'viewer',
  'GET /api/v1/events': 'viewer',
  'HEAD /api/v1/events': 'viewer',
  'GET /api/v1/events/:id': 'viewer',
  'HEAD /api/v1/events/:id': 'viewer',
  'POST /api/v1/events/:id/resend': 'operator',
  'GET /api/v1/journal': 'viewer',
  'HEAD /api/v1/journal': 'viewer',
  'GET /api/v1/audit': 'viewer',
  'HEAD /api/v1/audit': 'viewer',
  'GET /api/v1/audit/verification': 'viewer',
  'HEAD /api/v1/audit/verification': 'viewer',
};

const VIEWER = 'the-viewer-token';
const OPERATOR = 'an-operator-token';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

type Ask = { readonly headers?: Record<string, string>; readonly query?: Record<string, string> };

for (const page of PAGES) for (const method of ['GET', 'HEAD']) RULES[`${method} ${page.path}`] = 'viewer';
for (const { name } of ACTS) RULES[`POST /act/${name}`] = 'operator';
for (const path of ['/login', ...loadAssets().files.keys()].map((one) => one.replace(/^a/, '/a'))) {
  for (const method of ['GET', 'HEAD']) RULES[`${method} ${path}`] = 'anybody';
}

/** Ways to ask, each with the role that it stands for; null: nobody. */
const ASKERS: readonly (readonly [string, 'viewer' | 'operator' | null, Ask])[] = [
  ['nobody', null, {}],
  ['a viewer', 'viewer', { headers: { authorization: `Bearer ${VIEWER}` } }],
  ['an operator', 'operator', { headers: { authorization: `Bearer ${OPERATOR}` } }],
  ['a wrong token', null, { headers: { authorization: 'Bearer a-guess' } }],
  ['half a token', null, { headers: { authorization: `Bearer ${OPERATOR.slice(0, 8)}` } }],
  ['a token of another scheme', null, { headers: { authorization: `Basic ${OPERATOR}` } }],
  [
    'a token in the query',
    null,
    { query: { token: OPERATOR, access_token: OPERATOR, authorization: `Bearer ${OPERATOR}` } },
  ],
  ['a token in a cookie', null, { headers: { cookie: `token=${OPERATOR}` } }],
];

const { app } = adminWith({
  registry: createMetrics().registry,
  keys: () => ({ operator: OPERATOR, viewer: VIEWER, users: [] }),
});
await app.ready();
afterAll(() => app.close());

/** The routes that the server says it serves, as `GET /path`. */
function routesOf(printed: string): string[] {
  const above: string[] = [];
  return printed.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (part === '') return [];
    const depth = indent.length / 4;
    above.splice(depth, above.length, part);
    return methods === '' ? [] : methods.split(', ').map((method) => `${method} ${above.join('')}`);
  });
}

const routes = routesOf(app.printRoutes({ commonPrefix: false }));

test('each route has a rule, and each rule a route', () => {
  expect(routes.toSorted()).toEqual(Object.keys(RULES).toSorted());
});

test('each route admits exactly its roles, by every way of authentication', async () => {
  for (const route of [...routes, ...METHODS.map((method) => `${method} /not-there`)]) {
    const [method, url] = route.split(' ') as [(typeof METHODS)[number], string];
    const rule = RULES[route] ?? 'viewer';
    if (rule === 'itself') continue;
    for (const [who, role, ask] of ASKERS) {
      const { statusCode } = await app.inject({ method, url, ...ask });
      const isKnown = rule === 'anybody' || role !== null;
      const isEnough = rule !== 'operator' || role === 'operator';
      const refusal = isKnown ? (isEnough ? null : 403) : 401;
      const what = `${route} asked by ${who}`;
      if (refusal !== null) expect(statusCode, what).toBe(refusal);
      else expect([401, 403], what).not.toContain(statusCode);
    }
  }
});

test('no answer is cached by a browser or a proxy, but the files of the frame', async () => {
  for (const route of [...routes, 'GET /not-there', 'GET /api/v1/not-there']) {
    const [method, url] = route.split(' ') as [(typeof METHODS)[number], string];
    if (url.startsWith('/assets/') || url === '/api/v1/live') continue;
    for (const [who, , ask] of ASKERS.slice(0, 3)) {
      const { headers } = await app.inject({ method, url, ...ask });
      const told = [route, who, headers['cache-control'], headers['x-content-type-options']];
      expect(told).toEqual([route, who, 'no-store', 'nosniff']);
    }
  }
});
