import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { CLIENT } from '../../src/sandbox/token-grants.ts';
import { startDaemon } from '../support/daemon.ts';
import { startProgram } from '../support/program.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

/** Changes the configuration before the daemon starts. */
function rewrite({ configFile }: Stage, change: (text: string) => string): void {
  writeFileSync(configFile, change(readFileSync(configFile, 'utf8')));
}

/** Replaces a secret like a secret store: a new file takes the place of the old file. */
function putSecret({ dir }: Stage, name: string, secret: string): void {
  writeFileSync(join(dir, `${name}.new`), `${secret}\n`);
  renameSync(join(dir, `${name}.new`), join(dir, name));
}

async function started(stage: Stage) {
  const daemon = startDaemon(stage.configFile);
  const admin = await until('it tells where it listens', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  const ready = async () => (await fetch(`${admin}/readyz`)).status === 200;
  const reasons = async () => ((await (await fetch(`${admin}/readyz`)).json()) as { reasons: string[] }).reasons.join();
  await until('it is ready', ready);
  return { daemon, ready, reasons };
}

test('a token that was rotated in its file is read when the old one is refused, without a restart', async () => {
  const stage = await openStage();
  stage.erp.control.seed(2);
  putSecret(stage, 'erp-token', 'an-erp-token-for-tests');
  putSecret(stage, 'key', stage.marketplace.key);
  rewrite(stage, (text) =>
    text
      .replace('token: an-erp-token-for-tests', `token: "\${file:erp-token}"`)
      .replace(`key: ${stage.marketplace.key}`, `key: "\${file:key}"`),
  );
  const { daemon, ready, reasons } = await started(stage);
  stage.erp.control.setTokens(['the-second-erp-token']);
  await until('the ERP refuses it', async () => (await reasons()).includes('the ERP refuses the credentials'));
  putSecret(stage, 'erp-token', 'the-second-erp-token');
  await until('it is ready again', ready);

  stage.marketplace.keys.issue({ scheme: 'App', secret: 'the-second-key', owner: 'brand', permissions: FULL });
  stage.marketplace.keys.revoke(stage.marketplace.key);
  await until('the marketplace refuses it', async () => (await reasons()).includes('the marketplace refuses'));
  putSecret(stage, 'key', 'the-second-key');
  await until('it is ready again', ready);

  expect(daemon.log()).toContain('secrets were read again');
  expect(daemon.log()).not.toMatch(/the-second-(key|erp-token)/);
});

const FULL = { Orders: 'write', Products: 'write', Customers: 'write' } as const;

test('a verb renews a refused token by itself, and leaves the next one to other processes', async () => {
  const stage = await openStage();
  const client = `client_id: ${CLIENT.id}, client_secret: ${CLIENT.secret}`;
  const url = `${stage.marketplace.controlUrl}/token`;
  rewrite(stage, (text) => text.replace(/auth: \{.*\}/, `auth: { scheme: oauth2, token_url: "${url}", ${client} }`));
  const ended = async (...args: string[]) => {
    const verb = startProgram(...args, '--config', stage.configFile);
    return [await verb.exit(), verb.printed.stderr];
  };
  const list = ['api', 'products.list'];
  expect(await ended(...list)).toEqual([0, '']);
  for (const verb of [list, ['plan'], ['sync'], ['doctor']]) {
    stage.marketplace.keys.revoke(null);
    // A token that was given just now would not be renewed.
    const sql = new Database(join(stage.dir, 'data', 'stockbridge.db'));
    sql.prepare('update tokens set obtained_at_ms = obtained_at_ms - 60000').run();
    sql.close();
    expect([verb, await ended(...verb)]).toEqual([verb, [0, '']]);
  }
  expect(await ended(...list)).toEqual([0, '']);
});

test('SIGHUP reads secrets again, and never ends the daemon, whatever the file contains by then', async () => {
  const stage = await openStage();
  putSecret(stage, 'erp-token', 'an-erp-token-for-tests');
  rewrite(stage, (text) => text.replace('token: an-erp-token-for-tests', `token: "\${file:erp-token}"`));
  const { daemon, ready } = await started(stage);
  const lines = (words: string) => daemon.log().split(words).length - 1;
  const hangUp = async (words: string) => {
    const before = lines(words);
    daemon.process.kill('SIGHUP');
    await until(words, () => lines(words) > before);
  };
  // The old token still works. Only the signal tells of the new token.
  stage.erp.control.setTokens(['an-erp-token-for-tests', 'the-second-erp-token']);
  putSecret(stage, 'erp-token', 'the-second-erp-token');
  await hangUp('secrets were read again');
  const asked = async () => {
    stage.erp.control.clearRequests();
    await until('the ERP is asked', () => stage.erp.control.requests().length > 10);
  };
  // A call that was under way at the signal may still carry the old token.
  await asked();
  stage.erp.control.setTokens(['the-second-erp-token']);
  await asked();
  expect(stage.erp.control.requests().map(({ status }) => status)).not.toContain(401);

  const good = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, `${good}\nnonsense: true\n`);
  await hangUp('the one in force stays');
  writeFileSync(stage.configFile, good.replace('mode: live', 'mode: dry-run'));
  await hangUp('at the next start');
  expect(await ready()).toBe(true);
  expect(await daemon.terminate()).toBe(0);
});

test('both sides accept OAuth 2 tokens, which are renewed when they are refused and are in no log', async () => {
  const stage = await openStage();
  stage.erp.control.seed(2);
  const client = `client_id: ${CLIENT.id}, client_secret: ${CLIENT.secret}`;
  const there = `${stage.marketplace.controlUrl}/token`;
  rewrite(stage, (text) =>
    text
      .replace(/auth: \{.*\}/, `auth: { scheme: oauth2, token_url: "${there}", ${client} }`)
      .replace(
        'token: an-erp-token-for-tests',
        `oauth: { token_url: "${stage.erp.url}/_control/token", ${client}, refresh_token: ${CLIENT.refreshToken} }`,
      ),
  );
  const { daemon, reasons, ready } = await started(stage);
  await until('the listings are there', () => stage.marketplace.products().length === 2);
  stage.marketplace.keys.revoke(null);
  stage.erp.control.setTokens([]);
  await until('they refuse', async () => (await reasons()).includes('refuses the credentials'));
  // A new token is not renewed at once.
  await until('it is ready again', ready);
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  await until('the order is there', () => stage.erp.control.findOrders(number).length === 1);
  const log = daemon.log();
  expect(log).not.toMatch(/token-[0-9a-f]{8}|refresh-[0-9a-f]{8}/);
  expect(log).not.toContain(CLIENT.secret);
  expect(await daemon.terminate()).toBe(0);
});
