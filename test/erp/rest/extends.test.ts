import { describe, expect, it, onTestFinished } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { ConfigError } from '../../../src/config/problem.ts';
import { openErp } from '../../../src/core/sides.ts';
import { credentialOf } from '../../../src/http/credential.ts';
import { folderOf } from '../../config/folder.ts';
import { answering, json } from '../contract/answering-server.ts';

const HEAD = 'about: a test\nnot: the rest\nrights: none\nproven: in a test\ntry: it\n';
/** Its rows begin in line 13. */
const PRESET = `${HEAD}auth: { scheme: header, header: X-Key, prefix: "key " }
settings: { currency: USD, unit: each }
lists:
  products:
    request: { path: /items, query: { page: "{{ $page }}" } }
    paging: { by: page, size: 2, more: more }
    items: items
    row:
      id: $string(id)
      sku: code
      active: true
      deleted: false
      price: { amount: '$rounded(price, 2)', currency: $settings.currency }
      unit_multiplier: 1
      changed_at: '"2029-01-01T00:00:00Z"'
`;

const configured = (erp: string, url = 'https://erp.example'): string => `accounts:
  main:
    marketplace: { base_url: https://marketplace.example, auth: { scheme: app, key: k }, seller_id: 4711 }
    inventory: { strategy: b }
    erp:
      type: rest
      url: ${url}
      ${erp.replaceAll('\n', '\n      ')}
`;

function load(files: Record<string, string>) {
  const path = folderOf(files);
  return loadConfig(path('c.yaml'), {});
}

/** Each problem as a person sees it, with the files alone. */
function problemsOf(files: Record<string, string>): string[] {
  const path = folderOf(files);
  try {
    loadConfig(path('c.yaml'), {});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message
      .replaceAll(`${path('')}/`, '')
      .replaceAll('accounts.main.', '')
      .split('\n');
  }
}

function sectionOf(files: Record<string, string>): Record<string, unknown> {
  return load(files).config.accounts[0]?.erp.section as unknown as Record<string, unknown>;
}

const OWN = 'extends: ./mine.yaml\nauth: { scheme: header, header: X-Key, key: s }';

it('extends takes a shipped description by its name, and says how far it is proven', () => {
  const { config, extended } = load({
    'c.yaml': configured('extends: contract\nauth: { scheme: bearer, token: t }'),
  });
  expect(extended).toEqual([{ account: 'main', preset: 'contract', proven: expect.stringContaining('sandbox') }]);
  expect(config.accounts[0]?.erp.section).toMatchObject({ lists: { products: { items: 'items' } } });
});

it('extends takes a file, and the configuration takes precedence, down to one field', () => {
  const own = `${OWN}\nsettings: { currency: EUR }\nlists: { products: { row: { sku: number } } }`;
  expect(sectionOf({ 'c.yaml': configured(own), 'mine.yaml': PRESET })).toMatchObject({
    auth: { prefix: 'key ', key: 's' },
    settings: { currency: 'EUR', unit: 'each' },
    lists: { products: { items: 'items', row: { id: '$string(id)', sku: 'number' } } },
  });
});

it('extends takes no part of a section of another kind: another authentication, another paging', () => {
  const own =
    'extends: ./mine.yaml\nauth: { scheme: bearer, token: t }\nlists: { products: { paging: { by: offset } } }';
  const section = sectionOf({ 'c.yaml': configured(own), 'mine.yaml': PRESET });
  expect(section['auth']).toEqual({ scheme: 'bearer', token: 't' });
  expect(section).toMatchObject({ lists: { products: { paging: { by: 'offset', size: 100 } } } });
});

it('extends is not followed further: a description extends nothing', () => {
  const chain = { 'c.yaml': configured(OWN), 'mine.yaml': `${PRESET}extends: contract\n` };
  expect(problemsOf(chain)).toEqual([expect.stringMatching(/^mine\.yaml:21:1: extends: unknown key/)]);
});

