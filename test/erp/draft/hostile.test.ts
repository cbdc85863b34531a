import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { openapiSource } from '../../../src/erp/draft/openapi.ts';
import { BOUNDS } from '../../../src/erp/draft/shape.ts';
import { run } from '../../cli/capture.ts';
import { draft, ENV, folder, sectionIn, settled } from './drafted.ts';

/** A file with this text, as what a draft is made of. */
const file = (name: string, text: string | Uint8Array) => `${folder({ [name]: text })}/${name}`;

const deep = (open: string, close: string) => `${open.repeat(200_000)}${close.repeat(200_000)}`;
const aliases = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...'bcdefgh'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array.from({ length: 10 }, () => `*${'abcdefgh'[at]}`).join(', ')}]`),
].join('\n');

test.each([
  ['an empty file', () => file('a.json', ''), 'it is empty'],
  ['a folder with nothing in it', () => folder(), 'no file that ends in'],
  ['a folder with an empty file', () => folder({ 'artikel.csv': '' }), 'it is empty'],
  [
    'bytes that are no text',
    () =>
      file(
        'a.yaml',
        Uint8Array.from({ length: 4_000 }, (_, at) => (at * 7) % 256),
      ),
    'no text in UTF-8',
  ],
  ['JSON that ends in its middle', () => file('a.json', '{"openapi": "3.0.0", "paths": {'), 'no whole JSON'],
  ['invalid YAML', () => file('a.yaml', 'openapi: 3.0.0\n  paths: [}'), 'no YAML that can be read'],
  ['YAML that unfolds into billions', () => file('a.yaml', `openapi: 3.0.0\n${aliases}`), 'no YAML that can be read'],
  ['JSON that is very deep', () => file('a.json', deep('[', ']')), 'nothing can be drafted'],
  [
    'YAML that is very deep',
    () => file('a.yaml', `openapi: 3.0.0\nx: ${deep('[', ']').slice(0, 100_000)}`),
    'nothing can be drafted',
  ],
  ['a document of Swagger 2', () => file('a.yaml', 'swagger: "2.0"\npaths: {}'), 'Swagger 2'],
  ['a document without paths', () => file('a.yaml', 'openapi: 3.0.0'), 'looks like products, stock or orders'],
  ['a plain text', () => file('a.yaml', 'hello'), 'neither an OpenAPI 3 document nor an answer in JSON'],
  ['a single CSV file', () => file('a.csv', 'a;b\n1;2\n'), 'give the folder'],
  ['a kind of address that nobody knows', () => 'ftp://erp.example/products', 'expected an address'],
])('no draft is made of %s', async (_what, from, says) => {
  const { stdout, stderr, exitCode } = await draft(from());
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^stockbridge: nothing can be drafted of /);
  expect(stderr).toContain(says);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test.each([
  ['http://127.0.0.1:9/openapi.json', 69],
  ['postgres://bridge:hunter2secret@127.0.0.1:9/shop', 69],
  ['mariadb://bridge:hunter2secret@127.0.0.1:9/shop', 69],
  ['/nowhere/openapi.json', 64],
])('a draft source that cannot be reached ends with its exit code: %s', async (from, code) => {
  const { stdout, stderr, exitCode } = await draft(from);
  expect({ stdout, stderr, exitCode }).toMatchObject({ exitCode: code, stdout: '' });
  expect(stderr).not.toContain('hunter2secret');
});

test('a document of ten thousand self-referencing lists is read within bounds', () => {
  let looked = 0;
  const each = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`x${at}`, { type: 'array', items: { $ref: '#/components/schemas/S' } }]),
  );
  const S = {
    type: 'object',
    get properties() {
      looked += 1;
      return each;
    },
  };
  const schema = { type: 'array', items: { $ref: '#/components/schemas/S' } };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const paths = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`/products-${at}`, { get }]));
  const { collections, cut } = openapiSource({ openapi: '3.0.0', paths, components: { schemas: { S } } }, null);
  expect(collections).toHaveLength(BOUNDS.collections);
  expect(cut[0]).toBe(`whether a list is missing: ${BOUNDS.collections} of 10000 paths were read, chosen by name`);
  expect(looked).toBeLessThan(BOUNDS.collections * 1_000);
});

test('a large list does not crowd out the lists after it', async () => {
  const wide = (at: number, left: number): object => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 12 }, (_, of) => [
        `p${at}x${of}`,
        left === 0 ? { type: 'string' } : { type: 'array', items: wide(of, left - 1) },
      ]),
    ),
  });
  const list = (properties: object) => ({
    get: {
      responses: {
        200: {
          content: { 'application/json': { schema: { type: 'array', items: { type: 'object', properties } } } },
        },
      },
    },
  });
  const many = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`/a${at}`, list({ x: { type: 'string' }, ...wide(at, 1) })]),
  );
  const paths = {
    ...many,
    '/products': list({ sku: { type: 'string' }, name: { type: 'string' } }),
    '/orders': list({ id: { type: 'integer' }, status: { type: 'string' }, total: { type: 'number' } }),
  };
  const { stdout, exitCode } = await draft(file('a.json', JSON.stringify({ openapi: '3.0.0', paths })));
  expect(exitCode).toBe(0);
  expect(stdout).toContain('# decide: whether a list is missing: 2 of 302 paths were read, chosen by name');
  expect(sectionIn(stdout).lists).toMatchObject({
    products: { row: { sku: 'sku' } },
    orders: { row: { id: 'id', total: 'total' } },
  });
});

test('no secret and no template of a foreign document is filled in', async () => {
  const rows = (properties: object, parameters: object[] = []) => ({
    get: {
      parameters,
      responses: {
        200: {
          content: { 'application/json': { schema: { type: 'array', items: { type: 'object', properties } } } },
        },
      },
    },
  });
  const foreign = {
    openapi: '3.0.0',
    paths: {
      '/${file:/etc/hostname}/ping': { get: {} },
      '/products': rows({
        sku: { type: 'string' },
        name: { type: 'string' },
        'price${env:MARKETPLACE_KEY}': { type: 'number' },
      }),
      '/orders': rows({
        id: { type: 'integer' },
        status: { type: 'string', enum: ['$\uE07Benv:MARKETPLACE_KEY\uE07D'] },
      }),
    },
    components: {
      securitySchemes: {
        o: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://login.example/t?x=${env:MARKETPLACE_KEY}' } },
        },
      },
    },
  };
  const { stdout, exitCode } = await draft(file('a.json', JSON.stringify(foreign)));
  expect(exitCode).toBe(0);
  expect(stdout.match(/\$[{\uE07B][^}]*\}|\{\{.*/g)).toEqual(['${env:MARKETPLACE_KEY}', '${env:ERP_SECRET}']);
  expect(stdout).toContain('token_url: "" # decide: left out, ');
  expect(stdout).not.toContain('/etc/hostname');
  const named = {
    ...foreign,
    paths: { '/products': rows({ sku: {}, name: {} }, [{ in: 'query', name: '{{ $x }}', required: true }]) },
  };
  expect(await draft(file('b.json', JSON.stringify(named)))).toMatchObject({ exitCode: 1, stdout: '' });
});

test('names and values with quotes, line breaks and control characters stay data', async () => {
  const name = 'a"\'`\n# b: c\u001b[31m';
  const rows = [
    { sku: 'A-1\n  evil: true # decide: x\u2028y', name, price: '1.50', [name]: 'x', '`': 1, status: 'it\'s\n"x"' },
    { sku: 'A-2', name: '${env:HOME}', price: '2.50', [name]: 'y', '{{ $x }}': 'z' },
  ];
  const { stdout, exitCode } = await draft(
    folder({
      'products.json': JSON.stringify(rows),
      'orders.json': JSON.stringify([
        { id: 1, status: 'a"b\n', reference: 'r', lines: [] },
        { id: 2, status: "c'}}", reference: 's' },
      ]),
    }),
  );
  expect(exitCode).toBe(0);
  for (const character of ['\u001b', '\u2028']) expect(stdout).not.toContain(character);
  expect(stdout).not.toMatch(/^\s*evil:/m);
  expect(parse(stdout)).toMatchObject({
    accounts: { main: { erp: { lists: { products: { row: { sku: 'sku' } } } } } },
  });
  expect(await run(['config', 'check', '--config', settled(stdout, [])], ENV)).toMatchObject({ exitCode: 0 });
});
