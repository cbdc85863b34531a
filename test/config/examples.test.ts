import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument, visit } from 'yaml';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { loadConfig } from '../../src/config/load.ts';
import { CONTRACT } from './contract.ts';
import { folderOf } from './folder.ts';

const FOLDER = new URL('../../config/', import.meta.url);
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8');

/** Loads an example with every variable set that it names. */
function loadExample(name: string) {
  const text = read(name);
  const names = Array.from(text.matchAll(/\$\{env:(\w+)\}/g), ([, variable = '']) => variable);
  const path = folderOf({ [name]: text, 'secrets/marketplace-token': 'a-marketplace-token\n' });
  return loadConfig(path(name), Object.fromEntries(names.map((variable) => [variable, `value-of-${variable}`])));
}

test('there is one example for each strategy, and one with several accounts', () => {
  expect(EXAMPLES).toEqual([
    'fulfilled-quantity.yaml',
    'several-accounts.yaml',
    'submitted-available.yaml',
    'submitted-quantity.yaml',
  ]);
});

describe.each(EXAMPLES)('%s', (name) => {
  test('an example is valid YAML with the schema for editors in its first line', () => {
    expect(read(name).split('\n')[0]).toBe('# yaml-language-server: $schema=./stockbridge.schema.json');
    const { errors, warnings } = parseDocument(read(name));
    expect([...errors, ...warnings]).toEqual([]);
  });

  test('an example is a valid configuration', () => {
    expect(loadExample(name).config.accounts.length).toBe(name === 'several-accounts.yaml' ? 2 : 1);
  });

  test('an example contains no credential', () => {
    const text = read(name);
    for (const [, value = ''] of text.matchAll(/^\s*(?:key|token|secret|\w+_token):[ \t]*(\S.*)$/gm)) {
      expect(value).toMatch(/^(\$\{(env|file):|#)/);
    }
  });
});

test.each(['fulfilled-quantity', 'submitted-available', 'submitted-quantity'])(
  'the example %s.yaml picks its strategy',
  (name) => {
    const [account] = loadExample(`${name}.yaml`).config.accounts;
    expect(account?.inventory.strategy).toBe(name);
  },
);

test('the accounts of the example with several accounts differ, except in aliased settings', () => {
  const [north, south] = loadExample('several-accounts.yaml').config.accounts;
  expect([north?.name, south?.name]).toEqual(['north', 'south']);
  expect(south?.brakes).toEqual(north?.brakes);
  expect(south?.marketplace.webhooks?.secrets).toEqual([
    'value-of-SOUTH_WEBHOOK_SECRET',
    'value-of-SOUTH_WEBHOOK_SECRET_OLD',
  ]);
});

test('the complete example sets nothing but the defaults', () => {
  const complete = loadExample('submitted-available.yaml').config;
  const { limits, poll, transitions, timeoutMs } = complete.accounts[0]?.marketplace ?? {};
  expect({ limits, poll, transitions, timeoutMs }).toEqual({
    limits: { perSecond: 8, perMinute: 300 },
    poll: { ordersMs: 15_000, productsMs: 300_000, overlapMs: 900_000, full: '15 3 * * *' },
    transitions: { fulfill: 'fulfill' },
    timeoutMs: 30_000,
  });
});

/** Names of the keys in a YAML text, also of those that are commented out. */
const keysIn = (yaml: string): Set<string> =>
  new Set(
    Array.from(
      yaml.matchAll(/^[\s#]*([a-z_]+):(?=\s|$)|[{,]\s*([a-z_]+):\s/gm),
      ([, own, inner]) => own ?? inner ?? '',
    ),
  );

test('the complete example has every key of an ERP of the type http, and every key of the contract', () => {
  const shown = keysIn(read('submitted-available.yaml'));
  const missing = [...new Set(schemaKeys(configJsonSchema()))].filter((key) => !shown.has(key));
  expect(missing).toEqual([]);

  const contract: string[] = [];
  visit(parseDocument(CONTRACT.replaceAll(/\$\{[^}]*\}/g, 'x')), {
    Pair: (_, { key }) => {
      contract.push(String(key));
    },
  });
  expect(contract.length).toBeGreaterThan(50);
  expect(contract.filter((key) => !shown.has(key))).toEqual([]);
});

interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Record<string, Schema>;
}

function schemaKeys(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(schemaKeys);
  const { properties = {}, $defs: _, default: _preset, ...rest } = schema as Schema;
  // The other types of ERP have worked examples in the guide.
  const kind = properties['type']?.['const'] ?? (properties['module'] === undefined ? undefined : 'module');
  if (!['http', undefined].includes(kind as string | undefined)) return [];
  const { if: condition } = schema as { readonly if?: Schema };
  if (condition !== undefined && JSON.stringify(condition).includes('"const":"module"')) return [];
  return [
    ...Object.entries(properties).flatMap(([key, value]) => [key, ...schemaKeys(value)]),
    ...Object.values(rest).flatMap(schemaKeys),
  ];
}

/** The place of a condition, which names only the field that it is about. */
const IS_CONDITION = /\.if(\.not)?$/;

test('the shipped JSON Schema is up to date (to fix: stockbridge config schema > config/stockbridge.schema.json)', () => {
  expect(JSON.parse(read('stockbridge.schema.json'))).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});

test('the JSON Schema describes every key, refuses unknown ones, and lets every value come from outside', () => {
  const undescribed: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null || path === '.$defs') return;
    const { properties, type, additionalProperties, allOf } = schema as Schema;
    for (const [key, value] of Object.entries(properties ?? {})) {
      if (typeof value['description'] !== 'string' && !IS_CONDITION.test(path)) undescribed.push(`${path}.${key}`);
    }
    // A condition does not list the other fields.
    const isWhole = properties !== undefined && type === 'object' && allOf === undefined && !IS_CONDITION.test(path);
    if (isWhole) expect(additionalProperties, path).toBe(false);
    for (const [key, value] of Object.entries(schema)) walk(value, `${path}.${key}`);
  };
  const schema = configJsonSchema();
  walk(schema, '');
  expect(undescribed).toEqual([]);
  expect(schema.properties?.['mode']).toEqual({
    description: expect.any(String) as unknown,
    default: 'live',
    anyOf: [
      { type: 'string', enum: ['live', 'dry-run'] },
      { type: 'string', pattern: '\\$\\{(env|file):' },
    ],
  });
});

test('every key of the schema has an example, a default or a list of values, and each example is valid', () => {
  const ajv = formats.default(new Ajv2020({ strict: true }));
  const [bare, unfit]: [string[], unknown[]] = [[], []];
  type Node = { if?: unknown; not?: unknown; $defs?: object; properties?: Record<string, object> };
  const schema = JSON.parse(JSON.stringify(configJsonSchema())) as Node;
  const { $defs = {} } = schema;
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { if: _if, not: _not, properties = {}, ...rest } = node as Node;
    for (const [name, of] of Object.entries(properties)) {
      if (!JSON.stringify(of).match(/"(examples|default|const|enum|properties)":|"type":"boolean"/)) bare.push(name);
      for (const one of (of as { examples?: unknown[] }).examples ?? [])
        if (!ajv.validate({ ...of, $defs }, one)) unfit.push([name, one]);
      look(of);
    }
    for (const part of Object.values(rest)) look(part);
  };
  look(schema);
  expect([bare, unfit]).toEqual([[], []]);
});

