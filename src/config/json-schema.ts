import { z } from 'zod';
import { configFile } from './schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema (draft 2020-12) of the configuration file, for editors. */
export function configJsonSchema(): JsonSchema {
  return { title: 'Stockbridge configuration', ...allowReferences(z.toJSONSchema(configFile, { io: 'input' })) };
}

const REFERENCE = { type: 'string', pattern: '\\$\\{(env|file):' } as const;

/** A module may be named by its path alone. */
const MODULE_PATH = { type: 'string', pattern: '^\\.{0,2}/' } as const;

/**
 * Any value may come from outside the file. Where a schema would refuse `${env:NAME}`, that text is added as an alternative.
 */
function allowReferences(schema: JsonSchema): JsonSchema {
  const { description, default: preset, ...rest } = schema;
  if (schema.const === undefined && (schema.enum || schema.pattern || schema.format || !isTextOrNested(schema))) {
    return {
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
      anyOf: [rest, REFERENCE],
    };
  }
  const nested = { ...schema };
  if (schema.properties) {
    nested.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, allowReferencesIn(value)]),
    );
  }
  const { type } = schema.properties ?? {};
  if (typeof type === 'object' && type.const === 'module') {
    const { description: about = '', ...kind } = type;
    const anyOf = [kind, MODULE_PATH, REFERENCE];
    nested.properties = { ...nested.properties, type: { description: about, anyOf } };
    nested.required = schema.required?.filter((key) => key !== 'module') ?? [];
  }
  if (schema.additionalProperties) nested.additionalProperties = allowReferencesIn(schema.additionalProperties);
  if (schema.oneOf) nested.oneOf = schema.oneOf.map(allowReferencesIn);
  return nested;
}

const allowReferencesIn = <T extends boolean | JsonSchema>(schema: T): T | JsonSchema =>
  typeof schema === 'boolean' ? schema : allowReferences(schema);

const isTextOrNested = ({ type }: JsonSchema): boolean =>
  type === undefined || type === 'string' || type === 'object' || type === 'array';
