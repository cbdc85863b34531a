import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../src/demo/free-port.ts';
import { notifySystemd } from '../../src/machine/systemd.ts';
import { folderOf } from '../config/folder.ts';
import { until } from '../support/stage.ts';

const MAIN = join(import.meta.dirname, '../../src/main.ts');

/** A machine whose systemd-notify keeps what it is told, or fails. */
async function machine(code = 0) {
  const path = folderOf({ 'systemd-notify': `#!/bin/sh\necho "$NOTIFY_SOCKET $*" >>"$TOLD"\nexit ${code}\n` });
  await chmod(path('systemd-notify'), 0o755);
  const env = { PATH: `${path('.')}:${process.env['PATH']}`, TOLD: path('told'), NOTIFY_SOCKET: '/run/s' };
  return {
    path,
    env,
    told: () => (existsSync(path('told')) ? readFileSync(path('told'), 'utf8').trim().split('\n') : []),
  };
}

test('a daemon reports its readiness to systemd, and that it is alive until it is told to end', async () => {
  const { path, env, told } = await machine();
  const [webhooks, admin] = [await freePort(), await freePort()];
  const config = folderOf({
    'c.yaml': `
state: { dir: ${path('data')} }
webhooks: { listen: 127.0.0.1:${webhooks} }
admin: { listen: 127.0.0.1:${admin} }
accounts:
  main:
    marketplace: { base_url: http://127.0.0.1:9, auth: { scheme: app, key: made-up }, seller_id: 1 }
    erp: { type: http, url: http://127.0.0.1:9, token: made-up }
    inventory: { strategy: submitted-available }
`,
  })('c.yaml');
  const daemon = spawn(process.execPath, [MAIN, 'run', '--config', config], {
    env: { ...process.env, ...env, WATCHDOG_USEC: '300000' },
    stdio: 'ignore',
  });
  const ended = once(daemon, 'exit');
  onTestFinished(() => void daemon.kill('SIGKILL'));
  await until('it told so three times', () => told().length >= 4);
  expect(told()[0]).toBe('/run/s READY=1');
  expect(new Set(told().slice(1))).toEqual(new Set(['/run/s WATCHDOG=1']));
  daemon.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

test('a daemon reports nothing where systemd does not ask', async () => {
  const { env, told } = await machine();
  const fail = (error: Error) => expect.fail(error.message);
  notifySystemd({ PATH: env.PATH, TOLD: env.TOLD, WATCHDOG_USEC: '1' }, fail)();
  const end = notifySystemd(env, fail);
  await until('it is ready', () => told().length === 1);
  end();
  expect(told()).toEqual(['/run/s READY=1']);
});

test.each([
  ['systemd-notify fails', 1, 'systemd-notify ended with 1'],
  ['there is no systemd-notify', null, 'ENOENT'],
])('the log has why systemd cannot be notified: %s', async (_, code, why) => {
  const { env } = await machine(code ?? 0);
  const troubles: string[] = [];
  const end = notifySystemd(code === null ? { ...env, PATH: '/nowhere' } : env, (error) =>
    troubles.push(error.message),
  );
  onTestFinished(end);
  await until('it is known', () => troubles[0]?.includes(why));
});
