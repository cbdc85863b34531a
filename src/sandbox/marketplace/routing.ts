import type { Operation } from '../../marketplace/operations/operation.ts';

export const API_PREFIX = '/api/v2';

export type Routed =
  | { readonly kind: 'found'; readonly operation: Operation; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'no-slash' }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

interface Route {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

/** Finds the operation of a call, from the operation table alone. */
export function createRouter(operations: readonly Operation[]): (method: string, path: string) => Routed {
  const routes: Route[] = operations.map((operation) => ({ operation, segments: split(API_PREFIX + operation.path) }));
  return (method, path) => {
    const wanted = split(path);
    const matches = routes.filter((route) => matchesPath(route.segments, wanted));
    if (matches.length === 0) return { kind: 'unknown' };
    if (!path.endsWith('/') && matches.some((route) => route.operation.path.endsWith('/'))) return { kind: 'no-slash' };
    const route = matches.find((match) => match.operation.method === method);
    if (!route) return { kind: 'wrong-method', allowed: matches.map((match) => match.operation.method) };
    return { kind: 'found', operation: route.operation, params: readParams(route.segments, wanted) };
  };
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '');
}

function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((segment, index) => segment.startsWith('{') || segment === path[index])
  );
}

function readParams(pattern: readonly string[], path: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  pattern.forEach((segment, index) => {
    if (segment.startsWith('{')) params[segment.slice(1, -1)] = decoded(path[index] ?? '');
  });
  return params;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
