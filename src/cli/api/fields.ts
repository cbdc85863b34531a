import type { JsonSchema } from '../../use/api/schema.ts';
import { wrap } from '../table.ts';

interface Field {
  /** Indented by two spaces below its parent. */
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
}

const WIDTH = 80;
const MAX_NAME_WIDTH = 34;
const MAX_DEPTH = 6;

/** A schema as a table of at most 80 characters, nested fields below their parent. */
export function fieldLines(schema: JsonSchema, indent = '  '): string[] {
  const fields = fieldsOf(schema, indent, 0);
  const nameWidth = Math.min(MAX_NAME_WIDTH, Math.max(0, ...fields.map(({ name }) => name.length)));
  const mark = fields.some(({ required }) => required) ? 'required  ' : '';
  const column = ' '.repeat(nameWidth + 2);
  return fields.flatMap(({ name, required, type }) => {
    const room = required ? mark : ' '.repeat(mark.length);
    const [first = '', ...more] = wrap(type, WIDTH, column + ' '.repeat(mark.length));
    const told = room + first.slice(column.length + mark.length);
    const head = name.length <= nameWidth ? [name.padEnd(column.length) + told] : [name, column + told];
    return [...head, ...more].map((line) => line.trimEnd());
  });
}

function fieldsOf(schema: JsonSchema, indent: string, depth: number): Field[] {
  if (depth > MAX_DEPTH) return [];
  const shape = shapeIn(schema);
  const { properties = {}, required = [] } = shape ?? {};
  return Object.entries(properties).flatMap(([name, of]) => {
    const mine = typeof of === 'boolean' ? {} : of;
    return [
      { name: indent + name, required: required.includes(name), type: typeText(mine) },
      ...fieldsOf(mine, `${indent}  `, depth + 1),
    ];
  });
}

/** The schema that has fields: itself, its array element, or its alternative that is an object. */
export function shapeIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties !== undefined) return schema;
  const { items, anyOf = [] } = schema;
  if (typeof items === 'object' && !Array.isArray(items)) return shapeIn(items);
  for (const one of anyOf) {
    const found = typeof one === 'boolean' ? null : shapeIn(one);
    if (found !== null) return found;
  }
  return null;
}

/** `string, 1 to 40 characters, or null` */
export function typeText(schema: JsonSchema): string {
  const fallback = schema.default === undefined ? '' : `, ${JSON.stringify(schema.default)} unless given`;
  return kindText(schema) + fallback;
}

function kindText(schema: JsonSchema): string {
  const { type, const: only, enum: values, anyOf, description } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf !== undefined) return alternatives(anyOf.map((one) => (typeof one === 'boolean' ? 'any' : typeText(one))));
  if (description !== undefined) return description + sizeText(schema.minLength, schema.maxLength, 'characters');
  if (type === 'array') return `array of ${itemsText(schema)}${sizeText(schema.minItems, schema.maxItems, 'entries')}`;
  if (type === 'object') return objectText(schema);
  if (type === 'string') return stringText(schema);
  const name = Array.isArray(type) ? type.join(' or ') : (type ?? 'any');
  return `${name}${rangeText(schema)}`;
}

function alternatives(texts: readonly string[]): string {
  const told = [...new Set(texts)];
  return told.length === 2 && told[1] === 'null' ? `${told[0]}, or null` : told.join(' or ');
}

function itemsText({ items }: JsonSchema): string {
  return typeof items === 'object' && !Array.isArray(items) ? typeText(items) : 'any';
}

function objectText({ properties, additionalProperties: values }: JsonSchema): string {
  if (properties !== undefined) return 'object';
  return typeof values === 'object' && Object.keys(values).length > 0 ? `map of name to ${typeText(values)}` : 'object';
}

function stringText({ format, pattern, minLength, maxLength }: JsonSchema): string {
  if (format !== undefined) return format + sizeText(undefined, maxLength, 'characters');
  const shape = pattern === undefined ? '' : ` like ${pattern}`;
  return `string${shape}${sizeText(minLength, maxLength, 'characters')}`;
}

function sizeText(min: number | undefined, max: number | undefined, unit: string): string {
  if (max === undefined)
    return min === undefined || min === 0 ? '' : min === 1 ? ', not empty' : `, ${min} ${unit} or more`;
  return min === undefined || min === 0 ? `, up to ${max} ${unit}` : `, ${min} to ${max} ${unit}`;
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  if (minimum === undefined && maximum === undefined) return '';
  if (maximum === undefined) return `, ${minimum} or more`;
  return minimum === undefined ? `, up to ${maximum}` : `, ${minimum} to ${maximum}`;
}
