import { z } from 'zod';
import type { AccountConfig } from '../../config/resolve.ts';
import { didYouMean } from '../../config/suggest.ts';
import { parseJson } from '../../http/json.ts';
import { fixedHeaders } from '../../marketplace/client.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../../marketplace/operations/table.ts';
import { type WireFile, wireFile } from '../../marketplace/operations/wire.ts';
import { applyOverride, requestIssues, rootOf, type WireRequest, writeRequest } from '../../marketplace/request.ts';
import { UsageError } from '../faults.ts';
import { defOf, type Schema, takes } from './schema.ts';

/** A call's parameters and body, as typed. */
export interface TypedRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** @throws UsageError for an unknown operation */
export function findOperation(id: string): Operation {
  if (Object.hasOwn(OPERATIONS, id)) return OPERATIONS[id as OperationId];
  const hint = didYouMean(id, Object.keys(OPERATIONS)) || '.';
  throw new UsageError(`there is no operation "${id}"${hint} "stockbridge api --list" shows them.`);
}

/**
 * Sorts `name=value` parameters into path and query by the table's types. Some may be repeated.
 * @throws UsageError for an unknown parameter
 */
export function sortParams(operation: Operation, params: readonly string[]): TypedRequest {
  const sorted: { path: Record<string, unknown>; query: Record<string, unknown> } = { path: {}, query: {} };
  const given = params.map((param) => {
    const at = param.indexOf('=');
    if (at < 0) throw new UsageError(`--param ${param}: expected name=value`);
    return { name: param.slice(0, at), value: param.slice(at + 1) };
  });
  for (const [name, uses] of Map.groupBy(given, (param) => param.name)) {
    const [part, schema] = place(operation, name);
    const values = uses.map(({ value }) => value);
    const element = elementOf(schema);
    if (element === null && values.length > 1)
      throw new UsageError(`--param ${name} is given twice, and takes one value`);
    const [only = ''] = values;
    const single = typed(schema, only);
    const isSingle = element === null || (values.length === 1 && takes(schema, single));
    sorted[part][name] = isSingle ? single : values.map((value) => typed(element, value));
  }
  return sorted;
}

function place(operation: Operation, name: string): ['path' | 'query', Schema] {
  const shapes: Record<'path' | 'query', Record<string, Schema>> = {
    path: operation.pathParams.shape,
    query: operation.query.shape,
  };
  for (const part of ['path', 'query'] as const) {
    const schema = Object.hasOwn(shapes[part], name) ? shapes[part][name] : undefined;
    if (schema !== undefined) return [part, schema];
  }
  const names = [...Object.keys(shapes.path), ...Object.keys(shapes.query)];
  const hint = didYouMean(name, names) || '.';
  const has = names.length === 0 ? 'It has none.' : `"stockbridge api --describe ${operation.id}" shows those it has.`;
  throw new UsageError(`${operation.id} has no parameter "${name}"${hint} ${has}`);
}

/** The element of an array or of an array alternative; null: no array. */
function elementOf(schema: Schema): Schema | null {
  const { type, innerType, element, options } = defOf(schema);
  if (type === 'array') return element ?? null;
  if (options !== undefined) return options.map(elementOf).find((found) => found !== null) ?? null;
  return innerType === undefined ? null : elementOf(innerType);
}

/** Text where it is accepted, or else a number or boolean, even out of bounds. */
function typed(schema: Schema, value: string): unknown {
  if (takes(schema, value)) return value;
  try {
    const read = parseJson(value);
    const issues = z.safeParse(schema, read).error?.issues ?? [];
    return issues.every(({ code }) => code === 'too_small' || code === 'too_big') ? read : value;
  } catch {
    return value;
  }
}

const MAX_ISSUES_SHOWN = 20;

/**
 * The request as the account would send it.
 * @throws UsageError with a line for each invalid place
 */
export function checkRequest(
  operation: Operation,
  { marketplace }: AccountConfig,
  request: TypedRequest,
): WireRequest & { readonly url: string; readonly auth: { readonly scheme: string } } {
  const issues = requestIssues(operation, request);
  if (issues.length > 0) {
    const lines = issues.slice(0, MAX_ISSUES_SHOWN).map(({ path, message }) => `  ${path}: ${message}`);
    if (issues.length > lines.length) lines.push(`  and ${issues.length - lines.length} more`);
    const noBody = operation.body !== null && request.body === undefined ? ' Give the body with --body FILE.' : '';
    throw new UsageError(
      `${operation.id} was not sent, because its request is invalid:\n${lines.join('\n')}\n` +
        `To see what is valid: stockbridge api --describe ${operation.id}.${noBody}`,
    );
  }
  const { origin } = new URL(marketplace.baseUrl);
  const own = marketplace.operations[operation.id as OperationId];
  const wire = writeRequest(
    applyOverride(operation, own, marketplace.dialect),
    rootOf(operation, marketplace),
    request,
  );
  return { ...wire, url: origin + wire.target, auth: own?.auth ?? marketplace.auth };
}

/** A request with masked secrets and file names instead of contents. */
export interface MaskedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function maskedRequest(
  { method, url, auth, payload }: ReturnType<typeof checkRequest>,
  body: unknown,
  { marketplace }: AccountConfig,
): MaskedRequest {
  const headers = fixedHeaders({ ...marketplace, auth }, '***');
  if (payload === null) return { method, url, headers, body: null };
  headers['content-type'] = payload.contentType;
  return { method, url, headers, body: typeof payload.body === 'string' ? parseJson(payload.body) : partsOf(body) };
}

/** Without the files' contents. */
function partsOf(body: unknown): unknown {
  const shown = (value: unknown) => {
    const file = wireFile.safeParse(value).data;
    return file === undefined ? value : fileText(file);
  };
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(shown) : shown(value),
    ]),
  );
}

function fileText({ name, contentType, bytes }: WireFile): string {
  return `${name} (${contentType}, ${bytes.length} bytes)`;
}
