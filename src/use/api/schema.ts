import { z } from 'zod';
import { MAX_UPLOAD_BYTES } from '../../marketplace/multipart.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import type { WireFile } from '../../marketplace/operations/wire.ts';

/** For one call. */
export const MAX_BODY_BYTES = MAX_UPLOAD_BYTES;

export type Schema = z.core.$ZodType;

interface Def {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly valueType?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
}

export function defOf(schema: Schema): Def {
  return schema._zod.def;
}

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const A_FILE: WireFile = { name: 'photo.png', contentType: 'image/png', bytes: new Uint8Array(1) };

/** As JSON Schema. Our own checks appear by name, and trivial bounds of whole numbers are omitted. */
export function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      const name = patternName(zodSchema);
      if (name !== null) Object.assign(written, { description: name });
      if (zodSchema._zod.def.type === 'custom') Object.assign(written, customSchema(zodSchema));
      if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
      if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
    },
  });
  return rest;
}

/** From the pattern's error: `expected a date-time` means a date-time. */
function patternName(schema: Schema): string | null {
  for (const check of schema._zod.def.checks ?? []) {
    const { check: kind, error } = check._zod.def;
    if (kind !== 'string_format' || error === undefined) continue;
    const told = error({ code: 'invalid_format', format: 'regex', input: '', path: [] } as never);
    const text = typeof told === 'string' ? told : (told?.message ?? '');
    if (text.startsWith('expected ')) return text.replace(/^expected (an? )?/, '');
  }
  return null;
}

/** Recognises our own checks by the values they accept. */
function customSchema(schema: Schema): JsonSchema {
  if (isFile(schema)) return { type: 'string', format: 'binary', description: 'file' };
  if (takes(schema, '1.5')) return { type: ['number', 'string'], description: 'decimal' };
  return takes(schema, 1) ? { type: 'number', description: 'number' } : {};
}

function isFile(schema: Schema): boolean {
  return schema._zod.def.type === 'custom' && takes(schema, A_FILE);
}

export function takes(schema: Schema, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

/** The file fields of a body, and how many files each takes. */
export function fileFields({ body }: Operation): Map<string, 'one' | 'several'> {
  const fields = new Map<string, 'one' | 'several'>();
  for (const [name, schema] of Object.entries((body && defOf(body).shape) ?? {})) {
    const { type, element } = defOf(unwrapped(schema));
    if (isFile(unwrapped(schema))) fields.set(name, 'one');
    else if (type === 'array' && element !== undefined && isFile(element)) fields.set(name, 'several');
  }
  return fields;
}

/** Removes wrappers such as `optional`. */
function unwrapped(schema: Schema): Schema {
  const { innerType } = defOf(schema);
  return innerType === undefined ? schema : unwrapped(innerType);
}
