import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { loadConfigText } from '../../src/config/load.ts';
import type { Path } from '../../src/config/path.ts';
import { secretsIn } from '../../src/config/secret-places.ts';
import { LEAST } from './folder.ts';

interface Node {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly anyOf?: readonly Node[];
  readonly allOf?: readonly Node[];
  readonly else?: Node;
}

/** The places of texts in the configuration. */
function textPlaces(
  { properties = {}, additionalProperties, items, oneOf = [], anyOf = [], allOf = [], else: otherwise, type }: Node,
  at: Path,
): Path[] {
  const inside = [
    ...Object.entries(properties).flatMap(([key, node]) => textPlaces(node, [...at, key])),
    ...(typeof additionalProperties === 'object' ? textPlaces(additionalProperties, [...at, 'any']) : []),
    ...(items === undefined ? [] : textPlaces(items, [...at, 0])),
    ...[...oneOf, ...anyOf, ...allOf].flatMap((node) => textPlaces(node, at)),
    ...(otherwise === undefined ? [] : textPlaces(otherwise, at)),
  ];
  return type === 'string' ? [at, ...inside] : inside;
}

const nameOf = (path: Path) => String(path.findLast((step) => typeof step === 'string'));

test('every place whose name suggests a secret is one by the schema, except the key of a row', () => {
  const named = textPlaces(configJsonSchema() as Node, []).filter((path) =>
    /^(key|token|secret|password|passphrase|smtp)$|_(token|secret)$/.test(nameOf(path)),
  );
  expect(named.length).toBeGreaterThan(10);
  const plain = named.filter((path) => !secretsIn(undefined)(path, 'a secret text'));
  expect([...new Set(plain.map((path) => path.slice(-2).join('.')))]).toEqual(['paging.key']);
});

const DESCRIBED = LEAST.replace(
  /erp: .*/,
  `erp:
      type: rest
      url: https://erp.example
      auth: { scheme: header, header: X-Key, key: the-key-of-the-erp }
      settings: { field: price, token: token-in-settings }
      headers: { X-Api-Key: key-of-the-header }
      lists:
        products:
          request:
            method: POST
            path: /graphql
            body:
              password: password-in-a-body
              token: "{{ $auth.token }}"
              filters: [{ key: limit, value: "100" }]
          items: data
          paging: { by: page, size: 10, key: uuid }
          row: { id: uuid, name: name, sku: sku, changed_at: $as_of, attributes: { token: token_of_the_row } }`,
);

test('a text is a secret by its place: the key of a row, a filter and an expression are none', () => {
  const { masked, secrets } = loadConfigText('/c.yaml', DESCRIBED, {});
  const { erp } = (masked as { accounts: Record<string, { erp: Record<string, never> }> }).accounts['main'] ?? {};
  expect(erp).toMatchObject({
    auth: { key: '***' },
    settings: { field: 'price', token: '***' },
    headers: { 'X-Api-Key': '***' },
    lists: {
      products: {
        request: { body: { password: '***', token: '{{ $auth.token }}', filters: [{ key: 'limit', value: '100' }] } },
        paging: { key: 'uuid' },
        row: { attributes: { token: 'token_of_the_row' } },
      },
    },
  });
  expect(secrets.toSorted()).toEqual(
    [
      'app-key-1',
      'erp-token-1',
      'key-of-the-header',
      'password-in-a-body',
      'the-key-of-the-erp',
      'token-in-settings',
    ].filter((text) => DESCRIBED.includes(text)),
  );
});

test('the passphrase of a key is a secret', () => {
  expect(secretsIn(undefined)(['accounts', 'main', 'erp', 'sftp', 'passphrase'], 'x')).toBe(true);
});

test('the expression by which a session finds its token is no secret, and a token is', () => {
  const of = (auth: object) => secretsIn({ type: 'rest', auth }, ['accounts', 'main', 'erp']);
  const at = ['accounts', 'main', 'erp', 'auth', 'token'];
  expect(of({ scheme: 'session' })(at, 'data.accessToken')).toBe(false);
  expect(of({ scheme: 'bearer' })(at, 'data.accessToken')).toBe(true);
  // The scheme may come from a preset.
  expect(of({})(at, 'data.accessToken')).toBe(true);
});
