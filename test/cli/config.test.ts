import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from '../../src/config/json-schema.ts';
import { folderOf, LEAST } from '../config/folder.ts';
import { run } from './capture.ts';

const GOOD = LEAST.replace('app-key-1', '${env:KEY}');
const ENV = { KEY: 'canary-key' };
const file = (yaml: string): string => folderOf({ 'c.yaml': yaml })('c.yaml');

test('config check reports a valid configuration on stdout', async () => {
  const path = file(GOOD);
  expect(await run(['config', 'check', '--config', path], ENV)).toEqual({
    exitCode: 0,
    stdout: `${path}: ok (1 account)\nmain: orders.export_from is not set: orders count from the first start\n`,
    stderr: '',
  });
  const two = file(GOOD + GOOD.replace('accounts:\n', '').replace('main:', 'other:').replace('4711', '4712'));
  expect((await run(['config', 'check', '--config', two], ENV)).stdout).toContain(`${two}: ok (2 accounts)\n`);
});

test('config check prints every error on stderr and exits 78', async () => {
  const path = file(`mod: live\nlog_level: loud\n${GOOD}`);
  expect(await run(['config', 'check', '--config', path])).toEqual({
    exitCode: 78,
    stdout: '',
    stderr: [
      `${path}:1:1: mod: unknown key; did you mean "mode"?`,
      `${path}:2:12: log_level: expected one of "debug", "info", "warn", "error"`,
      `${path}:7:33: accounts.main.marketplace.auth.key: the environment variable KEY is not set`,
      '',
    ].join('\n'),
  });
});

test('config check prints JSON', async () => {
  const good = file(GOOD);
  const bad = file(`mod: live\n${GOOD}`);
  const ok = await run(['config', 'check', '--json', '--config', good], ENV);
  expect([ok.exitCode, JSON.parse(ok.stdout)]).toEqual([
    0,
    { file: good, ok: true, accounts: ['main'], problems: [], warnings: [], operations: [] },
  ]);
  const wrong = await run(['config', 'check', '--json', '--config', bad], ENV);
  expect([wrong.exitCode, JSON.parse(wrong.stdout)]).toEqual([
    78,
    {
      file: bad,
      ok: false,
      accounts: [],
      problems: [{ line: 1, column: 1, path: 'mod', message: 'unknown key; did you mean "mode"?' }],
      warnings: [],
    },
  ]);
});

test('config check warns of valid settings that are probably unintended, with their place', async () => {
  const path = file(
    `${GOOD.replace('https://erp.example', 'http://erp.example')}    orders: { export_from: 2999-01-01T00:00:00Z }\n`,
  );
  const { exitCode, stdout, stderr } = await run(['config', 'check', '--config', path], ENV);
  expect([exitCode, stdout]).toEqual([
    0,
    `${path}: ok (1 account, 2 warnings)\nmain: orders count from 2999-01-01T00:00:00Z, as orders.export_from says\n`,
  ]);
  expect(stderr.split('\n')).toEqual([
    `warning ${path}:7:29: accounts.main.erp.url: credentials and data go to another machine in clear: use https, unless the network between is yours`,
    `warning ${path}:9:28: accounts.main.orders.export_from: is in the future: every order until then is history`,
    '',
  ]);
  const others = file(
    `state: { redis: "redis://redis.example" }\n${GOOD.replace(/token: [^ ]+/, 'oauth: { token_url: "http://erp.example/token", client_id: c, client_secret: s }')}`,
  );
  expect((await run(['config', 'check', '--config', others], ENV)).stderr.split('\n')).toEqual([
    expect.stringContaining('state.redis: credentials and data go to another machine in clear: use rediss, unless'),
    expect.stringContaining(
      'erp.oauth.token_url: credentials and data go to another machine in clear: use https, unless',
    ),
    '',
  ]);
  const apart = file(`state: { store: postgres, postgres: "postgres://127.0.0.1/s" }\n${GOOD}`);
  expect((await run(['config', 'check', '--config', apart], ENV)).stderr).toContain(
    'state.redis: is missing: several daemons on one PostgreSQL need one Redis',
  );
  const local = file(GOOD.replace('https://erp.example', 'http://127.0.0.1:8200'));
  expect((await run(['config', 'check', '--config', local], ENV)).stderr).toBe('');
});

test('config check of a missing file exits 78 and says what to do', async () => {
  const path = join(file(GOOD), '..', 'none.yaml');
  const { exitCode, stderr } = await run(['config', 'check', '--config', path]);
  expect(exitCode).toBe(78);
  expect(stderr).toBe(`${path}: does not exist; copy an example from config/ to it, or name yours with --config\n`);
});

test('a configuration error never contains a secret, also with --debug', async () => {
  const path = file(`mode: \${env:CANARY}\nx: 1\n${LEAST.replace('app-key-1', 'canary-in-the-file, other: 1')}`);
  const { exitCode, stderr } = await run(['config', 'check', '--debug', '--config', path], {
    CANARY: 'canary-outside',
  });
  expect(exitCode).toBe(78);
  expect(stderr).not.toContain('canary');
});

test('config show prints the effective configuration, which is a valid configuration', async () => {
  const { exitCode, stdout } = await run(['config', 'show', '--config', file(GOOD)], ENV);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('canary');
  expect(parse(stdout)).toMatchObject({
    version: 1,
    mode: 'live',
    accounts: { main: { marketplace: { auth: { scheme: 'app', key: '***' }, limits: { per_second: 8 } } } },
  });
  expect((await run(['config', 'check', '--config', file(stdout)])).exitCode).toBe(0);
});

test('config show prints the same as JSON', async () => {
  const path = file(GOOD);
  const yaml = await run(['config', 'show', '--config', path], ENV);
  const json = await run(['config', 'show', '--json', '--config', path], ENV);
  expect(JSON.parse(json.stdout)).toEqual(parse(yaml.stdout));
});

test('config show prints nothing of an invalid configuration', async () => {
  expect(await run(['config', 'show', '--config', file('x: 1\n')])).toMatchObject({ exitCode: 78, stdout: '' });
});

test('config schema prints the JSON Schema', async () => {
  const { exitCode, stdout } = await run(['config', 'schema']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(configJsonSchema())));
});

describe('as a process', () => {
  const MAIN = join(import.meta.dirname, '../../src/main.ts');
  const start = (args: string[], imports: string[] = []) =>
    spawn(process.execPath, [...imports, MAIN, ...args], { env: { PATH: process.env['PATH'], ...ENV } });

  test('a verb as a process has the exit code and the streams of the program', async () => {
    const child = start(['config', 'check', '--config', file(`x: 1\n${GOOD}`)]);
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, out]).toEqual([78, '']);
    expect(err).toContain(':1:1: x: unknown key\n');
  });

  test('a reader that closes the pipe early causes no error', async () => {
    const child = start(['config', 'schema']);
    child.stdout.destroy();
    const [err] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([child.exitCode, err]).toEqual([0, '']);
  });

  test('config loads neither the database nor the queue nor a server', async () => {
    const hook = `import { registerHooks } from 'node:module';
      registerHooks({ load: (url, context, next) => { process.stderr.write(url + '\\n'); return next(url, context); } });`;
    const child = start(
      ['config', 'check', '--config', file(GOOD)],
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`],
    );
    const [err] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect(child.exitCode).toBe(0);
    expect(err).toContain('/src/config/load.ts');
    expect(err).not.toMatch(
      /better-sqlite3|drizzle|bullmq|ioredis|fastify|undici|pino|prom-client|src\/(store|queue|admin|app)/,
    );
  });
});
