import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { initText } from '../../src/use/init.ts';
import { draft, fixture } from '../erp/draft/drafted.ts';
import { PASSWORD, sectionOf, startForeign } from '../erp/sql/foreign.ts';
import { needing } from '../support/needing.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { run } from './capture.ts';

let stage: Stage;
let dir: string;
let file: string;
let description: string;
let env: Record<string, string>;

beforeEach(async () => {
  stage = await openStage();
  dir = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  file = join(dir, 'stockbridge.yaml');
  description = join(dir, 'erp.yaml');
  env = { MARKETPLACE_KEY: stage.marketplace.key, ERP_PASSWORD: PASSWORD };
});

const COMMON = () => ['--url', stage.marketplace.url, '--key', 'env:MARKETPLACE_KEY', '--seller', '4711'];
const init = (...args: string[]) =>
  run(['init', '--config', file, '--data', join(dir, 'data'), ...COMMON(), '--strategy', 'b', ...args], env);

needing('postgres').test(
  'init of a database tries every query of the description, and writes the answers and the description to the file',
  async () => {
    const database = await startForeign('postgres', 2);
    onTestFinished(() => database.stop());
    const { url, user: _, password: __, zone: ___, ...described } = sectionOf('postgres', database.port);
    const own = ['--erp', 'sql', '--erp-url', url, '--erp-secret', 'env:ERP_PASSWORD', '--currency', 'EUR'];
    const all = [...own, '--set', 'user=bridge', '--set', 'zone=Europe/Berlin', '--description', description];

    const { products, ...lists } = described.lists;
    const query = products?.query.replace('artnr as sku', 'sku') ?? '';
    writeFileSync(
      description,
      stringify({ erp: { ...described, lists: { ...lists, products: { ...products, query } } } }),
    );
    const wrong = await init(...all);
    expect([wrong.exitCode === 0, existsSync(file)]).toEqual([false, false]);
    expect(wrong.stdout).toMatch(/ERP products[^]*sku/);

    writeFileSync(description, stringify({ erp: described }));
    env['ERP_PASSWORD'] = 'another';
    const refused = await init(...all);
    expect([refused.exitCode, existsSync(file)]).toEqual([77, false]);

    env['ERP_PASSWORD'] = PASSWORD;
    const { exitCode, stdout, stderr } = await init(...all);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Next: "stockbridge plan"')]);
    expect(stdout).toMatch(/ERP products[^]*2 rows[^]*is written\.[^]*main: \d+ writes?/);
    const written = readFileSync(file, 'utf8');
    expect(written).toContain('password: ${env:ERP_PASSWORD}');
    expect(written + stdout + stderr).not.toContain(PASSWORD);
    expect(loadConfig(file, env).config.accounts[0]).toMatchObject({ currency: 'EUR' });
  },
);

