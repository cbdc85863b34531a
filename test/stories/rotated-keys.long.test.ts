import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { EXIT } from '../../src/cli/exit.ts';
import { createLogger } from '../../src/logging/logging.ts';
import type { MarketplaceClient } from '../../src/marketplace/client.ts';
import { withMarketplace } from '../../src/use/api/open.ts';
import type { Finding } from '../../src/use/doctor/finding.ts';
import type { Status } from '../../src/use/status.ts';
import { run } from '../cli/capture.ts';
import { startDaemon } from '../support/daemon.ts';
import { openStage, type Stage, until } from '../support/stage.ts';

const NEVER = new AbortController().signal;
const NEW_KEY = 'the-second-key-of-the-brand';
const FULL = { Orders: 'write', Products: 'write', Customers: 'write' } as const;

/** A stage whose key comes from somewhere else than the file. */
async function open(reference: string): Promise<Stage> {
  const stage = await openStage();
  stage.erp.control.seed(1);
  const text = readFileSync(stage.configFile, 'utf8');
  writeFileSync(stage.configFile, text.replace(`key: ${stage.marketplace.key}`, `key: "${reference}"`));
  return stage;
}

function rotate({ marketplace }: Stage): void {
  marketplace.keys.issue({ scheme: 'App', secret: NEW_KEY, owner: 'brand', permissions: FULL });
  marketplace.keys.revoke(marketplace.key);
}

const isOnSale = ({ marketplace }: Stage) => marketplace.activeProductIds().length === 1;

async function doctor({ configFile }: Stage, env: Record<string, string> = {}) {
  const { exitCode, stdout } = await run(['doctor', '--json', '--config', configFile], env);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { exitCode, stdout, secrets: findings.filter(({ about }) => about === 'secrets') };
}

test('after an API key in a variable was rotated, status and doctor report that the daemon has the old one, until its restart', async () => {
  const stage = await open(`\${env:BRAND_KEY}`);
  vi.stubEnv('BRAND_KEY', stage.marketplace.key);
  const daemon = startDaemon(stage.configFile);
  await until('the product is on sale', () => isOnSale(stage));
  const old = { BRAND_KEY: stage.marketplace.key };
  const same = await until('the daemon has told its secrets', async () => {
    const found = await doctor(stage, old);
    return found.secrets.length > 0 && found;
  });
  expect([same.exitCode, same.secrets.map(({ level }) => level)]).toEqual([EXIT.ok, ['ok']]);
  expect(same.secrets[0]?.text).toContain(`marketplace.auth.key comes from \${env:BRAND_KEY}`);

  rotate(stage);
  const env = { BRAND_KEY: NEW_KEY };
  const status = async (...more: string[]) =>
    (await run(['status', ...more, '--config', stage.configFile], env)).stdout;
  const told = async () => JSON.parse(await status('--json')) as Status;
  await until('the key is refused', async () => (await told()).accounts[0]?.away?.side === 'marketplace');
  const shown = (await status()).replaceAll(/\s+/g, ' ');
  expect(shown).toContain(
    `marketplace.auth.key comes from \${env:BRAND_KEY}: a new value takes effect when the daemon is restarted with it`,
  );
  const found = await doctor(stage, env);
  expect([found.exitCode, found.secrets.map(({ level }) => level)]).toEqual([EXIT.credentials, ['fail']]);
  expect(found.secrets[0]?.text).toMatch(
    /^marketplace\.auth\.key: the daemon \(.+:\d+\) uses another value than this test: that of \$\{env:BRAND_KEY\} at its start$/,
  );
  expect(found.secrets[0]?.mend).toBe('restart the daemon with the new value in its environment');
  for (const secret of [stage.marketplace.key, NEW_KEY])
    for (const text of [shown, found.stdout, same.stdout]) expect(text).not.toContain(secret);

  await daemon.kill();
  expect((await doctor(stage, env)).secrets).toEqual([]);
  vi.stubEnv('BRAND_KEY', NEW_KEY);
  startDaemon(stage.configFile);
  await until('the daemon has the new key', async () => {
    const { exitCode, secrets } = await doctor(stage, env);
    return exitCode === EXIT.ok && secrets.some(({ level }) => level === 'ok');
  });
  vi.unstubAllEnvs();
});

test('after an API key in a file was replaced, doctor warns until the daemon has read it, on SIGHUP', async () => {
  const stage = await open(`\${file:key}`);
  const file = join(stage.dir, 'key');
  writeFileSync(file, stage.marketplace.key);
  const daemon = startDaemon(stage.configFile);
  let last: Awaited<ReturnType<typeof doctor>> | null = null;
  const levels = async () => {
    last = await doctor(stage);
    return last.secrets.map(({ level }) => level).join();
  };
  const seen = () => `${daemon.log()}\n${last?.stdout}`;
  await until('the daemon has the same', async () => (await levels()) === 'ok', seen);
  stage.marketplace.keys.issue({ scheme: 'App', secret: NEW_KEY, owner: 'brand', permissions: FULL });
  writeFileSync(file, NEW_KEY);
  const { exitCode, secrets } = await doctor(stage);
  expect([exitCode, secrets.map(({ level }) => level)]).toEqual([EXIT.ok, ['warn']]);
  expect(secrets[0]?.text).toContain(`that of \${file:key} when it read it last`);
  expect(secrets[0]?.mend).toContain('send SIGHUP to the daemon');
  daemon.process.kill('SIGHUP');
  await until('the daemon has the new one', async () => (await levels()) === 'ok', seen);
});

test('a list whose read was refused is read when the side answers again, and not only at its next poll', async () => {
  const stage = await openStage();
  const { marketplace, configFile } = stage;
  writeFileSync(configFile, readFileSync(configFile, 'utf8').replace('products: 200ms', 'products: 1h'));
  stage.erp.control.seed(1);
  await stage.start();
  await until('the product is on sale', () => isOnSale(stage));
  const { health } = stage.app().core;
  marketplace.keys.revoke(marketplace.key);
  await until('the key is refused', () => health.get('main', 'marketplace').state === 'credentials');
  await until('the headline says so', async () => {
    const { stdout } = await run(['status', '--config', configFile]);
    return stdout.replaceAll(/\s+/g, ' ').includes('Not in step: the marketplace refuses our credentials since 20');
  });
  const listing = marketplace.productBySku('SB-0001').id;
  marketplace.archiveProduct(listing);
  marketplace.keys.issue({ scheme: 'App', secret: marketplace.key, owner: 'brand', permissions: FULL });
  await until('the change of the listing is known', async () => {
    return (await stage.store().products.get('main', listing))?.archived === true;
  });
});

test('a call that somebody makes by the screen has the key in force, and not the one of the start', async () => {
  const stage = await openStage();
  stage.erp.control.seed(1);
  await stage.start();
  await until('the product is on sale', () => isOnSale(stage));
  const { config, credentials } = stage.app().core;
  const [account] = config.accounts;
  if (account === undefined) throw new Error('there is no account');
  rotate(stage);
  const inForce = { ...credentials, marketplace: () => ({ secret: async () => NEW_KEY, refused() {} }) };
  const opened = { config, log: createLogger({ level: 'silent', secrets: [] }) };
  const read = (client: MarketplaceClient) =>
    client.list('products.list', { query: { page: 1, page_size: 50 } }, { lane: 'operator', signal: NEVER });
  await expect(withMarketplace(opened, account, read)).rejects.toThrow('the credentials are not accepted');
  const page = await withMarketplace({ ...opened, credentials: inForce }, account, read);
  expect(page.rows).toHaveLength(1);
});
