import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { rawNumber } from '../../src/http/json.ts';
import { OPERATIONS } from '../../src/marketplace/operations/table.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { run } from './capture.ts';

const UUID = '7d1f4e9a-1f0c-4a4e-9f43-0d3f6f0f8f11';
const MAIN = join(import.meta.dirname, '../../src/main.ts');

describe('without a configuration', () => {
  const api = (...args: string[]) => run(['api', ...args, '--config', '/nowhere.yaml']);

  test('api --list prints every operation, by families', async () => {
    const { exitCode, stdout, stderr } = await api('--list');
    expect([exitCode, stderr]).toEqual([0, '']);
    for (const id of Object.keys(OPERATIONS)) expect(stdout).toMatch(new RegExp(`^ {2}${id} `, 'm'));
    expect(stdout).toMatch(/^line-items$/m);
    expect(stdout).toMatch(/^ {2}line-items\.delete +assumed +DELETE \/line-items\/\{id\}\/$/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const listed = JSON.parse((await api('--list', '--json')).stdout) as unknown[];
    expect(listed).toHaveLength(Object.keys(OPERATIONS).length);
    expect(listed[0]).toEqual({
      id: 'orders.list',
      method: 'GET',
      path: '/orders-received/',
      source: 'documented',
      permission: 'Orders: Read',
      summary: 'List the orders received',
    });
  });

  test('api --list prints a family or the matches of a word', async () => {
    const ids = async (word: string) =>
      (JSON.parse((await api('--list', word, '--json')).stdout) as { id: string }[]).map(({ id }) => id);
    expect(await ids('order-payments')).toEqual(['order-payments.list', 'order-payments.create', 'order-payments.get']);
    expect(await ids('orders')).not.toContain('purchase-orders.approve');
    expect(await ids('ARCHIVE')).toContain('products.archive');
    expect(await api('--list', 'nonsense')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('no operation matches "nonsense"') as string,
    });
  });

  test('api --describe prints the parameters, the body, the permission and the section of the spec', async () => {
    const { exitCode, stdout } = await api('orders.patch', '--describe');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('request     PATCH /orders-received/{number}/');
    expect(stdout).toContain('permission  Orders: Read & Write');
    expect(stdout).toContain('spec        1, Endpoints, Orders');
    expect(stdout).toMatch(/path parameters:\n {2}number +required +order number\n/);
    const list = await api('products.list', '--describe');
    expect(list.stdout).toMatch(/^ {2}page_size +integer, 1 to 500$/m);
    expect(list.stdout).toMatch(/^ {2}modified__gte +date-time$/m);
    expect(list.stdout).toContain('body: none');
    expect((await api('line-items.delete', '--describe')).stdout).toContain(
      'assumed; if yours differs: marketplace.operations.line-items.delete:\n            { method, path }',
    );
    const json = JSON.parse((await api('products.patch', '--describe', '--json')).stdout) as unknown;
    expect(json).toMatchObject({
      id: 'products.patch',
      section: '1, Endpoints, Products; 2, Products and recommendations',
      pathParameters: { properties: { id: { type: 'integer' } }, required: ['id'] },
      body: { type: 'object', properties: { quantity: { type: 'number', description: 'number' } } },
      example: { params: ['id=17'] },
    });
  });

  test.each([
    [[], 'which operation? "stockbridge api --list" shows them'],
    [['orders.lst'], 'there is no operation "orders.lst"; did you mean "orders.list"?'],
    [
      ['nothing.like.it', '--describe'],
      'there is no operation "nothing.like.it". "stockbridge api --list" shows them.',
    ],
  ])('api %j exits 64', async (args, message) => {
    const { exitCode, stdout, stderr } = await api(...args);
    expect([exitCode, stdout]).toEqual([64, '']);
    expect(stderr).toContain(message);
  });
});

