import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startProgram } from '../support/program.ts';
import { until } from '../support/stage.ts';
import { run } from './capture.ts';

async function start(...args: string[]) {
  const sandbox = startProgram('sandbox', ...args);
  const [, api = ''] = await sandbox.says(/marketplace +(\S+)\n/);
  const [, control = ''] = await sandbox.says(/control +(\S+)\n/);
  const [, erp = ''] = await sandbox.says(/ERP +(\S+)\n/);
  const [, key = ''] = await sandbox.says(/key +(\S+)\n/);
  const [, token = ''] = await sandbox.says(/token +(\S+)\n/);
  await sandbox.says(/erp: \{.*\n/);
  return {
    ...sandbox,
    api: (path: string, init: RequestInit = {}) =>
      fetch(api + path, { ...init, headers: { authorization: `App ${key}`, 'content-type': 'application/json' } }),
    control: async (path: string) => (await fetch(control + path)).json(),
    erp: (path: string, init: RequestInit = {}) =>
      fetch(erp + path, { ...init, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } }),
  };
}

const bodyOf = async (answer: Response) => (await answer.json()) as { count: number; items: unknown[] };

test('the sandbox answers with the key and the token that it prints, until it is stopped', async () => {
  const { api, erp, signal, exit, left, printed } = await start('--products', '10');
  const listed = await api('products/');
  expect(listed.headers.get('RateLimit-Limit')).not.toBeNull();
  expect((await bodyOf(listed)).count).toBe(5);
  expect((await bodyOf(await erp('products'))).items).toHaveLength(10);
  signal('SIGINT');
  expect(await exit()).toBe(0);
  expect(printed.stdout.trimEnd().split('\n').at(-1)).toBe('Ended. Nothing is kept.');
  await expect(api('products/')).rejects.toThrow();
  expect(left()).toEqual([]);
});

test('a sandbox without products prints a line that creates one', async () => {
  const { api, printed } = await start('--products', '0');
  expect((await bodyOf(await api('products/'))).count).toBe(0);
  const [, url = '', body = ''] = /^ {2}curl '(\S+)' -d '(.+)'$/m.exec(printed.stdout) ?? [];
  expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
  expect((await bodyOf(await api('products/'))).count).toBe(1);
});

test('every curl line that the sandbox prints works', async () => {
  const { printed } = await start();
  const lines = printed.stdout.split('\n').filter((line) => line.startsWith('  curl'));
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const [, url = ''] = /'(http[^']+)'/.exec(line) ?? [];
    const body = /-d '([^']+)'/.exec(line)?.[1];
    const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const init = body === undefined ? {} : { method: 'POST', body };
    const answer = await fetch(url, { ...init, headers: Object.fromEntries(headers) });
    expect({ line, status: answer.status }).toEqual({ line, status: 200 });
  }
});

test("the sandbox's buyers order by themselves, and the same seed makes the same data", async () => {
  const [one, two, other] = await Promise.all([
    start('--orders-per-minute', '3000', '--seed', '5'),
    start('--seed', '5'),
    start('--seed', '6'),
  ]);
  expect(await one.says(/buyer +\S.* orders /)).not.toBeNull();
  const names = async ({ erp }: typeof one) =>
    (await bodyOf(await erp('products'))).items.map((row) => (row as { name: string }).name);
  expect(await names(one)).toEqual(await names(two));
  expect(await names(one)).not.toEqual(await names(other));
});

test('faults of both sides of the sandbox occur as configured, and --no-limits removes the limits', async () => {
  const { api, erp, control } = await start(
    '--no-limits',
    '--fault',
    'status-before=418,times=1',
    '--fault',
    'status=503,path=/v1/stock,times=1',
  );
  const first = await api('products/');
  expect([first.status, first.headers.get('RateLimit-Limit')]).toEqual([418, null]);
  expect((await api('products/')).status).toBe(200);
  expect((await erp('products')).status).toBe(200);
  expect((await erp('stock')).status).toBe(503);
  expect((await erp('stock')).status).toBe(200);
  expect(await control('faults')).toMatchObject([{ fault: { kind: 'status-before', status: 418 }, struck: 1 }]);
});

test('webhooks of the sandbox are signed and sent to the address', async () => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(`${request.url} ${request.headers['service-signature'] === undefined ? 'unsigned' : 'signed'}`);
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void receiver.close());
  await until('it listens', () => receiver.listening);
  const { port } = receiver.address() as AddressInfo;
  const { printed } = await start(
    '--webhook',
    `http://127.0.0.1:${port}/webhooks/main/`,
    '--orders-per-minute',
    '3000',
  );
  await until('both kinds arrived', () => new Set(received).size === 2);
  expect([...new Set(received)].toSorted()).toEqual(['/webhooks/main/orders signed', '/webhooks/main/products signed']);
  expect(printed.stdout).toContain('webhooks: { secret: ');
});

describe('an option that makes no sense is refused with 64', () => {
  const FAULTY: [string[], RegExp][] = [
    [
      ['--fault', 'reset-aftr'],
      /"reset-aftr" is no fault; did you mean "reset-after"\?\nFaults of the marketplace: reset-before,/,
    ],
    [['--fault', 'lose-anwser=1'], /did you mean "lose-answer"\?[\s\S]*Faults of the ERP: reset, status,/],
    [['--fault', 'status-before=7000'], /status: Too big/],
    [['--fault', 'lose-answer=1,path=orders'], /must start with "\/v1\/"/],
    [['--port', 'web'], /whole number from 0 to 65535/],
    [['--products', '-1'], /whole number from 0 to 100000/],
    [['--webhook', 'localhost'], /such as http:/],
    [['--ports', '1'], /unknown option '--ports'/],
  ];
  for (const [args, message] of FAULTY) {
    test(args.join(' '), async () => {
      const { exitCode, stdout, stderr } = await run(['sandbox', ...args]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
      expect(stderr).toMatch(message);
    });
  }
});
