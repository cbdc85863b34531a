import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

/** The version of the ERP HTTP contract that modules answer. */
const CONTRACT = 1;

/** A call of the contract. */
export interface ModuleRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** The path of the contract: `/v1/orders/SO-1`. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body; null where there is none. Quantities and amounts are decimal texts. */
  readonly body: unknown;
  /** `erp.secret` as it is now; an answer of 401 says that it was refused. */
  readonly secret: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface ModuleAnswer {
  /** As in the contract: 200 where it is left out, 404 for what is not there, 409 or 422 for a refusal, 503 for later. */
  readonly status?: number;
  /** The JSON body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** An ERP that was opened by a module. */
export interface OpenedModule {
  /** An error that it throws counts as a broken connection: a write may have been applied, and is looked up before it is repeated. */
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

/** @throws Error that names the module and says what is wrong with it */
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
