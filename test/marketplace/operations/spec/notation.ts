import { z } from 'zod';
import { integers, numbers } from '../../../../src/marketplace/operations/fields.ts';
import { type Operation, PAGE_QUERY, permissionText } from '../../../../src/marketplace/operations/operation.ts';
import { sentDateTime, wireDecimal, wireFile, wireNumber } from '../../../../src/marketplace/operations/wire.ts';

/**
 * The shape of a request, as it is written by hand:
 *
 *     integer   integer 0..10   integer 1..   text   text 1..40   text ..40   text /^x$/   uuid   email ..255
 *     date   date-time   decimal   number (no text)   boolean   file   anything   ordering (an attribute, with a dash for descending)
 *     integers   numbers (an array, or a text of them with commas)
 *     a | b (one of these)   [integer] (an array)   [integer] 1.. (of one at least)   map of text
 *     ... or null   ... = false (when it is left out)
 *
 * An object is written as one, `!` after the names that are required, and `'...': 'more'` where other names are taken
 * as well. An array of objects is written as [{...}].
 */
export type Shape = string | { readonly [name: string]: Shape } | readonly Shape[];

/** The facts that a document states about one operation. */
export interface Spoken {
  /** `GET /customers/{id}/`, with `(assumed)` after it where no document shows method and path. */
  readonly call: string;
  /** `Customers: Read`; null where the documents do not say. */
  readonly needs: string | null;
  readonly path?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  readonly answers: 'one' | 'page' | 'offset' | 'array';
}

/** An operation of the table, in the notation of the hand-written ones. */
export function written(operation: Operation): Spoken {
  const { method, path, provenance, permission, pathParams, query, body, paging, bodyEncoding } = operation;
  const parts = { path: shapeOf(pathParams), query: shapeOf(query), body: body === null ? {} : shapeOf(body) };
  const taken = Object.entries(parts).filter(([, told]) => JSON.stringify(told) !== '{}');
  return {
    call: `${method} ${path}${provenance === 'assumed' ? ' (assumed)' : ''}${bodyEncoding === undefined ? '' : ' multipart'}`,
    needs: permission === null ? null : permissionText(permission),
    ...Object.fromEntries(taken),
    answers: paging ?? 'one',
  };
}

export type Json = z.core.JSONSchema.BaseSchema;

const NAMED = new Map<z.core.$ZodType, string>([
  [wireDecimal, 'decimal'],
  [sentDateTime, 'date-time'],
  [wireFile, 'file'],
  [wireNumber, 'number'],
  [integers, 'integers'],
  [numbers, 'numbers'],
  [PAGE_QUERY.ordering.unwrap(), 'ordering'],
]);

function shapeOf(schema: z.ZodType): Shape {
  return shape(jsonOf(schema));
}

/** The JSON Schema of a sent value. A schema with a name in `NAMED` becomes that name as the title, and nothing else. */
export function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const name = NAMED.get(zodSchema);
      if (name === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      jsonSchema.title = name;
    },
  });
}

function shape(json: Json): Shape {
  if (json.title !== undefined) return json.title;
  if (json.type === 'object' && json.properties !== undefined) return objectShape(json, json.properties);
  if (json.type === 'array') return arrayShape(json);
  return text(json) + (json.default === undefined ? '' : ` = ${literal(json.default)}`);
}

function objectShape(json: Json, properties: NonNullable<Json['properties']>): Shape {
  const { required = [], additionalProperties } = json;
  const shapes: Record<string, Shape> = {};
  for (const [name, inner] of Object.entries(properties)) {
    shapes[required.includes(name) ? `${name}!` : name] = shape(inner as Json);
  }
  return additionalProperties === false ? shapes : { ...shapes, '...': 'more' };
}

function arrayShape(json: Json): Shape {
  const item = shape(json.items as Json);
  if (typeof item !== 'string') return [item];
  return `[${item}]${range(json.minItems, json.maxItems)}`;
}

function text(json: Json): string {
  if (json.anyOf !== undefined) return json.anyOf.map((inner) => word(shape(inner))).join(' or ');
  if (json.const !== undefined) return literal(json.const);
  if (json.enum !== undefined) return json.enum.join(' | ');
  if (json.type === 'string')
    return `${named(json) ?? `text${range(json.minLength, json.maxLength)}`}${patterns(json)}`;
  if (json.type === 'integer') return `integer${range(bound(json.minimum), bound(json.maximum))}`;
  // In JSON Schema, a type that allows null is a list.
  if (Array.isArray(json.type)) {
    return json.type.map((type: string) => text({ ...json, type } as Json)).join(' or ');
  }
  if (json.type === 'object') return `map of ${word(shape((json.additionalProperties ?? {}) as Json))}`;
  return typeof json.type === 'string' ? json.type : 'anything';
}

function literal(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Inside a choice or a map, an object is written in one line. */
function word(inner: Shape): string {
  return typeof inner === 'string' ? inner : JSON.stringify(inner).replaceAll('"', '');
}

function named({ format, maxLength }: Json): string | null {
  return format === undefined || format === 'regex' ? null : `${format}${range(undefined, maxLength)}`;
}

/** The patterns of a text. A format has a pattern of its own, which is left out. */
function patterns({ format, pattern, allOf = [] }: Json): string {
  if (format !== undefined && format !== 'regex') return '';
  const all = [pattern, ...allOf.map((inner) => inner.pattern)].filter((each) => each !== undefined);
  return all.map((each) => ` /${each}/`).join('');
}

function bound(value: number | undefined): number | undefined {
  return value === undefined || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? undefined : value;
}

function range(from: number | undefined, to: number | undefined): string {
  return from === undefined && to === undefined ? '' : ` ${from ?? ''}..${to ?? ''}`;
}