describe('with a marketplace', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage({ marketplace: '      limits: { per_second: 1000, per_minute: 60000 }' });
  });

  const api = (...args: string[]) => run(['api', ...args, '--config', stage.configFile]);
  const create = (count: number) =>
    stage.marketplace.createProducts(
      Array.from({ length: count }, (_, n) => ({
        sku: `S-${n}`,
        name: `Product ${n}`,
        quantity: 5,
        wholesale_price: { amount: rawNumber('12.50'), currency: 'USD' },
      })),
    );

  test("api prints the marketplace's answer with every digit", async () => {
    create(1);
    const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
    const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '2' }] });
    const { exitCode, stdout, stderr } = await api('orders.get', '--param', `number=${number}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    const url = `${stage.marketplace.url}/api/v2/orders-received/${number}/`;
    const raw = await fetch(url, { headers: { authorization: `App ${stage.marketplace.key}` } });
    expect(stdout.replaceAll(/\s/g, '')).toBe((await raw.text()).replaceAll(/\s/g, ''));
    expect(stdout).toMatch(/: \d+\.\d0,?\n/);
  });

  test('api puts parameters where they belong, with their types', async () => {
    create(3);
    const params = ['page_size=2', 'archived=false', 'ordering=-id', 'sku=S-1'].flatMap((param) => ['--param', param]);
    const { exitCode, stdout } = await api('products.list', ...params);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ count: 1, more: false, results: [{ sku: 'S-1' }] });
    expect(stage.marketplace.requestLog.calls()[0]?.url).toBe(
      '/api/v2/products/?page_size=2&ordering=-id&archived=false&sku=S-1',
    );
    await api('orders.transition', '--param', 'action=fulfill', '--param', 'number=abc-1');
    expect(stage.marketplace.requestLog.calls()[1]).toMatchObject({
      method: 'POST',
      url: '/api/v2/orders-received/abc-1/transition/fulfill/',
    });
  });

  test('api sends a body from a file with its exact digits', async () => {
    create(1);
    const file = join(stage.dir, 'body.json');
    writeFileSync(file, '{"quantity": 7.50, "description": "Now in blue"}');
    const { exitCode, stdout } = await api('products.patch', '--param', 'id=1', '--body', file);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, description: 'Now in blue' });
    expect(stage.marketplace.requestLog.calls()[0]?.body).toBe('{"description":"Now in blue","quantity":7.50}');
  });

  test('api reads a body from standard input; an empty answer prints null', async () => {
    create(1);
    stage.marketplace.changeSettings({ archiveAnswer: 'empty' });
    const args = [MAIN, 'api', 'products.patch', '--param', 'id=1', '--body', '-', '--config', stage.configFile];
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end('{"name": "Blue"}');
    const [stdout] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(child.exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Blue' });
    expect(await api('products.archive', '--param', 'id=1')).toEqual({ exitCode: 0, stdout: 'null\n', stderr: '' });
  });

  test('an invalid api request is not sent, and every error is printed', async () => {
    const body = join(stage.dir, 'body.json');
    writeFileSync(body, '{"wholesale_price": {"amount": "abc"}, "external_ids": 1}');
    const cases: [string[], string][] = [
      [
        ['products.list', '--param', 'page=0', '--param', 'page_size=x'],
        'request is invalid:\n  query.page: expected number to be >=1\n  query.page_size: expected number, received string\nTo see what is valid: stockbridge api --describe',
      ],
      [['products.list', '--param', 'page_sze=1'], 'no parameter "page_sze"; did you mean "page_size"\\? "stockbridge'],
      [['products.list', '--param', 'page'], '--param page: expected name=value'],
      [['products.list', '--param', 'page=1', '--param', 'page=2'], '--param page is given twice, and takes one value'],
      [['products.list', '--param', 'page=1', '--all'], '--all prints every page: leave page out'],
      [['orders.get', '--param', 'number=1', '--all'], 'orders.get answers one entity: --all is for lists'],
      [['orders.get'], 'path.number: is missing\n'],
      [['products.patch', '--param', 'id=1'], 'body: [^]*Give the body with --body FILE'],
      [
        ['products.patch', '--param', 'id=1', '--body', body],
        'body.wholesale_price.amount: expected a number, without quotation marks\n  body.wholesale_price.currency: .*\n  body.external_ids: ',
      ],
      [['products.list', '--body', body], 'body: expected none'],
      [
        ['products.patch', '--param', 'id=1', '--body', '/nowhere.json'],
        '/nowhere.json cannot be read: there is no such file',
      ],
      [['products.patch', '--param', 'id=1', '--body', stage.dir], 'it is a folder'],
      [['products.patch', '--param', 'id=1', '--body', stage.configFile], 'is not JSON'],
      [['products.list', '--account', 'mian'], 'there is no account "mian"; did you mean "main"\\?'],
    ];
    for (const [args, message] of cases) {
      const { exitCode, stdout, stderr } = await api(...args);
      expect([args, exitCode, stdout]).toEqual([args, 64, '']);
      expect(stderr).toMatch(new RegExp(message));
    }
    expect(stage.marketplace.requestLog.total()).toBe(0);
  });

  test('api --dry-run prints the request without the secret, and sends nothing', async () => {
    const body = join(stage.dir, 'body.json');
    writeFileSync(body, '{"quantity": 1.50}');
    const { exitCode, stdout } = await api('products.patch', '--param', 'id=1', '--body', body, '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`PATCH ${stage.marketplace.url}/api/v2/products/1/\n`);
    expect(stdout).toContain('authorization: App ***\n');
    expect(stdout).toContain('Service-Version: 2022-10-31\n');
    expect(stdout).toContain('"quantity": 1.50\n');
    const json = await api('products.patch', '--param', 'id=1', '--body', body, '--dry-run', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ method: 'PATCH', body: { quantity: 1.5 } });
    for (const shown of [stdout, json.stdout]) expect(shown).not.toContain(stage.marketplace.key);
    expect(stage.marketplace.requestLog.total()).toBe(0);
  });

  test('api --all prints every row of every page once, one per line', async () => {
    create(7);
    const { exitCode, stdout } = await api(
      'products.list',
      '--all',
      '--param',
      'page_size=3',
      '--param',
      'ordering=id',
    );
    expect(exitCode).toBe(0);
    const rows = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { sku: string });
    expect(rows.map(({ sku }) => sku)).toEqual(['S-0', 'S-1', 'S-2', 'S-3', 'S-4', 'S-5', 'S-6']);
    expect(stdout).toContain('"amount":12.50');
    expect(stage.marketplace.requestLog.counts()).toEqual({ 'products.list': 3 });
  });

  test('api --all ends normally when its reader closes the pipe', async () => {
    create(400);
    const args = [MAIN, 'api', 'products.list', '--all', '--param', 'page_size=1', '--config', stage.configFile];
    const child = spawn(process.execPath, args);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, stderr]).toEqual([0, '']);
    expect(stage.marketplace.requestLog.total()).toBeLessThan(400);
  });

  test('api --all whose reader stalls ends on Ctrl-C', async () => {
    create(2_000);
    const args = [MAIN, 'api', 'products.list', '--all', '--param', 'page_size=50', '--config', stage.configFile];
    const child = spawn(process.execPath, args);
    const [ended, said] = [once(child, 'exit'), text(child.stderr)];
    await once(child.stdout, 'readable');
    // The pipe and the buffer of the program fill up. After that, no more pages are asked for.
    let asked = 0;
    await until('it waits for its reader', async () => {
      const before = asked;
      await sleep(100);
      asked = stage.marketplace.requestLog.total();
      return asked > 0 && asked === before;
    });
    expect(asked).toBeLessThan(40);
    child.kill('SIGINT');
    await ended;
    expect(child.exitCode).toBe(75);
    expect(await said).toContain('stopped by SIGINT before the end');
  });

  test('api repeats a parameter with several values', async () => {
    const { exitCode, stdout } = await api('product-images.list', '--param', 'id=1', '--param', 'id=2', '--dry-run');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('/product-images/?id=1&id=2\n');
    const either = async (...params: string[]) => {
      const given = params.flatMap((param) => ['--param', param]);
      return (await api('products.list', ...given, '--dry-run')).stdout;
    };
    expect(await either('sku=A', 'sku=B')).toContain('/products/?sku=A&sku=B\n');
    expect(await either('sku=A', 'id=1,2')).toContain('/products/?id=1%2C2&sku=A\n');
  });

  test('api sends files as a multipart body', async () => {
    const [photo, second, body] = ['photo.png', 'b.jpg', 'body.json'].map((name) => join(stage.dir, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(photo, Buffer.from([0x89, 0x50, 0x0a]));
    writeFileSync(second, 'jpeg');
    writeFileSync(body, '{"product": 17, "position": 1}');
    const upload = (...args: string[]) => api('product-images.create', '--body', body, ...args, '--dry-run');
    const { exitCode, stdout } = await upload('--file', `image=${photo}`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^content-type: multipart\/form-data; boundary=stockbridge-\w+$/m);
    expect(stdout).toContain('"image": "photo.png (image/png, 3 bytes)"');
    expect(stdout).toContain('"product": 17');
    writeFileSync(body, '{"product_id": 17, "positions": [1, 2]}');
    const several = ['--file', `images=${photo}`, '--file', `images=${second}`];
    const sent = await api('product-images.upload', '--body', body, ...several, '--dry-run', '--json');
    expect(JSON.parse(sent.stdout)).toMatchObject({
      body: { images: ['photo.png (image/png, 3 bytes)', 'b.jpg (image/jpeg, 4 bytes)'], positions: [1, 2] },
    });
    const large = join(stage.dir, 'large.png');
    writeFileSync(large, '');
    truncateSync(large, 40 * 1024 * 1024);
    const cases: [string[], string][] = [
      [['--file', 'image=/nowhere.png'], '/nowhere.png cannot be read: there is no such file'],
      [['--file', `image=${large}`], 'large.png is larger than the 32 MB that are sent at once'],
      [['--file', photo], 'expected field=path, such as image=photo.png'],
      [['--file', `imgae=${photo}`], 'no file "imgae"; did you mean "image"? Its files are image.'],
      [['--file', `image=${photo}`, '--file', `image=${photo}`], '--file image is given twice, and takes one file'],
      [['--file', `image=${photo}`], 'body.product: '],
    ];
    for (const [args, message] of cases) {
      const refused = await upload(...args);
      expect([args, refused.exitCode]).toEqual([args, 64]);
      expect(refused.stderr).toContain(message);
    }
    expect((await api('orders.get', '--file', `image=${photo}`)).stderr).toContain('orders.get takes no files');
    expect(stage.marketplace.requestLog.total()).toBe(0);
  });

  test.each([
    [
      'orders.patch',
      { line_items: [{ product: 1, quantity: '1.00005' }] },
      /line_items\[0\]\.quantity: expected a decimal that is not below zero, with at most 4/,
    ],
    ['orders.patch', { line_items: [{ id: 1, quantity: 2 }] }, /line_items\[0\]\.quantity: expected a text/],
    ['orders.patch', { status: 'Bogus' }, /body\.status: expected one of "Submitted"/],
    ['orders.create', { seller: 1, customer: { id: 1 }, line_items: [] }, /body\.status: is missing/],
    [
      'products.patch',
      { wholesale_price: { amount: '5', currency: 'USD' } },
      /amount: expected a number, without quotation/,
    ],
    ['products.patch', { wholesale_price: { currency: 'USD' } }, /amount: is missing/],
    ['products.patch', { wholesale_price: { amount: 5, currency: 'dollars' } }, /currency: expected a currency code/],
    ['products.patch', { quantity: '5' }, /body\.quantity: expected a number, without quotation/],
    ['inventory.putaway', { quantity: '-1' }, /body\.quantity: expected a quantity that is not below zero/],
  ])('api %s with %j is refused before it is sent', async (id, body, told) => {
    const file = join(stage.dir, 'body.json');
    writeFileSync(file, JSON.stringify(body));
    const params = ['orders.patch', 'products.patch'].includes(id)
      ? [id.startsWith('orders') ? `number=${UUID}` : 'id=1']
      : [];
    const { exitCode, stderr } = await api(id, ...params.flatMap((param) => ['--param', param]), '--body', file);
    expect(exitCode).toBe(64);
    expect(stderr).toMatch(told);
  });

  test.each([
    ['inventory.order-reservations', `order_id=${UUID}`, 'company_id=1'],
    ['customers.list', 'id__in=1,2'],
    ['customers.list', 'tier=1', 'tier=2'],
    ['product-images.list', 'id=1,2'],
    ['product-lines.list', 'id=1,2'],
    ['transport-orders.list', 'status=shipped,planned'],
    ['activity-entries.list', 'type=note', 'type=call'],
    ['activity-entries.list', 'entry__in=a', 'entry__in=b'],
  ])('api %s with %s is accepted, since the documents leave it open', async (id, ...params) => {
    const { exitCode, stderr } = await api(id, ...params.flatMap((param) => ['--param', param]), '--dry-run');
    expect([exitCode, stderr]).toEqual([0, '']);
  });

  test('api prints an override, and an invalid configuration does not block the list', async () => {
    const yaml = readFileSync(stage.configFile, 'utf8');
    const operations = '      operations: { products.archive: { method: POST, path: "/products/{id}/archive/" } }\n';
    writeFileSync(stage.configFile, yaml.replace('      limits:', `${operations}      limits:`));
    const listed = await api('--list', 'products');
    expect(listed.stdout).toMatch(/^ {2}products\.archive +overridden +POST \/products\/\{id\}\/archive\/$/m);
    expect((await api('--describe', 'products.archive')).stdout).toContain('overridden in the configuration');
    writeFileSync(stage.configFile, 'nonsense');
    const without = await api('--list', 'products');
    expect([without.exitCode, without.stderr]).toEqual([0, expect.stringContaining('has errors')]);
    expect(without.stdout).toMatch(/^ {2}products\.archive +documented +DELETE/m);
  });

  test('api writes nothing in mode dry-run', async () => {
    const yaml = readFileSync(stage.configFile, 'utf8');
    writeFileSync(stage.configFile, yaml.replace('mode: live', 'mode: dry-run'));
    const { exitCode, stderr } = await api('products.archive', '--param', 'id=1');
    expect(exitCode).toBe(64);
    expect(stderr).toContain('mode: dry-run: it was not sent');
    expect((await api('products.list')).exitCode).toBe(0);
    expect(stage.marketplace.requestLog.counts()).toEqual({ 'products.list': 1 });
  });

  test('with several accounts, api requires the name of one', async () => {
    const yaml = readFileSync(stage.configFile, 'utf8');
    const second = yaml.slice(yaml.indexOf('  main:')).replace('main:', 'second:').replace('4711', '4712');
    writeFileSync(stage.configFile, yaml + second);
    const { exitCode, stderr } = await api('products.list');
    expect(exitCode).toBe(64);
    expect(stderr).toContain('name the account with --account: main, second');
    expect((await api('products.list', '--account', 'second')).exitCode).toBe(0);
  });

  test.each([
    [403, 77],
    [401, 77],
    [404, 1],
    [400, 1],
    [503, 69],
    [429, 75],
  ])('an answer of %d ends api with %d', async (status, exit) => {
    stage.marketplace.faults.set({ kind: 'status-before', operation: 'orders.get', status });
    const { exitCode, stdout, stderr } = await api('orders.get', '--param', 'number=x');
    expect([exitCode, stdout]).toEqual([exit, '']);
    expect(stderr).toContain(`${status}: `);
    expect(stderr).not.toContain(stage.marketplace.key);
  });
});