describe('files', () => {
  const rows = { sku: 'Artikel', name: 'Bezeichnung', price: { amount: 'Preis', currency: '"USD"' } };
  const section = {
    stable_for: '10ms',
    lists: {
      products: { files: 'products-*.csv', row: rows },
      stock: { files: 'stock-*.csv', row: { sku: 'Artikel', on_hand: 'Bestand' } },
    },
    acknowledgements: { files: 'acks-*.csv', row: { reference: 'Referenz', status: 'Status' } },
    capabilities: {},
  };
  let folder: string;
  const all = () => [
    '--erp',
    'files',
    '--erp-url',
    folder,
    '--set',
    'zone=Europe/Berlin',
    '--description',
    description,
  ];

  beforeEach(() => {
    folder = join(dir, 'exchange');
    mkdirSync(folder);
    writeFileSync(join(folder, 'products-1.csv'), 'Artikel;Bezeichnung;Preis\nA-1;Tea;2.80\n');
    writeFileSync(join(folder, 'stock-1.csv'), 'Artikel;Bestand\nA-1;40\n');
  });

  test('init with exported files reads every file, writes the configuration, and plans the product', async () => {
    vi.stubEnv('TMPDIR', dir);
    onTestFinished(() => void vi.unstubAllEnvs());
    writeFileSync(description, stringify(section));
    const { exitCode, stdout, stderr } = await init(...all());
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Next: "stockbridge plan"')]);
    expect(stdout).toMatch(/ERP products[^]*1 row[^]*is written\.[^]*main: \d+ writes?/);
    expect(loadConfig(file, env).config.accounts).toHaveLength(1);
    expect(readdirSync(dir).filter((name) => name.startsWith('stockbridge-init'))).toEqual([]);
  });

  test('at a terminal, init asks again for a description that reads nothing, and reads the same files with the next', async () => {
    const wrong = join(dir, 'wrong.yaml');
    writeFileSync(wrong, stringify({ ...section, lists: { ...section.lists, prices: {} } }));
    writeFileSync(description, stringify(section));
    const answers = ['files', folder, 'UTC', join(dir, 'nowhere.yaml'), 'files', folder, 'UTC', wrong];
    answers.push('files', folder, 'Europe/Berlin', description, '', '', '', '');
    const args = ['init', '--config', file, '--data', join(dir, 'data'), ...COMMON(), '--flows', ''];
    const { exitCode, stdout, stderr } = await run(args, env, {
      ask: async (question) => {
        const next = answers.shift();
        if (next === undefined) throw new Error(`nothing is left to answer: ${question}`);
        return next;
      },
    });
    expect(stderr).toMatch(/nowhere\.yaml describes no ERP[^]*prices/);
    expect([exitCode, answers]).toEqual([0, []]);
    expect(stdout).toMatch(/ERP products[^]*1 row/);
  });

  test.each<[string, () => string[], string]>([
    ['no description is named', () => all().slice(0, -2), 'give --description'],
    ['the description is a list', () => all(), 'expected the section erp'],
  ])('init writes nothing when %s', async (_, args, told) => {
    writeFileSync(description, '- products\n');
    const { exitCode, stderr } = await init(...args());
    expect([exitCode, existsSync(file)]).toEqual([64, false]);
    expect(stderr).toContain(told);
  });
});

