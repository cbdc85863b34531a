import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until, WEBHOOK_SECRET } from '../support/stage.ts';

let stage: Stage;
afterEach(() => stage.close());

test('I12: secrets are nowhere: not in the log, the metrics, the pages, the database, nor in what verbs print', async () => {
  stage = await openStage();
  stage.erp.control.seed(2);
  // Both sides echo what they were sent, and refuse some of it.
  stage.marketplace.faults.set({ kind: 'status-before', status: 401, times: 2 });
  stage.erp.control.inject({
    kind: 'status',
    status: 401,
    error: 'Bearer an-erp-token-for-tests is not known',
    times: 2,
  });
  const secrets = [stage.marketplace.key, 'an-erp-token-for-tests', WEBHOOK_SECRET];
  const daemon = startDaemon(stage.configFile);
  const admin = await until('it tells where it listens', () => /"admin":"(http[^"]+)"/.exec(daemon.log())?.[1]);
  await until('the listings are there', () => stage.marketplace.products().length === 2);
  const pages = await Promise.all(
    ['/livez', '/readyz', '/metrics'].map(async (path) => (await fetch(admin + path)).text()),
  );
  const verbs = await Promise.all(
    [['config', 'show'], ['status'], ['jobs', 'list'], ['map', 'list']].map((args) =>
      run(['--config', stage.configFile, ...args]),
    ),
  );
  expect(await daemon.terminate()).toBe(0);
  const files = readdirSync(join(stage.dir, 'data')).map((name) => join(stage.dir, 'data', name));
  const texts = {
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
