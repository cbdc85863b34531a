import type { z } from 'zod';
import { CallFailure } from '../domain/failure.ts';
import { issuesOf, type ShapeIssue } from '../http/issues.ts';
import { decimalText } from '../http/json.ts';
import { type Dialect, type RecordDialect, toDeploymentBody, withWords } from './dialect.ts';
import { type Payload, writeMultipart } from './multipart.ts';
import { movedToQuery, type Override, pathProblem, placeholders } from './operations/moved.ts';
import type { Method, Operation } from './operations/operation.ts';
import { recordKindOf } from './operations/record-names.ts';
import type { OPERATIONS, OperationId } from './operations/table.ts';

type Table = typeof OPERATIONS;

/** Operations that return one entity or nothing. */
export type CallId = { [Id in OperationId]: Table[Id]['paging'] extends null ? Id : never }[OperationId];
/** Operations that return a list by pages. */
export type ListId = Exclude<OperationId, CallId>;

/** The entity, or one row of the list, as the server sent it. */
export type Answer<Id extends OperationId> = z.output<Table[Id]['answer']>;
export type Query<Id extends OperationId> = z.input<Table[Id]['query']>;
export type Body<Id extends OperationId> = Table[Id]['body'] extends z.ZodType ? z.input<Table[Id]['body']> : undefined;

/** Required if one of its fields is required, otherwise optional. */
type Part<Name extends string, Value> =
  Record<never, never> extends Value ? { readonly [K in Name]?: Value } : { readonly [K in Name]: Value };

export type RequestOf<Id extends OperationId> = Part<'path', z.input<Table[Id]['pathParams']>> &
  Part<'query', Query<Id>> &
  (undefined extends Body<Id> ? { readonly body?: undefined } : { readonly body: Body<Id> });

export interface WireRequest {
  readonly method: Method;
  /** The percent-encoded path with the query, from the origin on. */
  readonly target: string;
  /** null: no payload. */
  readonly payload: Payload | null;
}

export interface Deployed extends Operation {
  readonly pagedAs?: 'page' | 'offset' | undefined;
  readonly arrays?: Override['arrays'];
  /** The deployment's names and words for the record. */
  readonly spoken?: RecordDialect | undefined;
}

/** The API path below base_url for spec 1 (Endpoints). */
const API_PREFIX = '/api/v2';

/**
 * The path below the origin for an operation.
 * @param referencePrefix the path below base_url for spec 2, which shows none
 */
export function rootOf(
  { section }: Pick<Operation, 'section'>,
  { baseUrl, referencePrefix }: { readonly baseUrl: string; readonly referencePrefix?: string | undefined },
): string {
  const isReference = section.startsWith('2,');
  return new URL(baseUrl).pathname.replace(/\/+$/, '') + (isReference ? (referencePrefix ?? API_PREFIX) : API_PREFIX);
}

interface Unchecked {
  readonly path?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Every violation of the table, with its path: `body.line_items[0].quantity`. */
export function requestIssues(operation: Operation, request: Unchecked): ShapeIssue[] {
  return checkRequest(operation, request).issues;
}

/**
 * @param root path of the API below the origin, without a trailing slash: `/api/v2`
 * @throws CallFailure `refused`, `not-applied`, with the path of each problem: nothing is sent.
 */
export function writeRequest(operation: Deployed, root: string, request: Unchecked): WireRequest {
  const { path, query, payload, issues } = checkRequest(operation, request);
  if (issues.length > 0) throw unsendable(operation, issues);
  const inPath = placeholders(operation.path);
  const moved = movedToQuery(operation).map((name): [string, unknown] => [name, path[name]]);
  const rest = Object.entries(windowOf(operation, withWords(operation.spoken, query))).filter(
    ([name]) => !inPath.includes(name),
  );
  const target = fillPath(operation.path, { ...query, ...path });
  return {
    method: operation.method,
    target: `${root}${target}${writeQuery([...moved, ...rest], operation.arrays)}`,
    payload,
  };
}

function checkRequest(operation: Deployed, request: Unchecked) {
  const issues: ShapeIssue[] = [];
  const path = check(operation.pathParams, request.path ?? {}, 'path', issues);
  const query = check(operation.query, request.query ?? {}, 'query', issues);
  const body = checkBody(operation, request.body, issues);
  const payload =
    issues.length === 0 && body !== undefined
      ? writePayload(operation, toDeploymentBody(operation.spoken, body), issues)
      : null;
  return { path, query, payload, issues };
}

function writePayload({ bodyEncoding }: Operation, body: unknown, issues: ShapeIssue[]): Payload | null {
  if (bodyEncoding !== 'multipart') return { contentType: 'application/json', body: JSON.stringify(body) };
  const written = writeMultipart(body as Record<string, unknown>);
  if (!('issue' in written)) return written;
  issues.push(written.issue);
  return null;
}

function check(schema: z.ZodType, value: unknown, part: string, issues: ShapeIssue[]): Record<string, unknown> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data as Record<string, unknown>;
  issues.push(...issuesOf(checked.error, part, value));
  return {};
}

