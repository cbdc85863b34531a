import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openStage } from '../support/stage.ts';

test('the calls before a restart count in the minute of erp.limits', async () => {
  const stage = await openStage();
  const erp = `erp: { type: rest, extends: contract, url: "${stage.erp.url}", auth: { scheme: bearer, token: an-erp-token-for-tests }, timeout: 2s, limits: { per_minute: 2 } }`;
  writeFileSync(stage.configFile, readFileSync(stage.configFile, 'utf8').replace(/erp: \{.*\}/, erp));
  const ping = () => stage.context().erp.ping();

  await stage.start([]);
  await ping();
  await stage.stop();
  await stage.start([]);
  await ping();
  await expect(ping()).rejects.toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
  await stage.stop();

  await stage.start([]);
  await expect(ping()).rejects.toMatchObject({ kind: 'rate-limited', outcome: 'not-applied' });
});
