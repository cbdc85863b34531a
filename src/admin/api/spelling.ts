import { z } from 'zod';

/* The API spells the names of all fields in snake_case, and the code in camelCase. Keys that are data stay as they are. */

type Json = Readonly<Record<string, unknown>>;

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A value of this schema as the API sends it. */
export function toApiSpelling(schema: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return toApiSpelling(schema.unwrap(), value);
  if (schema instanceof z.ZodArray)
    return (value as readonly unknown[]).map((one) => toApiSpelling(schema.element, one));
  if (schema instanceof z.ZodRecord) {
    return mapped(value, (key, one) => [key, toApiSpelling(schema.valueType, one)]);
  }
  if (schema instanceof z.ZodObject)
    return mapped(value, (key, one) => [snake(key), toApiSpelling(schema.shape[key], one)]);
  return value;
}

function mapped(value: unknown, to: (key: string, one: unknown) => [string, unknown]) {
  return Object.fromEntries(Object.entries(value as Json).map(([key, one]) => to(key, one)));
}

/** The JSON Schema of an answer with the names as the API sends them. */
export function toApiSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(toApiSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  return mapped(schema, (key, of) => {
    if (key === 'required') return [key, (of as string[]).map(snake)];
    if (key === 'properties') return [key, mapped(of, (name, one) => [snake(name), toApiSchema(one)])];
    return [key, toApiSchema(of)];
  });
}
