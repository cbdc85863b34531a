import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The version of the ERP HTTP contract. */
const CONTRACT = 1;

export interface ModuleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** As in the contract: `/v1/orders/SO-1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** JSON; null: none. Quantities and amounts are decimal texts. */
  readonly body: unknown;
  /** The current `erp.secret`. A 401 answer rejects it. */
  readonly secret: string;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

export interface ModuleAnswer {
  /** As in the contract: 200 by default, 404 not found, 409 or 422 refused, 503 try later. */
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | number>>;
}

export interface OpenedModule {
  /** A thrown error counts as a broken connection: a write is looked up before it is repeated. */
  handle(request: ModuleRequest): Promise<ModuleAnswer> | ModuleAnswer;
  close?(): Promise<void> | void;
}

const INDEXES = ['index.ts', 'index.mjs', 'index.js'];
const isFunction = (value: unknown): value is (...args: never[]) => unknown => typeof value === 'function';
const loaded = z.object({
  contract: z.literal(
    CONTRACT,
    `"export const contract" has to be ${CONTRACT}, the version of the contract that it answers`,
  ),
  default: z.custom<(settings: Readonly<Record<string, unknown>>) => unknown>(
    isFunction,
    '"export default" has to be a function of the settings',
  ),
});
const opened = z.custom<OpenedModule>(
  (value) => isFunction((value as Partial<OpenedModule> | null)?.handle),
  'its default function has to return an object with a function "handle"',
);

/** @throws Error naming the module and the problem */
export async function loadModule(path: string, settings: Readonly<Record<string, unknown>>): Promise<OpenedModule> {
  const fails = (why: string, cause?: unknown) => new Error(`the module ${path} cannot be used: ${why}`, { cause });
  const known: unknown = await import(pathToFileURL(fileOf(path)).href).catch((error: unknown) => {
    throw fails(error instanceof Error ? error.message : String(error), error);
  });
  const module = loaded.safeParse(known);
  if (!module.success) throw fails(textOf(module.error));
  const erp = opened.safeParse(await module.data.default(settings));
  if (!erp.success) throw fails(textOf(erp.error));
  return erp.data;
}

function textOf({ issues }: z.ZodError): string {
  return issues.map(({ message }) => message).join('; ');
}

function fileOf(path: string): string {
  if (!statSync(path).isDirectory()) return path;
  return INDEXES.map((name) => join(path, name)).find((file) => existsSync(file)) ?? join(path, 'index.ts');
}
