import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import type { AccountConfig } from '../config/resolve.ts';
import { didYouMean } from '../config/suggest.ts';
import { CallFailure } from '../domain/failure.ts';
import type { Operation } from '../marketplace/operations/operation.ts';
import { OPERATIONS, type OperationId } from '../marketplace/operations/table.ts';
import { parseJson } from '../marketplace/operations/wire.ts';
import { applyOverride, type WireRequest, writeRequest } from '../marketplace/request.ts';
import { UsageError } from './exit.ts';

/** The parameters and the body of a call, as they were typed. */
export interface TypedRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** @throws UsageError when there is no such operation */
export function findOperation(id: string): Operation {
  if (Object.hasOwn(OPERATIONS, id)) return OPERATIONS[id as OperationId];
  const hint = didYouMean(id, Object.keys(OPERATIONS)) || '.';
  throw new UsageError(`there is no operation "${id}"${hint} "stockbridge api --list" shows them.`);
}

/**
 * Sorts `name=value` parameters into path and query, with the types the table asks for.
 * @throws UsageError when one is no parameter of this operation
 */
export function sortParams(operation: Operation, params: readonly string[]): TypedRequest {
  const sorted: { path: Record<string, unknown>; query: Record<string, unknown> } = { path: {}, query: {} };
  for (const param of params) {
    const [name, value] = splitOnce(param);
    if (value === undefined) throw new UsageError(`--param ${param}: expected name=value`);
    const [part, schema] = place(operation, name);
    if (Object.hasOwn(sorted[part], name)) throw new UsageError(`--param ${name} is given twice`);
    sorted[part][name] = typed(schema, value);
  }
  return sorted;
}

function splitOnce(param: string): [string, string?] {
  const at = param.indexOf('=');
  return at < 0 ? [param] : [param.slice(0, at), param.slice(at + 1)];
}

function place(operation: Operation, name: string): ['path' | 'query', z.core.$ZodType] {
  const shapes: Record<'path' | 'query', Record<string, z.core.$ZodType>> = {
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

/** Text where the parameter is text; else the number or the truth value it spells. */
function typed(schema: z.core.$ZodType, value: string): unknown {
  if (accepts(schema, value)) return value;
  try {
    const read = parseJson(value);
    return accepts(schema, read) ? read : value;
  } catch {
    return value;
  }
}

function accepts(schema: z.core.$ZodType, value: unknown): boolean {
  return (schema as z.ZodType).safeParse(value).success;
}

/**
 * Reads the body from a file, or from standard input for "-". Its numbers keep their digits.
 * @throws UsageError when it cannot be read or is not JSON
 */
export async function readBody(from: string): Promise<unknown> {
  const name = from === '-' ? 'the body on standard input' : from;
  let source: string;
  try {
    source = from === '-' ? await text(process.stdin) : await readFile(from, 'utf8');
  } catch (cause) {
    throw new UsageError(`${name} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
  try {
    return parseJson(source);
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/**
 * The request as this account would send it.
 * @throws UsageError with the place of everything that does not fit
 */
export function checkRequest(
  operation: Operation,
  account: AccountConfig,
  request: TypedRequest,
): WireRequest & { url: string } {
  const { marketplace } = account;
  const { origin, pathname } = new URL(marketplace.baseUrl);
  const mine = applyOverride(operation, marketplace.operations[operation.id as OperationId]);
  try {
    const wire = writeRequest(mine, `${pathname.replace(/\/+$/, '')}/api/v2`, request);
    return { ...wire, url: origin + wire.target };
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    const hint = operation.body !== null && request.body === undefined ? ' Give the body with --body FILE.' : '';
    throw new UsageError(`${error.message}.${hint} "stockbridge api --describe ${operation.id}" shows what fits.`, {
      cause: error,
    });
  }
}
