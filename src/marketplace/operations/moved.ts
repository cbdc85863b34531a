import { z } from 'zod';
import type { Method, Operation } from './operation.ts';

/*
 * Spec 2, Endpoints, does not say "whether an identifier parameter is carried in the path or the query". So a
 * deployment's path may omit a path parameter, which moves to the query, or contain a query parameter.
 */

/** Where the deployment's operation differs from the table. */
export interface Override {
  readonly method?: Method | undefined;
  readonly path?: string | undefined;
  readonly paging?: 'page' | 'offset' | undefined;
  readonly arrays?: 'repeated' | 'commas' | undefined;
}

const PLACEHOLDER = /\{(\w*)\}/g;

export function placeholders(path: string): string[] {
  return Array.from(path.matchAll(PLACEHOLDER), ([, name = '']) => name);
}

type Shape = Pick<Operation, 'path' | 'pathParams' | 'query' | 'provenance'>;

/** A path below the API. A segment of dots would leave it. */
export const PATH = /^(\/(?!\.{1,2}(\/|$))([\w.~-]|\{\w+\})*)+$/;

/** Why an operation cannot have this path; null: it can. */
export function pathProblem(operation: Shape, path: string): string | null {
  if (!PATH.test(path)) return `expected a path such as ${operation.path}, of letters, digits and {parameters}`;
  const [own, found] = [Object.keys(operation.pathParams.shape), placeholders(path)];
  if (operation.provenance === 'documented') {
    if (own.toSorted().join() === found.toSorted().join()) return null;
    const parameters = own.length === 0 ? 'no parameter' : own.map((name) => `{${name}} once`).join(' and ');
    return `expected a path with ${parameters}, such as ${operation.path}`;
  }
  const twice = found.find((name, index) => found.indexOf(name) !== index);
  if (twice !== undefined) return `{${twice}} is in it twice`;
  const movable = [...own, ...needed(operation)];
  const odd = found.find((name) => !movable.includes(name));
  if (odd === undefined) return null;
  const may = movable.length === 0 ? 'no parameter' : movable.map((name) => `{${name}}`).join(', ');
  return `{${odd}} ${whyNotMovable(operation, odd)}: the path may have ${may}`;
}

function whyNotMovable({ query }: Shape, name: string): string {
  const schema = query.shape[name] as z.ZodType | undefined;
  if (schema === undefined) return 'is no parameter of it';
  return schema.safeParse(undefined).success ? 'is not in every call' : 'may have several values';
}

/** Does any query parameter accept several values? */
export function takesSeveral({ query }: Pick<Operation, 'query'>): boolean {
  return Object.values(query.shape).some(isArray);
}

function isArray(schema: z.core.$ZodType): boolean {
  const { type, innerType, options = [] }: Parts = schema._zod.def;
  return type === 'array' || options.some(isArray) || (innerType !== undefined && isArray(innerType));
}

interface Parts {
  readonly type: string;
  readonly innerType?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The required query parameters with a single value. */
function needed({ query }: Shape): string[] {
  return Object.entries(query.shape as Record<string, z.ZodType>).flatMap(([name, schema]) => {
    const words = schema instanceof z.ZodEnum ? schema.options : [];
    const single = [1, 'x', '00000000-0000-0000-0000-000000000000', ...words];
    const isSingle = single.some((one) => schema.safeParse(one).success);
    return isSingle && !schema.safeParse(undefined).success ? [name] : [];
  });
}

/** The path parameters that are sent in the query, because the deployment's path lacks them. */
export function movedToQuery(operation: Pick<Operation, 'path' | 'pathParams'>): string[] {
  const found = placeholders(operation.path);
  return Object.keys(operation.pathParams.shape).filter((name) => !found.includes(name));
}

/** The path with the parameters that are sent in the query: `/vehicles/?id={id}`. */
export function shownPath(operation: Pick<Operation, 'path' | 'pathParams'>): string {
  const moved = movedToQuery(operation).map((name) => `${name}={${name}}`);
  return moved.length === 0 ? operation.path : `${operation.path}?${moved.join('&')}`;
}
