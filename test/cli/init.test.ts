import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig } from '../../src/config/load.ts';
import { initFlowsNamed, initText, ordersFromNamed } from '../../src/use/init.ts';
import { openStage, type Stage } from '../support/stage.ts';
import { openDoor, retold } from '../support/twisted.ts';
import { run } from './capture.ts';

let stage: Stage;
let file: string;
let env: Record<string, string>;
const MARKETPLACE = () => ['--url', stage.marketplace.url, '--seller', '4711'];
const ERP = () => ['--erp', 'http', '--erp-url', stage.erp.url];

beforeEach(async () => {
  stage = await openStage();
  const dir = mkdtempSync(join(tmpdir(), 'init-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  file = join(dir, 'config', 'stockbridge.yaml');
  writeFileSync(join(dir, 'token'), 'an-erp-token-for-tests');
  env = { MARKETPLACE_KEY: stage.marketplace.key, ERP_TOKEN: 'an-erp-token-for-tests' };
});

const init = (...args: string[]) => run(['init', '--config', file, '--data', join(stage.dir, 'made'), ...args], env);
const ALL = () => ['--key', 'env:MARKETPLACE_KEY', '--erp-secret', 'env:ERP_TOKEN', '--strategy', 'b'];

test('init with every answer as an option tries both sides, writes the file without a secret, and prints the plan', async () => {
  stage.erp.control.seed(2);
  const { exitCode, stdout, stderr } = await init(...MARKETPLACE(), ...ERP(), ...ALL(), '--flows', 'order-out');
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Next: "stockbridge plan"')]);
  expect(stdout).toMatch(
    /marketplace: .* answers, and takes the credentials[^]*ERP: .* answers[^]*is written\.[^]*main: 2 writes/,
  );
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('key: ${env:MARKETPLACE_KEY}');
  expect(written).toContain('from_erp:');
  expect(written).toMatch(/^ {6}export_from: 20\S+Z$/m);
  expect(written + stdout + stderr).not.toContain(stage.marketplace.key);
  // The output may be kept somewhere, so it has no link that lets somebody in.
  expect(stdout).toContain('operator sets the password by the link that "stockbridge user link operator" prints.');
  expect(stdout).not.toContain('code=');
  expect(loadConfig(file, env).config.accounts[0]).toMatchObject({
    name: 'main',
    inventory: { strategy: 'submitted-available' },
  });
});

test('init leaves an existing file unchanged', async () => {
  await init(...MARKETPLACE(), ...ERP(), ...ALL());
  const before = readFileSync(file, 'utf8');
  const again = await init(...MARKETPLACE(), ...ERP(), ...ALL(), '--flows', 'order-out');
  expect([again.exitCode, again.stderr]).toEqual([64, expect.stringContaining('--force replaces it')]);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test.each<[string, () => string[], number, string]>([
  ['an answer is missing', () => [], 64, 'nobody sits at a terminal to be asked: give --url'],
  [
    'the secret itself is typed',
    () => [...MARKETPLACE(), '--key', 'canary-key'],
    64,
    'say where it stands, as env:NAME',
  ],
  ['the variable is not set', () => [...MARKETPLACE(), '--key', 'env:NOT_SET'], 78, 'NOT_SET'],
  [
    'the ERP is down',
    () => [...MARKETPLACE(), ...ALL(), '--erp', 'http', '--erp-url', 'http://127.0.0.1:9'],
    69,
    'Nothing was written',
  ],
])('init writes nothing when %s', async (_, args, code, told) => {
  const { exitCode, stderr, stdout } = await init(...args());
  expect(stderr).toContain(told);
  expect(exitCode).toBe(code);
  expect(stdout + stderr).not.toContain('canary-key');
  expect(existsSync(file)).toBe(false);
});

test('at a terminal init asks for missing answers, and again for invalid ones', async () => {
  const wrong = ['', '4711'];
  const right = [stage.marketplace.url, '', '4711', '', stage.erp.url, 'file:../token'];
  const answers = [...wrong, ...right, 'd', 'b', 'USD', 'yesterday', 'now', 'ma ria', 'maria'];
  const asked: string[] = [];
  const args = [
    'init',
    '--config',
    file,
    '--data',
    join(stage.dir, 'made'),
    '--flows',
    '',
    '--url',
    'http://127.0.0.1:9',
  ];
  const { exitCode, stdout, stderr } = await run(args, env, {
    ask: async (question) => {
      asked.push(question);
      const next = answers.shift();
      if (next === undefined) throw new Error(`nothing is left to answer: ${question}`);
      return next;
    },
  });
  expect(exitCode).toBe(0);
  expect(asked.filter((question) => question.includes('company id'))).toHaveLength(2);
  expect(stdout).toContain('is written.');
  expect(asked.filter((question) => question.startsWith('From when do orders count?'))).toHaveLength(2);
  expect(asked.filter((question) => question.startsWith('Which strategy'))).toHaveLength(2);
  expect(stderr).toContain('"yesterday" is no instant');
  expect(stderr).toContain('"ma ria" is no name');
  expect(stdout).toMatch(
    /The screen: http:\/\/127\.0\.0\.1:9090, .*\nmaria sets the password by this link.*\n {2}http:\/\/127\.0\.0\.1:9090\/login\/link\?code=[\w-]{43}\n/,
  );
  expect(loadConfig(file, env).config.admin.users).toEqual([{ name: 'maria', role: 'operator' }]);
  expect(readFileSync(file, 'utf8')).toContain('${file:../token}');
});

test.each(['odoo', 'tryton'] as const)('the file that init writes for %s can be used', (erp) => {
  const marketplace = { url: 'https://m.example', key: 'env:KEY', seller: '1' };
  const settings = erp === 'odoo' ? { database: 'd', currency: 'USD', customer: '7' } : { database: 'd', user: 'u' };
  const chosen = { erp, erpUrl: 'https://erp.example', erpSecret: 'env:SECRET', settings, description: {} };
  const rest = {
    data: 'data',
    strategy: 'submitted-available',
    currency: 'USD',
    user: 'operator',
    ordersFrom: null,
    flows: ['order-out'],
  } as const;
  const path = join(stage.dir, 'made.yaml');
  writeFileSync(path, initText(marketplace, chosen, rest, '2026-01-31'));
  expect(loadConfig(path, { KEY: 'a-key-of-tests', SECRET: 'a-secret-of-tests' }).config.accounts).toHaveLength(1);
});

test('init asks for the start date of orders, and writes it as an instant', () => {
  const now = new Date('2026-11-27T23:50:01.987Z');
  expect(ordersFromNamed('now', now)).toBe('2026-11-27T23:50:01Z');
  expect(ordersFromNamed('2026-11-01', now)).toBe('2026-11-01T00:00:00Z');
  expect(ordersFromNamed('2026-11-01T08:00:00-08:00', now)).toBe('2026-11-01T08:00:00-08:00');
  expect(() => ordersFromNamed('yesterday', now)).toThrow('"yesterday" is no instant');
  expect(() => ordersFromNamed('2026-01-01T00:00', now)).toThrow('has no zone: write 2026-01-01T00:00:00Z for UTC');
});

test('init accepts the earlier name erp-orders for order-out, and refuses an unknown flow', () => {
  expect(initFlowsNamed(['erp-orders'])).toEqual(['order-out']);
  expect(initFlowsNamed(['payments', 'order-out', 'erp-orders'])).toEqual(['order-out', 'payments']);
  expect(() => initFlowsNamed(['orders'])).toThrow('flows are order-out, customers, payments');
});

/** Clears the screen, and forges a line. */
const EVIL = '\u001b[2J\u202e\nis written.\n\u009b31m';

test.each([
  ['calls itself so', 0, { status: 200, body: { name: EVIL, version: EVIL } }],
  ['refuses so', 77, { status: 403, body: { error: EVIL, detail: EVIL } }],
])(
  'an ERP that %s sends no control codes to the terminal of init, and forges no line',
  async (_, code, { status, body }) => {
    const door = await openDoor(stage.erp.url);
    onTestFinished(() => door.close());
    door.twist = (answer) =>
      answer.target.startsWith('/v1/ping')
        ? { ...retold(answer, (said: object) => ({ ...said, ...body })), status }
        : answer;
    const { exitCode, stdout, stderr } = await init(...MARKETPLACE(), '--erp', 'http', '--erp-url', door.url, ...ALL());
    expect([exitCode, stderr]).toEqual([code, expect.any(String)]);
    expect(stdout + stderr).toContain(String.raw`[2J\u202e`);
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n\t]|\p{Cf}|^is written/mu);
  },
);

test('init writes any answer to the file as it was given', () => {
  const evil = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(EVIL, '1\n  mode: live', '*a', '!!js x', '# x', "'", '"'),
  );
  const given = fc.record({ url: evil, seller: evil, erpUrl: evil, data: evil, database: evil, user: evil });
  fc.assert(
    fc.property(given, ({ url, seller, erpUrl, data, database, user }) => {
      const erp = {
        erp: 'tryton',
        erpUrl,
        erpSecret: 'env:SECRET',
        settings: { database, user },
        description: {},
      } as const;
      const rest = {
        data,
        strategy: 'submitted-available',
        currency: 'EUR',
        user: 'ann',
        ordersFrom: null,
        flows: [],
      } as const;
      const { state, accounts, ...others } = parse(
        initText({ url, key: 'env:KEY', seller }, erp, rest, '2026-01-31'),
      ) as {
        state: object;
        accounts: { main: { marketplace: { seller_id: unknown } } };
      };
      expect([others, state]).toEqual([
        { version: 1, admin: { users: [{ name: 'ann', role: 'operator' }] } },
        { dir: data },
      ]);
      expect(String(accounts.main.marketplace.seller_id)).toBe(
        /^\d{1,15}$/.test(seller) ? String(Number(seller)) : seller,
      );
      expect(accounts).toEqual({
        main: {
          marketplace: { ...accounts.main.marketplace, base_url: url, auth: { scheme: 'app', key: '${env:KEY}' } },
          erp: { type: 'tryton', url: erpUrl, database, user, password: '${env:SECRET}' },
          currency: 'EUR',
          inventory: { strategy: 'submitted-available' },
          orders: {},
        },
      });
    }),
  );
});
