import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { configFile } from '../../src/config/schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

interface Key {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

const INTRO = `# Configuration reference

Every key of the configuration file. This page is made from the schema (\`src/config/schema.ts\`), and a test compares both.
[Configuration](configuration.md) shows a whole file and how to check it.

A key without a default may be left out unless it is **required**. A *duration* is a number with its unit: \`15s\`, \`5m\`, \`90d\`.
Every value may be \`\${env:NAME}\` or \`\${file:PATH}\`.
`;

/** The page `configuration-reference` of the guide: a table for each section of the file. */
export function configurationReference(): string {
  const file = z.toJSONSchema(configFile, { io: 'input' });
  const account = objectIn(objectIn(file.properties?.['accounts']).additionalProperties);
  const [keysOfFile, keysOfAccount] = [keysOf(file), keysOf(account)];
  const sections = keysOfAccount.filter(({ schema }) => isSection(schema));
  const tables = [
    tableOf('The file', keysOfFile.flatMap(withNested)),
    tableOf(
      'accounts.NAME',
      keysOfAccount.map((key) => (isSection(key.schema) ? { ...key, schema: withoutKeys(key.schema) } : key)),
    ),
    ...sections.flatMap(tablesOfSection),
  ];
  return [INTRO, ...tables].join('\n');
}

/** Forms that differ by their type have a table each. */
function tablesOfSection({ path, schema }: Key): string[] {
  const forms = (schema.oneOf ?? []).map(objectIn);
  const typed = forms.flatMap((form) => {
    const { const: type } = objectIn(form.properties?.['type']);
    return typeof type === 'string' ? [{ title: `accounts.NAME.${path}, type ${type}`, form }] : [];
  });
  if (typed.length === 0) return [tableOf(`accounts.NAME.${path}`, keysOf(schema).flatMap(withNested))];
  return typed.map(({ title, form }) => tableOf(title, keysOf(form).flatMap(withNested)));
}

function tableOf(title: string, keys: readonly Key[]): string {
  const rows = keys.map(
    ({ path, schema, required }) =>
      `| \`${path}\` | ${valueOf(schema)} | ${required ? '**required**' : presetOf(schema)} | ${cell(schema.description ?? '')} |`,
  );
  return `## ${title}\n\n| Key | Value | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

/** A section's own row, followed by those of its keys; accounts have tables of their own. */
function withNested(key: Key): Key[] {
  if (key.path === 'accounts') return [{ ...key, schema: withoutKeys(key.schema) }];
  const entries = objectIn(key.schema.additionalProperties);
  const item = objectIn(Array.isArray(key.schema.items) ? undefined : key.schema.items);
  const nested = [...keysOf(key.schema), ...keysOf(entries, 'NAME.'), ...keysOf(item, '[].')];
  const below = nested.map((one) => ({
    ...one,
    path: `${key.path}${one.path.startsWith('[]') ? '' : '.'}${one.path}`,
  }));
  return [key, ...below.flatMap(withNested)];
}

/** The keys of an object, or those of all its forms: `auth` is one of two. */
function keysOf(schema: JsonSchema, before = ''): Key[] {
  const forms = (schema.oneOf ?? [schema]).map(objectIn);
  const keys = new Map<string, Key>();
  for (const { properties = {}, required = [] } of forms) {
    for (const [name, value] of Object.entries(properties)) {
      const key = { path: `${before}${name}`, schema: objectIn(value), required: required.includes(name) };
      const known = keys.get(name);
      keys.set(name, known === undefined ? key : { ...key, schema: eitherOf(known.schema, key.schema) });
    }
  }
  return [...keys.values()];
}

/** The same key in two forms: `scheme` is `app` or `bearer`. */
function eitherOf(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (isDeepStrictEqual(one, other)) return one;
  const schemas = [one, other];
  return {
    enum: schemas.flatMap(({ enum: several, const: single }) => several ?? (single === undefined ? [] : [single])),
    description: schemas.map(({ description }) => description).join(' '),
  };
}

const isSection = (schema: JsonSchema): boolean => keysOf(schema).length > 0;

/** The row of a section whose keys stand in a table of their own. */
function withoutKeys({ description }: JsonSchema): JsonSchema {
  return { title: 'section', description: description ?? '' };
}

function valueOf(schema: JsonSchema): string {
  if (schema.title === 'section' || isSection(schema)) return 'section';
  const choices = schema.enum ?? (schema.const === undefined ? null : [schema.const]);
  if (choices !== null) return choices.map((one) => `\`${String(one)}\``).join(', ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => valueOf(objectIn(one))).join(' or ');
  if (schema.pattern?.includes('(ms|s|m|h|d)')) return 'duration';
  if (schema.format === 'date-time') return 'date-time with its zone';
  if (Array.isArray(schema.type)) return 'decimal';
  if (schema.type === 'array') return 'list';
  if (schema.type === 'boolean') return '`true`, `false`';
  if (schema.type === 'integer' || schema.type === 'number') return 'whole number';
  if (schema.type === 'object') return 'names with values';
  return 'text';
}

function presetOf({ default: preset, type }: JsonSchema): string {
  if (preset === undefined || (type === 'object' && Object.keys(preset as object).length === 0)) return '';
  return `\`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

const objectIn = (schema: unknown): JsonSchema =>
  typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : {};