function checkBody(operation: Operation, body: unknown, issues: ShapeIssue[]): unknown {
  if (operation.body !== null) return check(operation.body, body, 'body', issues);
  if (body !== undefined) issues.push({ path: 'body', message: 'expected none: it is sent without a payload' });
  return undefined;
}

function unsendable(operation: Operation, issues: readonly ShapeIssue[]): CallFailure {
  const listed = issues.slice(0, 10).map(({ path, message }) => `${path}: ${message}`);
  if (issues.length > listed.length) listed.push(`and ${issues.length - listed.length} more`);
  return new CallFailure(`marketplace ${operation.id} was not sent, its request does not fit: ${listed.join('; ')}`, {
    side: 'marketplace',
    kind: 'refused',
    outcome: 'not-applied',
    path: issues[0]?.path ?? null,
  });
}

const PAGE_SIZE = 50;

/**
 * Field notes, Paging: some deployments take limit and offset instead of page and page_size, or the other way round.
 */
function windowOf({ paging, pagedAs }: Deployed, query: Record<string, unknown>): Record<string, unknown> {
  if (pagedAs === undefined || pagedAs === paging) return query;
  const { page, page_size: size, limit, offset, ...rest } = query;
  if (pagedAs === 'offset') {
    const each = Number(size ?? PAGE_SIZE);
    return { ...rest, limit: each, offset: (Number(page ?? 1) - 1) * each };
  }
  const each = Number(limit ?? PAGE_SIZE);
  return { ...rest, page: Math.floor(Number(offset ?? 0) / each) + 1, page_size: each };
}

const PLACEHOLDER = /\{(\w+)\}/g;

function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** Decimals as digits, booleans as true and false, arrays as the deployment takes them. undefined is not sent. */
function writeQuery(query: readonly (readonly [string, unknown])[], arrays: Override['arrays']): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of query) {
    const texts = (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((each) =>
      each === undefined ? [] : [decimalText(each) ?? JSON.stringify(each)],
    );
    const sent = arrays === 'commas' && texts.length > 1 ? [texts.join(',')] : texts;
    for (const each of sent) pairs.append(name, each);
  }
  return pairs.size === 0 ? '' : `?${pairs.toString()}`;
}

/**
 * Callers name parameters as in the table, wherever this deployment has them.
 * @throws Error when the path does not fit the operation.
 */
export function applyOverride(operation: Operation, override: Override | undefined, dialect?: Dialect): Deployed {
  const record = recordKindOf(operation.id);
  const spoken = record === null ? undefined : dialect?.[record];
  const here: Deployed = spoken === undefined ? operation : { ...operation, spoken };
  if (override === undefined) return here;
  const path = override.path ?? operation.path;
  const setting = `marketplace.operations.${operation.id}.path`;
  const problem = pathProblem(operation, path);
  if (problem !== null) throw new Error(`${setting}: "${path}": ${problem}`);
  const { method = operation.method, paging: pagedAs, arrays } = override;
  return { ...here, method, path, pagedAs, arrays };
}
