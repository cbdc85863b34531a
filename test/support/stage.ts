import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { OpenAccount } from '../../src/core/core.ts';
import { ROLES, type Role } from '../../src/daemon/roles.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { type SandboxErp, startSandboxErp } from '../../src/sandbox/erp/server.ts';
import {
  type SandboxMarketplace,
  type SandboxOptions,
  startSandboxMarketplace,
} from '../../src/sandbox/marketplace/start.ts';
import type { Store } from '../../src/store/store.ts';
import { type SyncResult, syncAccount } from '../../src/use/sync.ts';
import { WAIT_LIMIT_MS } from './in-time.ts';
import { stateSection } from './postgres.ts';
import { WEBHOOK_SECRET } from './webhook-secret.ts';

/** A marketplace, an ERP, and the daemon between them: all real, on loopback. */
export interface Stage {
  readonly marketplace: SandboxMarketplace;
  readonly erp: SandboxErp;
  readonly dir: string;
  readonly configFile: string;
  /** The running app. */
  app(): App;
  /** The store of that app. */
  store(): Store;
  /** The context of the flows of its account. */
  context(): AccountContext;
  start(roles?: readonly Role[]): Promise<App>;
  stop(): Promise<void>;
  /** One pass over everything, until quiet. */
  sync(): Promise<SyncResult>;
}

export interface StageOptions {
  readonly strategy?: 'a' | 'b' | 'c';
  /** More of `inventory`, as flow YAML: `buffer: 5, write: quantity`. */
  readonly inventory?: string;
  /** Settings of the section `orders`, in the place of the date from which orders count. */
  readonly orders?: string;
  /** Lines of YAML below the account, at the account's indentation. */
  readonly account?: string;
  readonly marketplace?: string;
  /** More of `erp`, as flow YAML. */
  readonly erp?: string;
  readonly sandbox?: SandboxOptions;
  readonly mode?: 'live' | 'dry-run';
  /** null: the sandbox and the daemon have no quota, which is what most tests want. */
  readonly limits?: 'real' | null;
  readonly timeout?: string;
  /** Places something between the daemon and a side at this address. */
  readonly through?: (
    side: 'marketplace' | 'erp',
    url: string,
  ) => Promise<{ readonly url: string; close(): Promise<void> }>;
}

const TOKEN = 'an-erp-token-for-tests';

/** The stage is closed at the end of the test that opens it. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), 'stage-'));
  const limited = options.limits === 'real';
  const marketplace = await startSandboxMarketplace({
    ...options.sandbox,
    settings: { ...(limited ? {} : { rate: null }), ...options.sandbox?.settings },
  });
  const erp = await startSandboxErp({ tokens: [TOKEN] });
  const configFile = join(dir, 'stockbridge.yaml');
  const doors = await Promise.all(
    Object.entries({ marketplace, erp }).map(async ([side, { url }]) => options.through?.(side as 'erp', url) ?? null),
  );
  const [shopUrl = marketplace.url, erpUrl = erp.url] = doors.map((door) => door?.url);
  const state = await stateSection(dir);
  writeFileSync(configFile, configOf(options, state.text, { url: shopUrl, key: marketplace.key }, { url: erpUrl }));
  const log = createLogger({ level: process.env['LOG'] === undefined ? 'silent' : 'debug', secrets: [] });
  let app: App | null = null;

  const running = () => {
    if (app === null) throw new Error('the stage has not been started');
    return app;
  };
  /** Both sides of the account, while no worker runs: for the calls that a test makes by hand. */
  let apart: OpenAccount | null = null;
  const stop = async () => {
    await apart?.close();
    apart = null;
    await app?.stop(5_000);
    app = null;
  };
  const stage: Stage = {
    marketplace,
    erp,
    dir,
    configFile,
    app: running,
    store: () => running().core.state.store,
    context() {
      const context = running().core.accounts.get('main');
      if (context === undefined) throw new Error('there is no account main');
      return context;
    },
    async start(roles = ROLES) {
      const { config } = loadConfig(configFile, {});
      app = await startApp({ config, log, unlimited: !limited }, roles);
      const known = app.core.known.get('main');
      if (!roles.includes('work') && known !== undefined) apart = await app.core.open(known);
      return app;
    },
    stop,
    async sync() {
      if (app === null) await stage.start(['work']);
      if (apart !== null) throw new Error('no worker runs: stop the stage before it syncs');
      return syncAccount(running().core, stage.context(), AbortSignal.timeout(120_000), () => {});
    },
  };
  onTestFinished(async () => {
    await stop();
    for (const door of doors) await door?.close();
    await marketplace.close();
    await erp.close();
    await endOrphan(join(dir, 'data', 'redis.sock'));
    rmSync(dir, { recursive: true, force: true });
    await state.drop();
  });
  return stage;
}

