import { z } from 'zod';
import { withExamples } from './key-examples.ts';
import { configFile } from './schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The JSON Schema (draft 2020-12) of the configuration file, for editors. */
export function configJsonSchema(): JsonSchema {
  const schema = allowReferences(z.toJSONSchema(configFile, { io: 'input' }));
  return { title: 'Stockbridge configuration', ...withExamples(schema) };
}

const REFERENCE = { type: 'string', pattern: '\\$\\{(env|file):' } as const;

/** A module may be given by its path alone. */
const MODULE_PATH = { type: 'string', pattern: '^\\.{0,2}/' } as const;

/**
 * Any value may come from outside the file, so `${env:NAME}` is added as an alternative wherever a schema would refuse
 * it.
 */
function allowReferences(schema: JsonSchema): JsonSchema {
  const { description, default: preset, examples, ...rest } = schema;
  if (schema.const === undefined && (schema.enum || schema.pattern || schema.format || !isTextOrNested(schema))) {
    return {
      ...(description === undefined ? {} : { description }),
      ...(preset === undefined ? {} : { default: preset }),
      ...(examples === undefined ? {} : { examples }),
      anyOf: [...ofOneType(rest), REFERENCE],
    };
  }
  const nested = { ...schema };
  if (schema.properties) {
    nested.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, allowReferencesIn(value)]),
    );
  }
  if (schema.additionalProperties) nested.additionalProperties = allowReferencesIn(schema.additionalProperties);
  if (schema.oneOf) {
    const name = discriminatorOf(schema.oneOf);
    if (name !== null) return { ...aboutOf(schema), ...byKind(schema.oneOf, name) };
    nested.oneOf = schema.oneOf.map(allowReferencesIn);
  }
  return nested;
}

/** A number that may be written as text becomes one alternative per type. */
function ofOneType(schema: JsonSchema): JsonSchema[] {
  if (!Array.isArray(schema.type)) return [schema];
  const { type: _, pattern = '', ...rest } = schema;
  return [
    { ...rest, type: 'number', minimum: 0 },
    { ...rest, type: 'string', pattern },
  ];
}

function discriminatorOf(kinds: readonly (boolean | JsonSchema)[]): string | null {
  const constants = kinds.map((kind) =>
    Object.entries(propertiesOf(kind)).flatMap(([name, of]) => (constantOf(of) === undefined ? [] : [name])),
  );
  return constants[0]?.find((name) => constants.every((names) => names.includes(name))) ?? null;
}

/**
 * Validates the field that names the kind first, and then the section as that kind only: a wrong name is one error
 * instead of every kind's errors.
 */
function byKind(kinds: readonly (boolean | JsonSchema)[], name: string): JsonSchema {
  const names = kinds.map((kind) => constantOf(propertiesOf(kind)[name]) ?? null);
  const is = (of: JsonSchema): JsonSchema => ({ type: 'object', properties: { [name]: of }, required: [name] });
  const paths = names.includes('module') ? [MODULE_PATH] : [];
  const elsewhere: JsonSchema = { anyOf: [...paths, REFERENCE] };
  const isKnown: JsonSchema = { type: 'string', enum: names.map(String), description: `One of ${names.join(', ')}` };
  const judged = kinds.map((kind, at): JsonSchema => {
    const isModule = names[at] === 'module';
    const own: JsonSchema = { const: names[at] ?? null };
    const named = isModule ? { anyOf: [own, MODULE_PATH] } : own;
    return { if: { not: is(named) }, else: allowReferencesIn(isModule ? namedByPath(kind) : kind) };
  });
  const known: JsonSchema = { if: is(elsewhere), else: { properties: { [name]: isKnown } } };
  return { type: 'object', required: [name], allOf: [known, ...judged] };
}

function namedByPath(kind: boolean | JsonSchema): JsonSchema {
  const { properties = {}, required = [], ...rest } = kind as JsonSchema;
  const { description } = properties['type'] as JsonSchema;
  const type = { type: 'string', ...(description === undefined ? {} : { description }) } as const;
  return { ...rest, properties: { ...properties, type }, required: required.filter((key) => key !== 'module') };
}

const propertiesOf = (schema: boolean | JsonSchema) => (schema as JsonSchema).properties ?? {};
const constantOf = (schema: boolean | JsonSchema | undefined) => (schema as JsonSchema | undefined)?.const;
const aboutOf = ({ description, default: preset, examples }: JsonSchema) => ({
  ...(description === undefined ? {} : { description }),
  ...(preset === undefined ? {} : { default: preset }),
  ...(examples === undefined ? {} : { examples }),
});

const allowReferencesIn = <T extends boolean | JsonSchema>(schema: T): T | JsonSchema =>
  typeof schema === 'boolean' ? schema : allowReferences(schema);

const isTextOrNested = ({ type }: JsonSchema): boolean =>
  type === undefined || type === 'string' || type === 'object' || type === 'array';