describe('an editor', () => {
  const ajv = formats.default(new Ajv2020({ strict: true, allErrors: true }));
  const isFitting = ajv.compile(JSON.parse(JSON.stringify(configJsonSchema())) as object);
  /** The faults that it shows at this place; `if` only says that a part of a condition has one. */
  const faultsOf = (file: unknown, path: string) => {
    isFitting(file);
    return (isFitting.errors ?? []).filter(
      ({ instancePath, keyword }) => instancePath.startsWith(path) && keyword !== 'if',
    );
  };
  const fileWith = (erp: object, more: object = {}) => ({
    ...(parse(read('submitted-available.yaml')) as object),
    ...more,
    accounts: { main: { erp } },
  });

  test('an editor with the schema accepts every example', () => {
    for (const name of EXAMPLES) expect([name, faultsOf(parse(read(name)), '')]).toEqual([name, []]);
  });

  test('an editor with the schema reports one wrong type as one error, which names the types', () => {
    const [fault, ...more] = faultsOf(fileWith({ type: 'sap', url: 'https://erp.example' }), '/accounts/main/erp');
    expect([fault?.params, more]).toEqual([
      { allowedValues: ['http', 'files', 'rest', 'sql', 'tryton', 'module'] },
      [],
    ]);
  });

  test.each([{ type: './my-erp.ts' }, { type: 'module', module: './my-erp.ts' }, { type: '${env:ERP_TYPE}' }])(
    'an editor with the schema accepts the ERP %j',
    (erp) => {
      expect(faultsOf(fileWith(erp), '/accounts/main/erp')).toEqual([]);
    },
  );

  test.each([
    ['an address without a scheme', { admin: { public_url: 'erp.example' } }, '/admin/public_url'],
    ['a port without a host', { admin: { listen: '9090' } }, '/admin/listen'],
    ['a Redis without a scheme', { state: { redis: 'localhost:6379' } }, '/state/redis'],
    ['a PostgreSQL without a scheme', { state: { postgres: 'db.example/x' } }, '/state/postgres'],
    [
      'four fields of cron',
      { notify: [{ type: 'webhook', url: 'https://x.example', digest: '15 3 * *' }] },
      '/notify/0',
    ],
  ])('an editor with the schema refuses %s', (_what, more, path) => {
    expect(faultsOf(fileWith({}, more), path)).not.toEqual([]);
  });

  test.each([
    { admin: { public_url: 'HTTPS://Erp.example/base', listen: '[::1]:9090' } },
    { state: { redis: 'REDISS://redis.example/0', postgres: 'postgresql://db.example/x' } },
    { notify: [{ type: 'webhook', url: 'https://x.example', digest: '15  3 * * mon-fri' }] },
  ])('an editor with the schema accepts %j, as the program does', (more) => {
    for (const path of ['/admin', '/state', '/notify']) expect(faultsOf(fileWith({}, more), path)).toEqual([]);
  });
});
