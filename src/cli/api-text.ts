import { z } from 'zod';
import { type Operation, permissionText } from '../marketplace/operations/operation.ts';
import { OPERATIONS } from '../marketplace/operations/table.ts';
import { wireDateTime, wireDecimal } from '../marketplace/operations/wire.ts';
import { table } from './table.ts';

/** What is told of an operation in a list. */
export function outline({ id, method, path, provenance, permission, summary }: Operation) {
  return { id, method, path, source: provenance, permission: permissionText(permission), summary };
}

export function listText(): string[] {
  const rows = Object.values(OPERATIONS).map(outline);
  const lines = rows.map(({ id, method, path, source, permission }) => [id, method, path, source, permission]);
  return table([['OPERATION', 'METHOD', 'PATH', 'SOURCE', 'PERMISSION'], ...lines]);
}

/** Everything about an operation, as JSON Schema where it has a shape. */
export function description(operation: Operation) {
  const { body, pathParams, query, paging, section } = operation;
  return {
    ...outline(operation),
    section,
    paging,
    pathParameters: jsonSchema(pathParams),
    queryParameters: jsonSchema(query),
    body: body === null ? null : jsonSchema(body),
  };
}

export function descriptionText(operation: Operation): string[] {
  const { id, method, path, summary, provenance, permission, section, paging, pathParams, query, body } = operation;
  const assumed = `the path is assumed; marketplace.operations.${id} in the configuration overrides it`;
  return [
    `${id}: ${summary}`,
    '',
    ...table([
      ['request', `${method} ${path}`],
      ['source', `spec ${section}${provenance === 'assumed' ? ` (${assumed})` : ''}`],
      ['permission', permissionText(permission)],
      ['answers', paging === null ? 'one entity' : 'a list; --all prints every page'],
    ]),
    ...parametersText('path parameters', pathParams),
    ...parametersText('query parameters', query),
    '',
    ...(body === null ? ['body: none'] : ['body (JSON Schema):', JSON.stringify(jsonSchema(body), null, 2)]),
  ];
}

function parametersText(title: string, params: z.ZodObject): string[] {
  const { properties = {}, required = [] } = jsonSchema(params);
  const rows = Object.entries(properties).map(([name, schema]) => [
    `  ${name}`,
    typeof schema === 'boolean' ? '' : typeText(schema),
    required.includes(name) ? 'required' : '',
  ]);
  return rows.length === 0 ? [] : ['', `${title}:`, ...table(rows)];
}

type JsonSchema = z.core.JSONSchema.BaseSchema;

function typeText({
  type,
  const: only,
  enum: values,
  minimum,
  maximum,
  pattern,
  description: words,
}: JsonSchema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
  const name = words ?? (Array.isArray(type) ? type.join(' or ') : (type ?? 'any'));
  const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? ''}..${maximum ?? ''}`;
  return `${name}${range}${pattern === undefined || words !== undefined ? '' : ` ${pattern}`}`;
}

/** Checks of our own are told by their name, and bounds that only say that a number is whole are left out. */
function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: written }) => {
      if (zodSchema === wireDecimal) Object.assign(written, { type: ['number', 'string'], description: 'decimal' });
      if (zodSchema === wireDateTime) Object.assign(written, { description: 'date-time' });
      if (written.minimum === Number.MIN_SAFE_INTEGER) delete written.minimum;
      if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum;
    },
  });
  return rest;
}