it('extends of a missing preset is an error at its place that names the shipped presets', () => {
  expect(problemsOf({ 'c.yaml': configured('extends: contrakt') })[0]).toMatch(
    /^c\.yaml:8:16: erp\.extends: no such preset is shipped; did you mean "contract"\?/,
  );
  expect(problemsOf({ 'c.yaml': configured('extends: ./no.yaml') })[0]).toMatch(
    /^c\.yaml:8:16: erp\.extends: the file \.\/no\.yaml does not exist/,
  );
});

it('errors of an extended file are reported at their lines, also in an expression, and all at once', () => {
  const wrong = PRESET.replace('sku: code', 'sku: $lokup(code)').replace('items: items', 'itms: items');
  expect(problemsOf({ 'c.yaml': configured(OWN), 'mine.yaml': wrong })).toEqual([
    'mine.yaml:12:5: lists.products.itms: unknown key; did you mean "items"?',
    expect.stringMatching(/^mine\.yaml:15:12: lists\.products\.row\.sku: is no JSONata expression: .*\$lokup/),
  ]);
});

it('extends requires the settings that the description needs', () => {
  const needing = `${PRESET}needs: { company: the id of the company }\n`;
  expect(problemsOf({ 'c.yaml': configured(OWN), 'mine.yaml': needing })).toEqual([
    expect.stringMatching(/^c\.yaml:\d+:\d+: erp\.settings\.company: is missing: the id of the company$/),
  ]);
});

describe('a list that is read beside rows', () => {
  const withLines = (beside: string, row = '$lines', find = '{ request: { path: /one } }') =>
    problemsOf({
      'c.yaml': configured(`lists:
  orders:
    request: { path: /orders }
    with: { ${beside} }
    row: { id: id, lines: ${row} }
  products: { request: { path: /items }, row: { id: id, name: $name } }
finds: { order-by-id: ${find} }`),
    }).map((one) => one.replace(/^c\.yaml:(\d+):\d+: erp\./, '$1 '));

  it('a further list of rows is available to its own mapping, and to no other', () => {
    const lines = 'lines: { request: { path: /lines }, of: order, is: id }';
    expect(withLines(lines)).toEqual([expect.stringMatching(/^13 lists\.products\.row\.name: .*\$name/)]);
    expect(withLines(lines.replace('lines:', 'name:'), '$name')).toHaveLength(1);
    const find = '{ request: { path: /one }, with: { heads: { request: { path: /h } } } }';
    expect(withLines(lines, '$lines', find)).toEqual([
      expect.stringMatching(/^13 lists\.products/),
      expect.stringMatching(/^14 finds\.order-by-id: its row\.lines of the list is no JSONata expression: .*\$lines/),
    ]);
  });

  it.each([
    ['row: { request: { path: /lines } }', '"x"', /^11 lists\.orders\.with\.row: \$row stands for something else/],
    ['lines: { request: { path: /l }, of: order }', '$lines', /^11 lists\.orders\.with\.lines\.is: is missing/],
    ['lines: { request: { path: /l }, is: id }', '$lines', /^11 lists\.orders\.with\.lines\.of: is missing/],
    ['lines: { per: row, request: { path: /l }, of: o, is: id }', '$lines', /^11 .*\.lines\.of: is never asked/],
  ])('a further list is refused when it cannot belong to any row: %s', (beside, row, problem) => {
    expect(withLines(beside, row)[0]).toMatch(problem);
  });
});