/** A killed daemon leaves its redis-server to the next daemon. After the last daemon, the test has to end it. */
async function endOrphan(socket: string): Promise<void> {
  if (!existsSync(socket)) return;
  const redis = new Redis({ path: socket, lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  await redis.connect().catch(() => {});
  await redis.shutdown('NOSAVE').catch(() => {});
  redis.disconnect();
}

function configOf(
  options: StageOptions,
  state: string,
  marketplace: Pick<SandboxMarketplace, 'url' | 'key'>,
  erp: Pick<SandboxErp, 'url'>,
): string {
  return `
version: 1
mode: ${options.mode ?? 'live'}
state: ${state}
webhooks: { listen: 127.0.0.1:0 }
admin: { listen: 127.0.0.1:0 }
accounts:
  main:
    marketplace:
      base_url: ${marketplace.url}
      auth: { scheme: app, key: ${marketplace.key} }
      seller_id: 4711
      timeout: ${options.timeout ?? '30s'}
${quotaOf(options)}
      webhooks: { secret: ${WEBHOOK_SECRET} }
${options.marketplace ?? ''}
    erp: { type: http, url: "${erp.url}", token: ${TOKEN}, poll: 100ms, timeout: ${options.timeout ?? '30s'}${options.erp === undefined ? '' : `, ${options.erp}`} }
    inventory: { strategy: ${options.strategy ?? 'b'}, ${options.inventory ?? 'buffer: 0'} }
    brakes: { create: { count: 1000, percent: 10000 }, archive: { count: 1000, percent: 100 }, zero: { count: 1000, percent: 100 } }
${accountOf(options)}
`;
}

/** With a date, the first start asks for none. */
const EVERY_ORDER = 'export_from: 2000-01-01T00:00:00Z, history: enter, cancel_grace: 0s';

/**
 * The story's orders are work, also those from before its daemon starts. Orders that are made in the ERP are entered, unless the
 * test has a section of its own.
 */
function accountOf({ account = '', orders = EVERY_ORDER }: StageOptions): string {
  const own = '    orders: { ';
  if (!account.includes(own)) return `${own}from_erp: { since: 2000-01-01 }, ${orders} }\n${account}`;
  return account.replace(own, `${own}${orders}, `);
}

/** A configuration with polls that are too quick for the quota is refused, so the quota is raised. */
function quotaOf({ limits, marketplace = '' }: StageOptions): string {
  if (limits === 'real') return '      poll: { orders: 1s, products: 2s, overlap: 2m }';
  const poll = '      poll: { orders: 100ms, products: 200ms, overlap: 2m }';
  return marketplace.includes('limits:') ? poll : `${poll}\n      limits: { per_second: 1000, per_minute: 60000 }`;
}

/**
 * Waits until the condition holds, and returns its value.
 * @param seen what the error shows besides, such as the log of a daemon
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | undefined | null | false> | T | undefined | null | false,
  seen: () => string = () => '',
  limitMs = WAIT_LIMIT_MS,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`it did not come to this: ${what}\n${seen()}`);
    await sleep(20);
  }
}
