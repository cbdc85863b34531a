import { z } from 'zod';
import { MAX_UPLOAD_BYTES } from '../../marketplace/multipart.ts';
import type { Operation } from '../../marketplace/operations/operation.ts';
import type { WireFile } from '../../marketplace/operations/wire.ts';

/** The largest body of one call. */
export const MAX_BODY_BYTES = MAX_UPLOAD_BYTES;

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const A_FILE: WireFile = { name: 'photo.png', contentType: 'image/png', bytes: new Uint8Array(1) };

/**
 * A schema of the table as JSON Schema. Checks of our own are shown by their name. Bounds that only say that a number is
 * whole are left out.
 */
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

/** The purpose of a pattern, from the text of its refusal: `expected a date-time` means a date-time. */
function patternName(schema: z.core.$ZodType): string | null {
  for (const check of schema._zod.def.checks ?? []) {
    const { check: kind, error } = check._zod.def;
    if (kind !== 'string_format' || error === undefined) continue;
    const told = error({ code: 'invalid_format', format: 'regex', input: '', path: [] } as never);
    const text = typeof told === 'string' ? told : (told?.message ?? '');
    if (text.startsWith('expected ')) return text.replace(/^expected (an? )?/, '');
  }
  return null;
}

/** The two kinds of checks that are our own, by the values that they take. */
function customSchema(schema: z.core.$ZodType): JsonSchema {
  if (isFile(schema)) return { type: 'string', format: 'binary', description: 'file' };
  return takes(schema, '1.5') ? { type: ['number', 'string'], description: 'decimal' } : {};
}

function isFile(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'custom' && takes(schema, A_FILE);
}

export function takes(schema: z.core.$ZodType, value: unknown): boolean {
  return z.safeParse(schema, value).success;
}

/** The fields of a body that are files, each with how many it takes. */
export function fileFields({ body }: Operation): Map<string, 'one' | 'several'> {
  const fields = new Map<string, 'one' | 'several'>();
  for (const [name, schema] of Object.entries(shapeOf(body))) {
    const { type, element } = unwrapped(schema)._zod.def as { type: string; element?: z.core.$ZodType };
    if (isFile(unwrapped(schema))) fields.set(name, 'one');
    else if (type === 'array' && element !== undefined && isFile(element)) fields.set(name, 'several');
  }
  return fields;
}

function shapeOf(schema: z.core.$ZodType | null): Readonly<Record<string, z.core.$ZodType>> {
  const { shape = {} } = (schema?._zod.def ?? {}) as { shape?: Record<string, z.core.$ZodType> };
  return shape;
}

/** The schema without the part that only says that the value may be left out. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType === undefined ? schema : unwrapped(innerType);
}
