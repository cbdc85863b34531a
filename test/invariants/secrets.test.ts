import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';
import { WEBHOOK_SECRET } from '../support/webhook-secret.ts';

const ERP_TOKEN = 'an-erp-token-for-tests';

let stage: Stage;

/** Has an order refused by the ERP twice, with the token in the answer. An operator asks for the second try. */
async function replayRefusedOrder(): Promise<void> {
  const error = `Bearer ${ERP_TOKEN} may not do that`;
  stage.erp.control.inject({ kind: 'status', status: 422, error, method: 'POST', path: '/v1/orders', times: 2 });
  const customer = stage.marketplace.addCustomer({ name: 'Corner Shop', state: 'NV' });
  const { number } = stage.marketplace.placeOrder({ customer, items: [{ product: 1, quantity: '1' }] });
  const verb = (...args: string[]) => run(['--config', stage.configFile, ...args]);
  await until('it has failed', async () => (await verb('jobs', 'list')).stdout.includes(number));
  expect((await verb('jobs', 'replay', `order-in/${number}`, '--wait')).stdout).toContain('failed');
}

/** All that the audit log holds, as text. */
function readAudit(): string {
  const sqlite = new SqliteDatabase(join(stage.dir, 'data', 'stockbridge.db'), { readonly: true });
  const rows = sqlite.prepare('select * from audit').all();
  sqlite.close();
  return JSON.stringify(rows);
}

test('I12: secrets are nowhere: not in the log, the metrics, the pages, the database, the audit log, nor in the output of verbs', async () => {
  stage = await openStage();
  stage.erp.control.seed(2);
  // Both sides echo their requests, and refuse some of them.
  stage.marketplace.faults.set({ kind: 'status-before', status: 401, times: 2 });
  stage.erp.control.inject({
    kind: 'status',
    status: 401,
    error: `Bearer ${ERP_TOKEN} is not known`,
    times: 2,
  });
  const secrets = [stage.marketplace.key, ERP_TOKEN, WEBHOOK_SECRET];
  const daemon = startDaemon(stage.configFile);
  const admin = await until('it tells where it listens', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  await until('the listings are there', () => stage.marketplace.products().length === 2);
  await replayRefusedOrder();
  const pages = await Promise.all(
    ['/livez', '/readyz', '/metrics'].map(async (path) => (await fetch(admin + path)).text()),
  );
  const verbs = await Promise.all(
    [
      ['config', 'show'],
      ['status'],
      ['jobs', 'list'],
      ['map', 'list'],
      ['audit', 'list'],
      ['audit', 'list', '--json'],
    ].map((args) => run(['--config', stage.configFile, ...args])),
  );
  expect(await daemon.terminate()).toBe(0);
  const files = readdirSync(join(stage.dir, 'data')).map((name) => join(stage.dir, 'data', name));
  const audit = readAudit();
  // The words of the ERP are in the audit log.
  expect(audit).toContain('may not do that');
  const texts = {
    audit,
    log: daemon.log(),
    pages: pages.join('\n'),
    verbs: verbs.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
    files: files
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, 'latin1'))
      .join('\n'),
  };
  for (const [where, text] of Object.entries(texts)) {
    for (const secret of secrets) expect(text.includes(secret), `${secret} in the ${where}`).toBe(false);
    expect(text.length, where).toBeGreaterThan(10);
  }
});