describe('an expression that fails over an answer', () => {
  async function opened(preset: string, rest: string) {
    const server = await answering((request, response) => {
      const rows = [
        { id: 1, code: 'A', price: '1.00' },
        { id: 2, code: 'B', price: 'call us' },
      ];
      json(response, 200, request.method === 'GET' ? { items: rows, more: false } : {});
    });
    const path = folderOf({ 'c.yaml': configured(`${OWN}\n${rest}`, server.url), 'mine.yaml': preset });
    const { config } = loadConfig(path('c.yaml'), {});
    const [account] = config.accounts;
    if (account === undefined) throw new Error('no account');
    const erp = await openErp(account, { erp: () => credentialOf('s') });
    onTestFinished(async () => {
      await erp.close();
      await server[Symbol.asyncDispose]();
    });
    return { erp, text: (error: unknown) => String(error).replaceAll(`${path('')}/`, '') };
  }

  it('an expression that fails over an answer names file, line, expression and row, in the description or the configuration', async () => {
    const { erp } = await opened(PRESET, '');
    const [page] = await Array.fromAsync(erp.listProducts(null));
    expect(page?.items.map(({ sku }) => sku)).toEqual(['A']);
    expect(page?.invalidRows).toMatchObject([{ what: '2', sku: 'B', path: 'price.amount' }]);
    expect(page?.invalidRows[0]?.message).toMatch(
      /^\.\/mine\.yaml:18:24 lists\.products\.row\.price\.amount: \$rounded\(price, 2\) fails: .*"call us" is no decimal/,
    );
    const own = await opened(PRESET, 'lists: { products: { row: { name: $number(code) } } }');
    const [first] = (await Array.fromAsync(own.erp.listProducts(null)))[0]?.invalidRows ?? [];
    expect(own.text(first?.message)).toMatch(/^c\.yaml:10:\d+ lists\.products\.row\.name: \$number\(code\) fails: /);
  });

  it('an expression that fails outside the rows names file, line and expression', async () => {
    const { erp, text } = await opened(PRESET.replace('more: more', 'more: $number("x")'), '');
    const failure = await Array.fromAsync(erp.listProducts(null)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'invalid-answer', path: 'lists.products.paging.more' });
    expect(text(failure)).toContain('./mine.yaml:11:40 lists.products.paging.more: $number("x") fails');
  });

  it('an expression that fails in a request names file, line and expression, and no call is made', async () => {
    const rest = 'finds: { order-by-id: { request: { path: "/orders/{{ $number($id) }}" } } }';
    const { erp, text } = await opened(PRESET, rest);
    const failure = await erp.getOrder('seven').catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: 'refused', outcome: 'not-applied' });
    expect(text(failure)).toMatch(/c\.yaml:10:\d+ finds\.order-by-id\.request: \{\{ \$number\(\$id\) \}\} fails: /);
  });
});

describe('a description of your own', () => {
  const bare = PRESET.slice(HEAD.length);

  it('a description needs no head', () => {
    const { extended } = load({ 'c.yaml': configured(OWN), 'mine.yaml': bare });
    expect(extended).toEqual([{ account: 'main', preset: './mine.yaml', proven: null }]);
  });

  it('a description names its steps freely, and its further lists by names that expressions can contain', () => {
    const steps = 'writes: { order-create: { steps: [{ name: look for a draft, request: { path: /orders } }] } }';
    expect(problemsOf({ 'c.yaml': configured(OWN), 'mine.yaml': `${bare}${steps}\n` })).toEqual([]);
    const beside = bare.replace(
      '    items: items',
      '    items: items\n    with: { Price-List: { request: { path: /p } } }',
    );
    expect(problemsOf({ 'c.yaml': configured(OWN), 'mine.yaml': beside }).join()).toContain(
      'expected a name for $NAME',
    );
  });

  it('a description takes the keys of an anchor by a merge key, and an error among them is reported at its place', () => {
    const merging = bare.replace(
      'request: { path: /items, query: { page: "{{ $page }}" } }',
      'request: &all { path: /items, query: { page: "{{ $page }}" } }',
    );
    const stock = `  stock:
    request: { <<: *all, path: /stock }
    row: { sku: code, product_id: code, on_hand: n, reserved: 0, available: n, as_of: $as_of }
`;
    const files = (more: string) => ({
      'c.yaml': configured(OWN),
      'mine.yaml': `${merging}${more}`,
    });
    const { lists } = sectionOf(files(stock)) as { lists: { stock: { request: object } } };
    expect(lists.stock.request).toMatchObject({ path: '/stock', query: { page: '{{ $page }}' } });
    const wrong = files(stock.replace('as_of: $as_of', 'as_of: "((("'));
    expect(problemsOf(wrong).join()).toContain('mine.yaml:');
    const misplaced = merging.replace('query: { page: "{{ $page }}" }', 'query: { page: "{{ $nobody }}" }');
    expect(
      problemsOf({ 'c.yaml': configured(OWN), 'mine.yaml': `${misplaced}${stock}` }).filter((one) =>
        one.includes('mine.yaml:5:'),
      ),
    ).toHaveLength(2);
  });
});
