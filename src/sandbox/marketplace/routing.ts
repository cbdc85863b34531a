import type { Operation } from '../../marketplace/operations/operation.ts';

export const API_PREFIX = '/api/v2';

export type Routed =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

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

/** Without empty segments: `/a//b/` and `/a/b` are the same path. */
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
