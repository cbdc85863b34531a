import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compileRule, evaluateRule } from '../../../src/expressions/rule.ts';
import { run } from '../../cli/capture.ts';
import { topicPage } from '../../support/guide.ts';
import { openStage } from '../../support/stage.ts';
import { draft, ENV, fixture, folder, sectionIn, settled } from './drafted.ts';

test('the draft of an OpenAPI document connects its ERP once the open lines are filled in', async () => {
  const stage = await openStage();
  stage.erp.control.seed(4);
  const { stdout, stderr, exitCode } = await draft(fixture('contract.openapi.yaml'));
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^\d+ lines with "decide:" wait for you\. Nothing was written to the ERP\.$/m);
  expect(stderr).toMatch(/erp try products --limit 2\n.*erp check\n$/);
  const file = settled(stdout, [['https://erp.example # decide: the address of the ERP', stage.erp.url]]);
  const env = { ...ENV, ERP_TOKEN: 'an-erp-token-for-tests' };
  const tried = await run(['erp', 'try', 'products', '--config', file], env);
  expect(tried).toMatchObject({ exitCode: 0, stderr: '' });
  expect(tried.stdout).toMatch(/^made of it: 4 rows, as of \S+, complete$/m);
  for (const list of ['stock', 'orders', 'customers'])
    expect(await run(['erp', 'try', list, '--config', file], env)).toMatchObject({ exitCode: 0 });
  const proven = await run(['erp', 'check', '--config', file], env);
  expect(proven.stdout).not.toContain('FAIL');
  expect(proven.exitCode).toBe(0);
  expect(stage.erp.control.requests().filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('a document with unknown names is read by its names and examples', async () => {
  const { stdout, exitCode } = await draft(fixture('kontor.openapi.json'));
  expect(exitCode).toBe(0);
  const { lists, auth, url } = sectionIn(stdout);
  expect([url, auth]).toEqual([
    'https://erp.example/api',
    { scheme: 'header', header: 'X-Api-Key', key: '${env:ERP_KEY}' },
  ]);
  expect(lists['products']).toMatchObject({
    request: { path: '/Artikel', query: { seite: '{{ $page }}', pageSize: '{{ $size }}', mandant: '' } },
    items: 'data.zeilen',
    paging: { by: 'page', size: 200, total: 'data.total' },
    row: {
      id: 'uid',
      sku: 'ArtikelNr',
      name: 'Bezeichnung',
      active: '$string(Gesperrt) = "N"',
      price: { amount: '`VK-Preis`', currency: '"USD"' },
      changed_at: '$instant(letzteAenderung, $settings.zone, "dd.MM.yyyy HH:mm:ss")',
    },
  });
  expect(lists['stock']).toMatchObject({
    request: { path: '/Artikel' },
    row: { sku: 'ArtikelNr', product_id: 'uid', on_hand: 'Bestand' },
  });
  expect(lists['orders']).toMatchObject({
    request: { path: '/Auftraege' },
    paging: { by: 'none' },
    row: {
      reference: 'externeReferenz ? externeReferenz : $string(uid)',
      origin: 'externeReferenz ? "marketplace" : "erp"',
      lines: '[Positionen.{"sku": ArtikelNr, "quantity": Menge, "unit_price": Einzelpreis}]',
      total: 'Summe',
    },
  });
  expect(stdout).toContain('mandant: "" # decide: the call needs this parameter');
  expect(stdout).toMatch(/sku: ArtikelNr # name matches sku; text; e\.g\. A-100$/m);
  expect(stdout).toMatch(/^ +# POST \/Auftraege takes uid\*, externeReferenz, /m);
  expect(await checked(stdout)).toMatchObject({ exitCode: 0 });
});

/** `config check` of a draft. */
async function checked(text: string) {
  return run(['config', 'check', '--config', settled(text, [])], ENV);
}

const ANSWERS = {
  'products.json': JSON.stringify({
    status: 'ok',
    payload: {
      result: {
        entries: [
          {
            article: { number: 'A-1', title: 'Tea' },
            pricing: { net: { price: 2.5, currency: 'CHF' } },
            updated: '2030-01-31 08:30:00',
            archived: false,
          },
          {
            article: { number: 'A-2', title: 'Coffee' },
            pricing: { net: { price: 12.5, currency: 'CHF' } },
            updated: '2030-01-31 08:31:00',
            archived: true,
          },
        ],
      },
    },
  }),
  'inventory.json': JSON.stringify({
    rows: { 17: { sku: 'A-1', qty_available: 5 }, 18: { sku: 'A-2', qty_available: 0 } },
  }),
  'orders.json': JSON.stringify([
    { id: 7, ref: null, state: 'NEW', items: [{ sku: 'A-1', qty: 2, price: 2.5 }], updated: '2030-01-31 08:30:00' },
    { id: 8, ref: '1001', state: 'GONE', items: [{ sku: 'A-1', qty: 2, price: 2.5 }], updated: '2030-01-31 08:30:00' },
  ]),
};

test('a folder of sample answers is drafted as an interface, with rows inside envelopes', async () => {
  const { stdout, exitCode } = await draft(folder(ANSWERS));
  expect(exitCode).toBe(0);
  const { lists } = sectionIn(stdout);
  expect(lists['products']).toMatchObject({
    request: { path: '/products' },
    items: 'payload.result.entries',
    row: {
      sku: 'article.number',
      name: 'article.title',
      active: '$not(archived)',
      price: { amount: 'pricing.net.price', currency: 'pricing.net.currency' },
      changed_at: '$instant(updated, $settings.zone)',
    },
  });
  expect(lists['stock']).toMatchObject({ items: 'rows.*', row: { sku: 'sku', available: 'qty_available' } });
  expect(lists['orders']).toMatchObject({
    row: { status: '$lookup({"NEW":"draft","GONE":"shipped"}, $string(state))', reference: 'ref ? ref : $string(id)' },
  });
  expect(stdout).toContain('currency: CHF # decide: the currency of all prices');
  expect(stdout).toMatch(/sku: article\.number # name .*; unique in 2 rows; e\.g\. A-1$/m);
  expect(await checked(stdout)).toMatchObject({ exitCode: 0 });
});

test.each([
  [{ type: 'string', format: 'date-time' }, 'deleted_at ? true : false', false],
  [{ type: 'boolean' }, 'deleted_at', false],
  [{ type: 'integer' }, 'deleted_at ? $string(deleted_at) != "0" : false', true],
  [{ type: 'string' }, 'deleted_at ? true : false', true],
])('a product with a deletion time is not for sale: %j', async (type, rule, waits) => {
  const properties = { sku: { type: 'string' }, name: { type: 'string' }, deleted_at: type };
  const schema = { type: 'array', items: { type: 'object', properties } };
  const get = { responses: { 200: { content: { 'application/json': { schema } } } } };
  const dir = folder({ 'a.json': JSON.stringify({ openapi: '3.0.0', paths: { '/products': { get } } }) });
  const { stdout } = await draft(join(dir, 'a.json'));
  expect(sectionIn(stdout).lists['products']).toMatchObject({ row: { deleted: rule } });
  expect(/^ +deleted: .*# decide: /m.test(stdout)).toBe(waits);
  expect(await checked(stdout)).toMatchObject({ exitCode: 0 });
});

// A text that says no is as true as any other.
test.each([
  [['nein', 'ja'], '$string(deleted) = "ja"', [false, true]],
  [['N', 'N'], '$exists(deleted) and $string(deleted) != "N"', [false, false]],
])('the values %j of a sample say which rows are deleted', async (values, rule, deleted) => {
  const rows = values.map((value, at) => ({ sku: `A-${at}`, name: 'Tea', deleted: value }));
  const { stdout } = await draft(folder({ 'products.json': JSON.stringify(rows) }));
  expect(sectionIn(stdout).lists['products']).toMatchObject({ row: { deleted: rule } });
  expect(stdout).not.toMatch(/^ +deleted: .*# decide: /m);
  const told = compileRule(rule);
  const saidOf = (row: object) => evaluateRule(told, row, 'deleted');
  expect(await Promise.all([...rows, { sku: 'A-9' }].map(saidOf))).toEqual([...deleted, false]);
});

test('a deletion time without an example has to be decided', async () => {
  const rows = [{ sku: 'A-1', name: 'Tea', deleted_at: null }];
  const { stdout } = await draft(folder({ 'products.json': JSON.stringify(rows) }));
  expect(stdout).toMatch(/deleted: "?deleted_at \? true : false"? # decide: which values of deleted_at mean/);
});

test('the draft of an answer reads the answers of the same ERP', async () => {
  const server = createServer((request, response) => {
    const name = `${(request.url ?? '').slice(1).split('?')[0]}.json`;
    response.setHeader('content-type', 'application/json').end((ANSWERS as Record<string, string>)[name]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const at = server.address();
  const url = `http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`;
  const { stdout } = await draft(folder(ANSWERS));
  const file = settled(stdout, [['https://erp.example # decide: the address of the ERP', url]]);
  for (const [list, rows] of [
    ['products', 2],
    ['stock', 2],
    ['orders', 2],
  ] as const) {
    const tried = await run(['erp', 'try', list, '--config', file, '--json'], ENV);
    const shown = JSON.parse(tried.stdout) as { rows: unknown[]; invalidRows: unknown[]; failure: unknown };
    expect({ list, ...shown, rows: shown.rows.length, exchanges: [] }).toMatchObject({
      failure: null,
      invalidRows: [],
      rows,
    });
  }
});

test('an address that serves the document is requested once, and its credentials stay out of the draft', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers.authorization);
    response.end(readFileSync(fixture('contract.openapi.yaml')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const at = server.address();
  const host = `127.0.0.1:${typeof at === 'object' ? at?.port : 0}`;
  const { stdout, stderr, exitCode } = await draft(`http://me:hunter2secret@${host}/docs/openapi.yaml?key=topsecret`);
  expect(exitCode).toBe(0);
  expect(asked).toEqual([`Basic ${Buffer.from('me:hunter2secret').toString('base64')}`]);
  expect(stdout).toContain(`url: http://${host} # as the document says`);
  expect(stdout + stderr).not.toMatch(/hunter2secret|topsecret/);
});

test('a draft is written to a new file that others cannot read, and never over another one', async () => {
  const file = join(folder(), 'erp.yaml');
  const { stdout, stderr, exitCode } = await draft(fixture('contract.openapi.yaml'), '--to', file);
  expect([stdout, exitCode]).toEqual(['', 0]);
  expect(stderr).toContain(`stockbridge --config ${file} erp check`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const before = readFileSync(file, 'utf8');
  expect(await draft(fixture('kontor.openapi.json'), '--to', file)).toMatchObject({ exitCode: 64 });
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('the page on connecting has the draft and the messages that are tested', async () => {
  const file = join(folder(), 'erp.yaml');
  const { stderr } = await draft(fixture('kontor.openapi.json'), '--to', file);
  const { blocks } = topicPage('connect');
  expect(blocks.map(({ text }) => text)).toContain(stderr.replaceAll(file, 'erp.yaml'));
  const shown = blocks.find(({ kind, text }) => kind === 'text' && text.includes('VK-Preis'))?.text ?? '';
  const written = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim());
  const lines = shown
    .trim()
    .split('\n')
    .map((line) => line.trim());
  expect(lines.filter((line) => line !== '...' && !written.includes(line))).toEqual([]);
});
