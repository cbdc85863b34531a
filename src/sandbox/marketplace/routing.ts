import type { Operation } from '../../marketplace/operations/operation.ts';
import type { Settings } from './settings.ts';

const API_PREFIX = '/api/v2';

export type Routed =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

type Deployed = Settings['operations'];

/** The operation of a call, at the path and method that the deployment has for it. */
export function createRouting(operations: readonly Operation[], deployed: () => Deployed) {
  let known: { readonly by: Deployed; readonly route: ReturnType<typeof createRouter> } | null = null;
  return (method: string, path: string): Routed => {
    const by = deployed();
    if (known?.by !== by) {
      const here = operations.map((operation) => {
        const { paging: _, ...place } = by[operation.id] ?? {};
        return { ...operation, ...(place as Partial<Operation>) };
      });
      known = { by, route: createRouter(here) };
    }
    return known.route(method, path);
  };
}

/** The parameters of a call at their places in the table, even when the deployment sends them elsewhere. */
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

/** Finds the operation of a call, from the operation table alone. */
export function createRouter(operations: readonly Operation[]): (method: string, path: string) => Routed {
  const routes = operations.map((operation) => ({
    operation,
    pattern: new RegExp(`^${inSegments(API_PREFIX + operation.path).replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
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

/** The segments of a path, without empty ones: `/a//b/` and `/a/b` are the same path. */
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
