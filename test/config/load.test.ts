import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/config/problem.ts';
import { erpPlaceKey } from '../../src/domain/erp-place.ts';
import { CONTRACT } from './contract.ts';
import { folderOf, LEAST } from './folder.ts';

const load = (yaml: string, env: Record<string, string> = {}, files: Record<string, string> = {}): LoadedConfig =>
  loadConfig(folderOf({ 'c.yaml': yaml, ...files })('c.yaml'), env);

/** The error's lines, without the folder in front. */
function errorsOf(yaml: string, env: Record<string, string> = {}, files: Record<string, string> = {}): string[] {
  const path = folderOf({ 'c.yaml': yaml, ...files })('c.yaml');
  try {
    loadConfig(path, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${path}:`, ''));
  }
  return [];
}

const account = ({ config }: LoadedConfig) => {
  const [first] = config.accounts;
  if (first === undefined) throw new Error('no account');
  return first;
};

test('a minimal configuration is complete', () => {
  const loaded = load(LEAST);
  expect(loaded.config).toMatchObject({
    mode: 'live',
    logLevel: 'info',
    state: { dir: 'data', redis: null },
    webhooks: { listen: { host: '0.0.0.0', port: 8080 } },
    admin: {
      listen: { host: '127.0.0.1', port: 9090 },
      hosts: [],
      trustedProxies: [],
      operatorToken: null,
      viewerToken: null,
    },
    retention: { journalMs: 90 * 86_400_000, inboxMs: 7 * 86_400_000 },
    shutdownTimeoutMs: 20_000,
  });
  const { marketplace, erp, inventory, products, orders, brakes, ...rest } = account(loaded);
  expect(rest).toMatchObject({ name: 'main', currency: 'USD', facilities: null });
  expect(marketplace).toEqual({
    baseUrl: 'https://marketplace.example',
    version: '2022-10-31',
    versionHeader: 'Service-Version',
    auth: { scheme: 'app', key: 'app-key-1' },
    sellerId: 4711,
    externalIdKey: 'stockbridge',
    limits: { perSecond: 8, perMinute: 300 },
    poll: { ordersMs: 15_000, productsMs: 300_000, overlapMs: 900_000, full: '15 3 * * *' },
    webhooks: null,
    transitions: { fulfill: 'fulfill' },
    dialect: {
      order: {
        places: { discount_type: null, requested_date: null, customer_name: null },
        words: { status: {}, discount_type: {} },
        inside: { customer: { places: {}, words: {}, inside: {} } },
      },
      product: { places: {}, words: { listing_state: {} }, inside: {} },
      customer: { places: {}, words: {}, inside: {} },
    },
    operations: {},
    referencePrefix: '/api/v2',
    timeoutMs: 30_000,
  });
  expect(erp).toEqual({
    section: expect.objectContaining({ type: 'http', url: 'https://erp.example' }) as unknown,
    dir: 'data/erp/main',
    addresses: { url: 'https://erp.example' },
    credentials: { token: { scheme: 'fixed', secret: 'erp-token-1' } },
    pollMs: 15_000,
    timeoutMs: 30_000,
    capabilities: {},
    where: expect.any(Function) as unknown,
  });
  expect(inventory).toMatchObject({
    strategy: 'submitted-available',
    write: 'available_inventory',
  });
  expect(inventory.buffer.toString()).toBe('0');
  expect(products).toEqual({
    create: true,
    archive: true,
    archivedByHand: 'hold',
    createFields: {},
    attributes: [],
    restoreFields: { listing_state: 'Available' },
    fields: [],
    leftOut: [],
    createOnly: [],
    references: [],
    referencesAs: 'id',
    createProductLines: false,
    namesEveryMs: 3_600_000,
    images: null,
  });
  expect(orders).toMatchObject({
    onUnmappedProduct: 'hold',
    onUnmappedCustomer: 'create',
    exciseTax: { applies: 'california' },
    exportFrom: null,
    history: 'leave',
  });
  expect(orders.exciseTax.ratePercent.toString()).toBe('27');
  // The limits of a day are those of a pass unless set.
  const same = (limit: unknown) => ({ pass: limit, day: limit });
  expect(JSON.parse(JSON.stringify(brakes))).toEqual({
    create: same({ count: 50, percent: '10' }),
    archive: same({ count: 10, percent: '5' }),
    zero: same({ count: 20, percent: '20' }),
    increase: same({ count: null, percent: null }),
    price: same({ count: null, percent: '50' }),
    reject: same({ count: 10, percent: null }),
    history: same({ count: 0, percent: null }),
    relink: same({ count: 0, percent: null }),
    reprice: same({ count: 0, percent: null }),
    expiryMs: 24 * 60 * 60_000,
  });
});

test('the settings of a section keep their defaults when one of them is given', () => {
  const { brakes, marketplace } = account(
    load(
      `${LEAST}    brakes: { archive: { count: 3, day: { percent: 9 } } }\n`.replace(
        'seller_id: 4711',
        'seller_id: 4711\n      poll: { orders: 1s }',
      ),
    ),
  );
  expect(JSON.parse(JSON.stringify(brakes.archive))).toEqual({
    pass: { count: 3, percent: '5' },
    day: { count: 3, percent: '9' },
  });
  expect(marketplace.poll).toMatchObject({ ordersMs: 1000, productsMs: 300_000 });
});

test('the limit of a day may be below the default limit of a pass', () => {
  const { brakes } = account(
    load(`${LEAST}    brakes: { zero: { day: { count: 1 } }, archive: { count: 3, day: { count: 3 } } }\n`),
  );
  expect([brakes.zero.day.count, brakes.archive.day.count]).toEqual([1, 3]);
});

describe('values', () => {
  const strategy = (text: string) => account(load(LEAST.replace('submitted-available', text))).inventory;

  test.each([
    ['a', 'fulfilled-quantity', 'quantity'],
    ['b', 'submitted-available', 'available_inventory'],
    ['c', 'submitted-quantity', 'quantity'],
    ['fulfilled-quantity', 'fulfilled-quantity', 'quantity'],
    ['submitted-quantity', 'submitted-quantity', 'quantity'],
    ['b, write: quantity', 'submitted-available', 'quantity'],
  ])('the strategy %s is %s and writes %s', (text, name, write) => {
    expect(strategy(text)).toMatchObject({ strategy: name, write });
  });

  test.each([
    ['2.50', '2.5'],
    ['"2.50"', '2.5'],
    ['0.1', '0.1'],
    ['"0.100000000000001"', '0.100000000000001'],
    ['123456789012345', '123456789012345'],
  ])('a buffer of %s is exact', (text, value) => {
    expect(strategy(`b, buffer: ${text}`).buffer.toString()).toBe(value);
  });

  test.each(['-1', '0.1234567890123456', '1e3x', 'true', '""'])('a buffer of %s is refused', (text) => {
    expect(errorsOf(LEAST.replace('submitted-available', `b, buffer: ${text}`))).toEqual([
      expect.stringMatching(/^8:39: accounts\.main\.inventory\.buffer: expected a decimal number/),
    ]);
  });

  test.each(['15', '-5s', '5 s', '5w', '""', '9999d'])('a duration of %s is refused', (text) => {
    expect(errorsOf(`shutdown_timeout: ${text}\n${LEAST}`)).toEqual([
      expect.stringMatching(/^1:19: shutdown_timeout: expected /),
    ]);
  });

  test.each(['not-an-address', '127.0.0.1', '127.0.0.1:65536', ':80', '::1:80'])('listen on %s is refused', (text) => {
    expect(errorsOf(`admin: { listen: "${text}" }\n${LEAST}`)).toEqual([
      '1:18: admin.listen: expected HOST:PORT, such as 127.0.0.1:9090',
    ]);
  });

  test('an IPv6 address may be listened on', () => {
    expect(load(`admin: { listen: "[::1]:0" }\n${LEAST}`).config.admin.listen).toEqual({ host: '::1', port: 0 });
  });

  test.each([
    'ftp://marketplace.example',
    'https://user:pw@marketplace.example',
    'https://marketplace.example?x=1',
    'marketplace.example',
  ])('the address %s is refused', (url) => {
    const errors = errorsOf(LEAST.replace('https://marketplace.example', `"${url}"`));
    expect(errors).toEqual([expect.stringContaining('base_url: expected an https:// or http:// address')]);
    expect(errors.join()).not.toContain('pw');
  });

  test.each([
    'https://erp.example/orders',
    'ftp://erp.example/{id}',
    'https://user:pw@erp.example/{id}',
    'https://{id}.example/orders',
    'javascript:alert({id})',
    'https://erp.example/{id} x',
  ])('a page at %s is refused', (page) => {
    const errors = errorsOf(`${LEAST}    pages: { erp: { order: "${page}" } }\n`);
    expect(errors).toEqual([expect.stringContaining('order: expected an https:// or http:// address with {id}')]);
  });

  test('an address keeps its path and loses its final slash; the API prefix is refused', () => {
    const withUrl = (url: string) => LEAST.replace('https://marketplace.example', url);
    expect(account(load(withUrl('https://proxy.example/shop/'))).marketplace.baseUrl).toBe(
      'https://proxy.example/shop',
    );
    expect(errorsOf(withUrl('https://marketplace.example/api/v2/'))).toEqual([
      '4:17: accounts.main.marketplace.base_url: leave /api/v2 off: it is added',
    ]);
  });
});

describe('errors', () => {
  const BAD = `version: 2
modes: dry-run
log_level: inf
state: { dir: , redis: http://x }
accounts:
  main:
    marketplace:
      base_ur: https://marketplace.example
      auth: { scheme: ap, key: k }
      poll: { orders: 15, full: "99 3 * * *" }
      transitions: { fulfil: x }
      operations: { order.list: {}, orders.list: { path: x, method: get } }
    erp: { type: http, url: https://erp.example }
    inventory: { strategy: submited-available, foo: 1 }
  Second: {}
`;

  test('all errors are reported at once, in order, each with its place and the expected value', () => {
    expect(errorsOf(BAD)).toEqual([
      '1:10: version: expected 1, the version of this format',
      '2:1: modes: unknown key; did you mean "mode"?',
      '3:12: log_level: expected one of "debug", "info", "warn", "error"; did you mean "info"?',
      '4:15: state.dir: is empty; expected text',
      '4:24: state.redis: expected an address such as redis://127.0.0.1:6379/0 or rediss://...',
      '7:5: accounts.main.marketplace.seller_id: is missing',
      '8:7: accounts.main.marketplace.base_ur: unknown key; did you mean "base_url"?',
      '9:23: accounts.main.marketplace.auth.scheme: expected one of "app", "bearer", "oauth2"; did you mean "app"?',
      '10:23: accounts.main.marketplace.poll.orders: expected a duration with its unit, such as 15s or 5m',
      '10:33: accounts.main.marketplace.poll.full: expected a cron expression of five fields, such as "15 3 * * *"',
      '11:22: accounts.main.marketplace.transitions.fulfil: unknown key; did you mean "fulfill"?',
      '12:21: accounts.main.marketplace.operations.order.list: unknown key; did you mean "orders.list"?',
      '12:58: accounts.main.marketplace.operations.orders.list.path: expected a path below /api/v2 that starts with "/", such as /vehicles/{id}/',
      '12:69: accounts.main.marketplace.operations.orders.list.method: expected one of "GET", "POST", "PUT", "PATCH", "DELETE"; did you mean "GET"?',
      '13:5: accounts.main.erp.token: is missing; give token, or oauth',
      '14:28: accounts.main.inventory.strategy: expected one of "fulfilled-quantity", "submitted-available", "submitted-quantity", "a", "b", "c"; did you mean "submitted-available"?',
      '14:48: accounts.main.inventory.foo: unknown key',
      '15:3: accounts.Second.marketplace: is missing',
      '15:3: accounts.Second.erp: is missing',
      '15:3: accounts.Second.inventory: is missing',
      '15:3: accounts.Second: expected an account name: a small letter, then up to 31 of a-z, 0-9 and "-"',
    ]);
  });

  test('the key of the other authentication scheme is named', () => {
    expect(errorsOf(LEAST.replace('scheme: app, key:', 'scheme: bearer, key:'))).toEqual([
      '5:7: accounts.main.marketplace.auth.token: is missing',
      '5:31: accounts.main.marketplace.auth.key: unknown key',
    ]);
  });

  test.each([
    ['', '1:1: is empty; expected a section with keys of its own'],
    ['- a\n', '1:1: expected a section with keys of its own'],
    ['mode: live\n', '1:1: accounts: at least one is needed, here or in the folder that accounts_from names'],
    ['accounts: {}\n', '1:11: accounts: at least one is needed, here or in the folder that accounts_from names'],
    ['accounts:\n', expect.stringMatching(/^1:10: accounts: is empty; expected a section/)],
    ['accounts: { main: }\n', expect.stringMatching(/accounts.main: is empty; expected a section/)],
    [`mode: live\nmode: live\n${LEAST}`, '2:1: this key is given twice'],
    [`state:\n\tdir: x\n${LEAST}`, '2:1: Tabs are not allowed as indentation'],
    [`state:\n  dir: x\n redis: y\n${LEAST}`, '3:1: All mapping items must start at the same column'],
    [`${LEAST}---\nmode: live\n`, expect.stringMatching(/^9:1: Source contains multiple documents/)],
    [`state: *nothing\n${LEAST}`, '1:8: nothing is named &nothing before this'],
    [`state: &x { dir: *x }\n${LEAST}`, '1:18: *x stands inside what it names'],
    [`mode: !secret live\n${LEAST}`, '1:7: Unresolved tag: !secret'],
    [`__proto__: {}\n${LEAST}`, '1:1: __proto__: unknown key'],
  ])('the configuration file %j is reported', (yaml, error) => {
    expect(errorsOf(yaml)).toEqual([error]);
  });

  test('one misplaced token is one error', () => {
    expect(errorsOf(`state: { dir: x } }\n${LEAST}`)).toHaveLength(1);
  });

  test('aliases that expand too much are refused', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `  - &l${level + 1} [${`*l${level}, `.repeat(9)}]`);
    const errors = errorsOf(`state:\n  - &l0 x\n${levels.join('\n')}\n${LEAST}`);
    expect(errors).toEqual(['1:1: its aliases stand for too much']);
    expect(errorsOf(`state: [&x y${', *x'.repeat(101)}]\n${LEAST}`)).toEqual(['1:415: more than 100 aliases']);
  });

  test('an unreadable configuration file is reported', () => {
    const path = folderOf({ 'big.yaml': `# ${'x'.repeat(1024 * 1024)}\n`, 'latin.yaml': new Uint8Array([0x61, 0xe4]) });
    const message = (name: string): string => {
      try {
        loadConfig(path(name), {});
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message('none.yaml')).toBe(
      `${path('none.yaml')}: does not exist; copy an example from config/ to it, or name yours with --config`,
    );
    expect(message('big.yaml')).toBe(`${path('big.yaml')}: is larger than 1024 KiB`);
    expect(message('latin.yaml')).toBe(`${path('latin.yaml')}: is not UTF-8 text`);
    expect(message('.')).toBe(`${path('.')}: is a folder`);
  });
});

const FACILITIES = `    facilities:
      created_by: 17
      map:
        - { erp_location: MAIN, facility_id: 1, batch_id: 1 }
`;

describe('batches of lots', () => {
  const yaml = (batches: string, map: string) =>
    `${LEAST}    facilities:\n      created_by: 17\n${batches}      map:\n        - { ${map} }\n`;
  const BATCHES = '      batches: { match: name, fields: { name: batch, grade: attributes.grade } }\n';

  test('batches of lots need no batch_id', () => {
    const { facilities } = account(load(yaml(BATCHES, 'erp_location: EAST, facility_id: 2')));
    expect(facilities?.lotPlaces.get('EAST')).toEqual({ order: 0, facilityId: 2 });
    expect(facilities?.places.size).toBe(0);
    expect(facilities?.batches).toMatchObject({ match: 'name', fields: [{ name: 'name' }, { name: 'grade' }] });
  });

  test.each([
    ['', 'erp_location: EAST, facility_id: 2', 'map[0].batch_id: is missing; give it, or facilities.batches'],
    [
      BATCHES,
      'erp_location: EAST, erp_batch: LOT-7, facility_id: 2',
      'map[0].erp_batch: needs batch_id; without both,',
    ],
    [
      '      batches: { match: name, fields: { title: batch } }\n',
      'erp_location: EAST, facility_id: 2',
      'batches.match: facilities.batches.fields makes no name',
    ],
    [
      '      batches: { match: name, fields: { name: "batch &" } }\n',
      'erp_location: EAST, facility_id: 2',
      'batches.fields.name: is no JSONata expression:',
    ],
  ])('contradictions in the settings of batches are found (%#)', (batches, map, message) => {
    expect(errorsOf(yaml(batches, map)).join('\n')).toContain(`accounts.main.facilities.${message}`);
  });
});

test('facilities belong to the seller unless another company is named', () => {
  const { facilities } = account(load(`${LEAST}${FACILITIES}`));
  expect(facilities).toMatchObject({ companyId: 4711, createdBy: 17, pollMs: 300_000 });
  expect(facilities?.places.get(erpPlaceKey({ location: 'MAIN' }))).toEqual({ order: 0, facilityId: 1, batchId: 1 });
});

describe('contradictions', () => {
  test.each([
    [
      LEAST.replace('submitted-available', 'submitted-available, stock_in: cases'),
      'accounts.main.inventory.stock_in: stock that counts cases cannot be moved by order lines that count units: set line_quantity_in to cases',
    ],
    [
      LEAST.replace('submitted-available', 'a, write: quantity, foo: 1'),
      'accounts.main.inventory.write: only submitted-available leaves a choice: fulfilled-quantity always writes quantity',
    ],
    [
      LEAST.replace('submitted-available', 'c, write: available_inventory'),
      'accounts.main.inventory.write: only submitted-available leaves a choice: submitted-quantity always writes quantity, because the ERP does not count the open orders: they would be sold again',
    ],
    [
      LEAST.replace('submitted-available', 'submitted-quantity, export_status: Fulfilled'),
      'accounts.main.inventory.export_status: a strategy is one choice: when orders are exported, when the ERP reserves, and which figure is written; submitted-quantity exports from Submitted, reserves from Fulfilled and writes quantity: for another combination, choose another strategy',
    ],
    [
      LEAST.replace('strategy: submitted-available', 'erp_reserve_from: Accepted'),
      'accounts.main.inventory.erp_reserve_from: a strategy is one choice: when orders are exported, when the ERP reserves, and which figure is written',
    ],
    [
      `${LEAST}    orders: { export_status: Accepted }\n`,
      'accounts.main.orders.export_status: inventory.strategy says from which status orders are exported and when the ERP reserves: choose it there',
    ],
    [
      `${LEAST}    brakes: { zero: { count: 3, day: { count: 1 } } }\n`,
      'accounts.main.brakes.zero.day.count: a day allows 1 and a pass 3, which is never reached: raise this one, or lower count',
    ],
    [
      `admin: { listen: 127.0.0.1:8080 }\n${LEAST}`,
      'admin.listen: port 8080 is taken by webhooks.listen: the two need different ports',
    ],
    [
      `admin: { operator_token: a-token-for-both, viewer_token: a-token-for-both }\n${LEAST}`,
      'admin.viewer_token: is the same as operator_token: viewers could act',
    ],
    [
      `${LEAST}    products: { create_fields: { quantity: 5 } }\n`,
      'accounts.main.products.create_fields.quantity: quantity is set by Stockbridge itself',
    ],
    [
      `${LEAST}    products: { attributes: [strain, sku] }\n`,
      'accounts.main.products.attributes[1]: sku is set by Stockbridge itself',
    ],
    [
      LEAST + LEAST.replace('accounts:\n', '').replace('main:', 'twin:').replace('.example\n', '.example/\n'),
      'accounts.twin.marketplace.seller_id: accounts.main is the same seller on the same marketplace',
    ],
    [
      LEAST.replace('seller_id:', 'poll: { orders: 500ms, products: 1s }\n      seller_id:'),
      'accounts.main.marketplace.poll: orders every 500ms and products every 1s take 180 calls a minute, more than half of the 300 that limits allow: too little is left for writes, so poll less often',
    ],
    [
      LEAST.replace(
        'seller_id:',
        'limits: { per_second: 1 }\n      poll: { orders: 2s, products: 1m }\n      seller_id:',
      ),
      'accounts.main.marketplace.poll: orders every 2s and products every 1m take 31 calls a minute, more than half of the 60 that limits allow: too little is left for writes, so poll less often',
    ],
    [
      LEAST.replace('seller_id:', 'operations: { orders.get: { path: "/orders/{id}/" } }\n      seller_id:'),
      'accounts.main.marketplace.operations.orders.get.path: expected a path with {number} once, such as /orders-received/{number}/',
    ],
    [
      LEAST.replace('seller_id:', 'operations: { orders.list: { path: "/orders/{number}/" } }\n      seller_id:'),
      'accounts.main.marketplace.operations.orders.list.path: expected a path with no parameter, such as /orders-received/',
    ],
    [
      LEAST.replace('seller_id:', 'operations: { orders.get: { paging: offset } }\n      seller_id:'),
      'accounts.main.marketplace.operations.orders.get.paging: is for lists that have pages, and this is none',
    ],
    [
      LEAST.replace('seller_id:', 'operations: { orders.get: { arrays: commas } }\n      seller_id:'),
      'accounts.main.marketplace.operations.orders.get.arrays: is for parameters with several values, and this has none',
    ],
    [
      LEAST.replace('submitted-available', 'b, write: quantity') + FACILITIES,
      'accounts.main.inventory.write: with facilities, what is on hand is set at each of them: leave write out',
    ],
    [
      `${LEAST}${FACILITIES}        - { erp_location: MAIN, facility_id: 2, batch_id: 1 }\n`,
      'accounts.main.facilities.map[1].erp_location: map[0] is this location and batch of the ERP already',
    ],
    [
      `${LEAST}${FACILITIES}        - { erp_location: MAIN, erp_batch: L7, facility_id: 1, batch_id: 1 }\n`,
      'accounts.main.facilities.map[1].facility_id: map[0] is this facility and batch of the marketplace already',
    ],
    [
      LEAST.replace('app-key-1', '"app key"'),
      'accounts.main.marketplace.auth.key: holds a space, a line break or another character that cannot be sent in a header',
    ],
  ])('contradictions of settings are found: %#', (yaml, error) => {
    expect(errorsOf(yaml).map((line) => line.replace(/^\d+:\d+: /, ''))).toContain(error);
  });

  test('an order can be accepted only by a configured action', () => {
    const yaml = `${LEAST}    orders: { accept_backorders: true }\n`;
    expect(errorsOf(yaml)).toEqual([expect.stringContaining('name the action in marketplace.transitions.accept')]);
    expect(errorsOf(yaml.replace('seller_id:', 'transitions: { accept: take }\n      seller_id:'))).toEqual([]);
  });

  test('the name of an account hides no error below it', () => {
    const errors = errorsOf(LEAST.replace('main:', 'Main_Shop:').replace('4711', 'none'));
    expect(errors).toEqual([
      '2:3: accounts.Main_Shop: expected an account name: a small letter, then up to 31 of a-z, 0-9 and "-"',
      '6:18: accounts.Main_Shop.marketplace.seller_id: expected a whole number',
    ]);
  });

  test.each(['$ERP_TOKEN', '$(ERP_TOKEN)'])("a shell's variable is not accepted as a value: %s", (written) => {
    const message = 'is taken as it stands: for an environment variable write ${env:NAME}';
    expect(errorsOf(LEAST.replace('erp-token-1', written))).toEqual([expect.stringContaining(`erp.token: ${message}`)]);
    expect(errorsOf(LEAST.replace('https://erp.example', `"https://${written}/x"`))).toEqual([
      expect.stringContaining(`erp.url: ${message}`),
    ]);
  });

  test('a dollar within a secret is a dollar', () => {
    expect(errorsOf(LEAST.replace('erp-token-1', 'a$B'))).toEqual([]);
  });

  test.each(['submit', 'complete', 'cancel', 'backorder'])('an unused transition is refused: %s', (name) => {
    const [error] = errorsOf(LEAST.replace('seller_id:', `transitions: { ${name}: go }\n      seller_id:`));
    expect(error).toContain(`accounts.main.marketplace.transitions.${name}: this action is never used: `);
  });

  test('both listeners may take any free port', () => {
    expect(errorsOf(`webhooks: { listen: "127.0.0.1:0" }\nadmin: { listen: "127.0.0.1:0" }\n${LEAST}`)).toEqual([]);
  });
});

test('references stand for outside values, in any text and of any type', () => {
  const yaml = LEAST.replace('https://erp.example', 'https://${env:HOST}:${env:PORT}')
    .replace('erp-token-1', '${file:secrets/erp}')
    .replace('app-key-1', "'${env:KEY}'")
    .replace('4711', '${env:SELLER}')
    .replace('submitted-available', '${env:STRATEGY}, buffer: ${env:BUFFER}');
  const loaded = load(
    `${yaml}    products: { create: \${env:CREATE} }\n`,
    { HOST: 'erp.example', PORT: '8443', KEY: '123456', SELLER: '42', STRATEGY: 'c', BUFFER: '2.5', CREATE: 'false' },
    { 'secrets/erp': 'from-a-file\n' },
  );
  const { erp, marketplace, inventory, products } = account(loaded);
  expect(erp).toMatchObject({
    addresses: { url: 'https://erp.example:8443' },
    credentials: { token: { secret: 'from-a-file' } },
  });
  expect(marketplace).toMatchObject({ sellerId: 42, auth: { key: '123456' } });
  expect(inventory).toMatchObject({ strategy: 'submitted-quantity' });
  expect(inventory.buffer.toString()).toBe('2.5');
  expect(products.create).toBe(false);
});

test('unresolved references are named with their place, and their value is not checked again', () => {
  const yaml = LEAST.replace('app-key-1', '${env:NONE}${env:constructor}')
    .replace('erp-token-1', '${file:nowhere}')
    .replace('4711', '${env:SELLER-ID}')
    .replace('submitted-available', '${ENV:X}');
  expect(errorsOf(yaml)).toEqual([
    '5:33: accounts.main.marketplace.auth.key: the environment variable NONE is not set',
    '5:44: accounts.main.marketplace.auth.key: the environment variable constructor is not set',
    '6:18: accounts.main.marketplace.seller_id: expected the name of an environment variable: ${env:NAME}',
    '7:57: accounts.main.erp.token: the file nowhere does not exist',
    '8:28: accounts.main.inventory.strategy: expected ${env:NAME} or ${file:PATH} after "${"',
  ]);
});

test('references are named in errors, and their values never are', () => {
  const canary = 'canary-5e1f';
  const yaml = LEAST.replace('4711', '${env:CANARY}')
    .replace('https://erp.example', '${env:CANARY}')
    .replace('submitted-available', '${env:CANARY}')
    .replace('scheme: app', 'scheme: ${env:CANARY}');
  const errors = errorsOf(`mode: \${env:CANARY}\nshutdown_timeout: \${env:CANARY}\n${yaml}`, { CANARY: canary });
  expect(errors).toHaveLength(6);
  for (const error of errors) expect(error).toContain('(the value comes from ${env:CANARY})');
  expect(errors.join('\n')).not.toContain(canary);
});

test('references are not expanded in referenced values', () => {
  const { erp } = account(load(LEAST.replace('erp-token-1', '${env:A}'), { A: '${env:B}', B: 'b' }));
  expect(erp.credentials).toMatchObject({ token: { secret: '${env:B}' } });
});

test('references that are empty, or to huge files, are refused', () => {
  expect(errorsOf(LEAST.replace('erp-token-1', '${env:EMPTY}'), { EMPTY: '' })).toEqual([
    '7:57: accounts.main.erp.token: must not be empty (the value comes from ${env:EMPTY})',
  ]);
  expect(errorsOf(LEAST.replace('erp-token-1', '${file:big}'), {}, { big: 'x'.repeat(70_000) })).toEqual([
    '7:57: accounts.main.erp.token: the file big is larger than 64 KiB',
  ]);
});

test.each([
  ['keys', (at: number) => `k${at}: 1\n`],
  ['quoted keys and texts', (at: number) => `"k${at}": ''\n`],
])('a file that would take too long to read is refused, with 70,000 %s', (_, line) => {
  const many = Array.from({ length: 70_000 }, (_at, at) => line(at)).join('');
  expect(errorsOf(LEAST + many)).toEqual(['1:1: it has more than 10000 keys and values']);
});

test('a file with 4,000 keys is read', () => {
  const many = Array.from({ length: 4_000 }, (_at, at) => `        k${at}: VIP\n`).join('');
  const customers = `    customers:\n      to_marketplace: true\n      statuses:\n${many}`;
  expect(account(load(LEAST + customers)).customers?.statuses).toHaveLength(4_000);
});

test('a pipe without content is refused', () => {
  const at = folderOf({ 'c.yaml': LEAST.replace('erp-token-1', '${file:pipe}') });
  spawnSync('bash', ['-c', 'mkfifo "$0"', at('pipe')]);
  expect(() => loadConfig(at('c.yaml'), {})).toThrow('accounts.main.erp.token: must not be empty');
});

test('a pipe with a text is read', () => {
  const { stdout } = spawnSync('bash', ['-c', '"$1" -e "$0" <(sleep 0.2; echo secret)', READ_FILE, process.execPath], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('{"text":"secret\\n"}');
  const silent = spawnSync('bash', ['-c', '"$1" -e "$0" <(sleep 9)', READ_FILE, process.execPath], {
    encoding: 'utf8',
  });
  expect(silent.stdout).toBe('{"error":"is a pipe, and nothing comes out of it"}');
});

/** A process of its own, since a pipe that blocks would keep the test from ending. */
const READ_FILE = `import(${JSON.stringify(new URL('../../src/config/references.ts', import.meta.url).href)})
  .then(({ readText }) => process.stdout.write(JSON.stringify(readText(process.argv[1], 1000))))`;

describe('the admin port', () => {
  const TOKEN =
    'operator_token: expected at least 16 characters, made by chance, as "openssl rand -hex 24" prints them';
  const NETWORK = 'trusted_proxies[0]: expected an IP address, or a network such as 10.0.0.0/8';
  const NAME = 'hosts[0]: expected the name of a host, such as bridge.brand.example, without a port';
  test.each([
    ['operator_token: fifteen-letters', TOKEN],
    ['operator_token: sixteen--letters', null],
    ['trusted_proxies: [10.0.0.0/8, "fd00::/8", 192.0.2.1, "::1"], hosts: [bridge.brand.example, stockbridge]', null],
    ['trusted_proxies: [10.0.0.0/33]', NETWORK],
    ['trusted_proxies: [10.0.0.0/0]', NETWORK],
    ['trusted_proxies: [10.0.0.0/8/8]', NETWORK],
    ['trusted_proxies: [0x7f.1]', NETWORK],
    ['trusted_proxies: [proxy.example]', NETWORK],
    ['trusted_proxies: ["fe80::1%eth0"]', NETWORK],
    ['hosts: ["bridge.example:9090"]', NAME],
    ['hosts: ["https://bridge.example"]', NAME],
    ['hosts: ["*"]', NAME],
  ])('the admin address: %s', (settings, told) => {
    const wanted = told === null ? [] : [expect.stringMatching(`admin.${RegExp.escape(told)}$`)];
    expect(errorsOf(`admin: { ${settings} }\n${LEAST}`)).toEqual(wanted);
  });

  test.each([
    ['listen: 127.0.0.1:9090', false],
    ['listen: "[::1]:9090"', false],
    ['listen: 0.0.0.0:9090', true],
    ['listen: "[::]:9090"', true],
    ['listen: admin.example:9090', true],
    ['listen: 0.0.0.0:9090, trusted_proxies: [172.16.0.0/12]', false],
  ])('an admin port with %s is reported as unencrypted: %s', (settings, isTold) => {
    const told = load(`admin: { ${settings} }\n${LEAST}`)
      .warnings(0)
      .map(({ path, message }) => `${path}: ${message}`);
    const wanted = expect.stringMatching(/^admin\.listen: other machines reach the admin port in clear/);
    expect(told).toEqual(isTold ? [wanted] : []);
  });

  test.each([
    ['base_path: /stockbridge', true],
    ['public_url: https://bridge.brand.example', true],
    ['public_url: "http://localhost:9090"', false],
    ['public_url: "http://[::1]:9090"', false],
    [
      'base_path: /stockbridge, public_url: https://bridge.brand.example/stockbridge, trusted_proxies: [127.0.0.1]',
      false,
    ],
    ['hosts: [bridge.brand.example]', false],
  ])('an admin port on this machine with %s is reported as behind a proxy without a name: %s', (settings, isTold) => {
    const told = load(`admin: { ${settings} }\n${LEAST}`)
      .warnings(0)
      .map(({ path, message }) => `${path}: ${message}`);
    const wanted = expect.stringMatching(/^admin\.trusted_proxies: is empty although .* implies a proxy/);
    expect(told).toEqual(isTold ? [wanted] : []);
  });
});

describe('secrets', () => {
  const SECRETS = {
    KEY: 'canary-key',
    TOKEN: 'canary-token',
    OPERATOR: 'canary-operator-token',
    HOOK: 'canary-hook-"1"',
    LICENSE: 'canary-license',
  };
  const yaml = `state: { redis: "redis://app:canary%2Fredis@redis.example:6379/0" }
admin: { operator_token: \${env:OPERATOR}, viewer_token: canary-viewer-token }
${LEAST.replace('app-key-1', '${env:KEY}')
  .replace('erp-token-1', 'erp-${env:TOKEN}')
  .replace(
    'seller_id: 4711',
    'seller_id: 4711\n      webhooks: { secret: ["${env:HOOK}", canary-hook-2] }',
  )}    products:
      create_fields: { license: "no. \${env:LICENSE}" }
`;

  test('I12 no secret is in the displayed configuration, wherever it was written', () => {
    const { masked } = load(yaml, SECRETS);
    const shown = JSON.stringify(masked);
    expect(shown).not.toContain('canary');
    expect(masked).toMatchObject({
      state: { redis: 'redis://app:***@redis.example:6379/0' },
      accounts: { main: { erp: { url: 'https://erp.example', token: '***' } } },
    });
  });

  test.each([
    ['REDIS://app:canary-1@redis.example', 'REDIS://app:***@redis.example'],
    ['redis://redis.example:6379/0?password=canary-1&db=3', 'redis://redis.example:6379/0?password=***&db=3'],
    ['rediss://:canary-1@redis.example/0?Auth_Token=canary-1', 'rediss://:***@redis.example/0?Auth_Token=***'],
  ])('I12 a password is found in %s', (address, shown) => {
    const { masked, secrets } = load(`state: { redis: "${address}" }\n${LEAST}`);
    expect(masked).toMatchObject({ state: { redis: shown } });
    expect(secrets).toEqual(expect.arrayContaining(['canary-1', address]));
  });

  test('I12 all secrets are given to the logger', () => {
    expect(load(yaml, SECRETS).secrets).toEqual(
      expect.arrayContaining([
        ...Object.values(SECRETS),
        'erp-canary-token',
        'canary-viewer-token',
        'canary-hook-2',
        'canary%2Fredis',
        'canary/redis',
      ]),
    );
  });

  test('a text from outside that is no secret is not masked in the logs', () => {
    const { secrets } = load(LEAST.replace('https://erp.example', '${env:ERP}').replace('4711', '${env:SELLER}'), {
      ERP: 'https://erp.example/base',
      SELLER: '4711',
    });
    expect(secrets).toEqual(['app-key-1', 'erp-token-1']);
  });
});

test('the example of the contract is accepted unchanged', () => {
  const env = {
    ADMIN_TOKEN: 'a-token-to-look-and-act',
    VIEWER_TOKEN: 'a-token-to-look-only',
    MARKETPLACE_KEY: 'key',
    WEBHOOK_SECRET: 's',
    ERP_TOKEN: 't',
  };
  const { marketplace } = account(load(CONTRACT, env));
  expect(marketplace).toMatchObject({
    auth: { key: 'key' },
    webhooks: { secrets: ['s'], header: 'Service-Signature' },
  });
});