describe('a whole draft', () => {
  const ERP = () => ({ ...env, ERP_TOKEN: 'an-erp-token-for-tests' });
  const rewrite = (waiting: string, settled: string) =>
    writeFileSync(description, readFileSync(description, 'utf8').replace(waiting, settled));

  beforeEach(async () => {
    stage.erp.control.seed(2);
    await draft(fixture('contract.openapi.yaml'), '--to', description);
    rewrite('https://erp.example # decide: ', `${stage.erp.url} # `);
  });

  test('init takes a complete draft with its comments and other sections, and says what still waits in it', async () => {
    env = ERP();
    const { exitCode, stdout, stderr } = await init('--description', description);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('2 lines with "decide:" in ')]);
    expect(stdout).toMatch(/ERP products[^]*2 rows[^]*is written\.[^]*main: \d+ writes?/);
    const written = readFileSync(file, 'utf8');
    expect(written).toContain('token: ${env:ERP_TOKEN}');
    expect(written).toMatch(/sku: sku # name matches sku; text; e\.g\. SB-0001$/m);
    expect(written).toContain('on_unmapped_customer: pass');
    expect(loadConfig(file, env).config.accounts[0]).toMatchObject({
      currency: 'USD',
      inventory: { strategy: 'submitted-available' },
      marketplace: { baseUrl: stage.marketplace.url },
    });
  });

  test('a draft answers every question of init that it has settled', async () => {
    rewrite('https://marketplace.example # decide: ', `${stage.marketplace.url} # `);
    rewrite('seller_id: 1 # decide: ', 'seller_id: 4711 # ');
    rewrite('currency: USD # decide: ', 'currency: CAD # ');
    rewrite('strategy: submitted-available # decide: ', 'strategy: submitted-quantity # ');
    const asked: string[] = [];
    const args = ['init', '--config', file, '--data', join(dir, 'data'), '--description', description];
    const { exitCode } = await run(args, ERP(), {
      ask: async (question) => {
        asked.push(question);
        return '';
      },
    });
    expect(exitCode).toBe(0);
    expect(asked).toEqual(
      [/^From when/, /^Products, stock/, /^Who is the first/].map((asks): unknown => expect.stringMatching(asks)),
    );
    expect(loadConfig(file, ERP()).config.accounts[0]).toMatchObject({
      currency: 'CAD',
      inventory: { strategy: 'submitted-quantity' },
      marketplace: { sellerId: 4711 },
    });
  });

  test('init takes the name of a draft as an answer, and keeps its other sections', async () => {
    const answers = ['rest', stage.erp.url, description];
    const args = ['init', '--config', file, '--data', join(dir, 'data'), ...COMMON(), '--strategy', 'b', '--currency'];
    const { exitCode } = await run([...args, 'USD', '--orders-from', 'now', '--flows', '', '--user', 'ann'], ERP(), {
      ask: async () => answers.shift() ?? 'nothing is left to answer',
    });
    expect([exitCode, answers]).toEqual([0, []]);
    expect(readFileSync(file, 'utf8')).toContain('on_unmapped_customer: pass');
  });

  test('init reads a draft again after a person has corrected it', async () => {
    rewrite('path: /v1/products', 'path: /v1/nothing');
    const answers = [
      () => {
        rewrite('path: /v1/nothing', 'path: /v1/products');
        return '';
      },
    ];
    const args = ['init', '--config', file, '--data', join(dir, 'data'), ...COMMON(), '--strategy', 'b', '--currency'];
    const more = ['USD', '--orders-from', 'now', '--flows', '', '--user', 'ann', '--description', description];
    const { exitCode } = await run([...args, ...more], ERP(), {
      ask: async (question) => {
        expect(question).toContain('Which file describes the ERP?');
        return answers.shift()?.() ?? 'nothing is left to answer';
      },
    });
    expect([exitCode, answers]).toEqual([0, []]);
  });

  test.each<[string, string[], (text: string) => string, string]>([
    ['an answer stands in it already', ['--erp-url', 'http://127.0.0.1:9'], (text) => text, 'answers --erp-url'],
    ['it has two accounts', [], (text) => `${text}  other: {}\n`, 'several accounts: main, other'],
    ['its account has no ERP', [], (text) => text.replace('    erp:\n', '    other:\n'), 'with the section erp'],
    ['it is no YAML', [], () => 'accounts: [', 'describes no ERP'],
  ])('init refuses a draft when %s', async (_, args, change, told) => {
    writeFileSync(description, change(readFileSync(description, 'utf8')));
    const { exitCode, stderr } = await init('--description', description, ...args);
    expect([exitCode, existsSync(file)]).toEqual([64, false]);
    expect(stderr).toContain(told);
  });
});

const SFTP = 'SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

test.each(['file:/keys/sftp', 'env:SFTP_PASSWORD'])('init can use the file of an SFTP server, with %s', (erpSecret) => {
  const marketplace = { url: 'https://m.example', key: 'env:KEY', seller: '1' };
  const rest = {
    data: 'data',
    user: 'operator',
    strategy: 'submitted-available',
    currency: 'USD',
    ordersFrom: null,
    flows: [],
  } as const;
  const lists = { products: { files: 'p.csv', row: {} }, stock: { files: 's.csv', row: {} } };
  const text = initText(
    marketplace,
    {
      erp: 'sftp',
      erpUrl: 'sftp://bridge@sftp.example:2222/out',
      erpSecret: erpSecret.replace('/keys', dir),
      settings: { host_key: SFTP, zone: 'UTC' },
      description: { lists, acknowledgements: { files: 'a.csv', row: {} } },
    },
    rest,
    '2026-01-31',
  );
  writeFileSync(join(dir, 'sftp'), 'a key');
  writeFileSync(file, text);
  expect(loadConfig(file, { KEY: 'k', SFTP_PASSWORD: 'p' }).config.accounts).toHaveLength(1);
  expect(text).toMatch(/host: sftp\.example\n\s+port: 2222\n\s+user: bridge/);
});
