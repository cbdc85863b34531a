import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { createChance } from '../chance.ts';
import { openSql, type Sql } from '../sql.ts';
import { createActions } from './actions.ts';
import { createApiServer } from './api-server.ts';
import { type Credential, createKeys, FULL_ACCESS } from './auth.ts';
import type { Answer, Call, Handler } from './call.ts';
import { createControlServer } from './control-server.ts';
import { createFaults, type Fault } from './faults.ts';
import { HANDLERS } from './handlers.ts';
import { type Micros, wallMicros } from './instants.ts';
import { settleCommands } from './inventory/commands.ts';
import { type OpenMarket, openMarket } from './market.ts';
import { createOwners } from './rate-window.ts';
import { addBaseRecords } from './records/base.ts';
import { createRequestLog } from './request-log.ts';
import { SCHEMA } from './schema.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { createRouting } from './validation.ts';
import {
  createWebhookSender,
  createWebhooks,
  RETRY_DELAYS_MS,
  type WebhookSender,
  type WebhookTarget,
} from './webhook-sender.ts';
import { refuse } from './wire-values.ts';

export interface SandboxOptions {
  /** 0 (the default): a free port. */
  readonly port?: number;
  readonly controlPort?: number;
  readonly host?: string;
  /** A SQLite file that outlives the process; by default in memory. */
  readonly file?: string;
  /** For order numbers and chance. */
  readonly seed?: number | string;
  readonly keys?: readonly Credential[];
  readonly settings?: Partial<Settings>;
  readonly faults?: readonly Fault[];
  readonly webhooks?: readonly WebhookTarget[];
  /** Between the tries of a webhook. */
  readonly webhookRetryDelaysMs?: readonly number[];
  /** HTTP by default. */
  readonly webhookSender?: WebhookSender;
  /** Microseconds since 1970; must not go back. By default the wall clock. */
  readonly now?: () => Micros;
}

/** A marketplace with the operation table over HTTP. */
export async function startSandboxMarketplace(options: SandboxOptions = {}) {
  const { sql, open, webhooks, parts, ...rest } = openSandboxMarketplace(options);
  const { requestLog, changeSettings } = rest;
  const { owners, settings, keys, faults } = parts;
  const closing = new AbortController();
  const server = createApiServer({ ...parts, log: requestLog, now: open.market.now, closing: closing.signal });
  const actions = createActions(open);
  const machine = { faults, requestLog, webhooks, owners, keys, settings, changeSettings };
  const control = createControlServer({ actions, ...machine });
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const controlAddress = await control.listen({ port: options.controlPort ?? 0, host: '127.0.0.1' });
  const { port } = server.address() as AddressInfo;
  return {
    ...actions,
    /** The base; the API is at {url}/api/v2. */
    url: `http://127.0.0.1:${port}`,
    port,
    /** Loopback only. */
    controlUrl: `${controlAddress}/_control`,
    /** The first key; the only one by default. */
    key: keys.all()[0]?.secret ?? '',
    keys,
    faults,
    requestLog,
    webhooks,
    /** By owner: the most calls let through in any second and minute. */
    peaks: owners.peaks,
    /** Another program of the owner makes these calls at once, within the limits. */
    useQuota: owners.takeForeign,
    settings,
    changeSettings,
    onEvent: open.onEvent,
    async close(): Promise<void> {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, control.close(), webhooks.close()]);
      sql.close();
    },
  };
}

export type SandboxMarketplace = Awaited<ReturnType<typeof startSandboxMarketplace>>;

/** Everything but the servers. `parts` answers calls, `sql` is the database. */
export function openSandboxMarketplace(
  options: SandboxOptions = {},
  sql: Sql = openSql(options.file ?? ':memory:', SCHEMA),
) {
  let current: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const settings = () => current;
  const now = options.now ?? wallMicros;
  const seed = options.seed ?? 1;
  const faults = createFaults(createChance(`faults ${seed}`));
  for (const fault of options.faults ?? []) faults.set(fault);
  // A reopened file must not get the same order numbers again.
  const already = sql.get<{ n: number }>('SELECT count(*) AS n FROM orders')?.n ?? 0;
  const open = openMarket({ sql, settings, now, faults, uuid: createChance(`numbers ${seed} ${already}`).uuid });
  const isNew = sql.get('SELECT 1 FROM records LIMIT 1') === undefined;
  if (isNew) open.quietly((market) => addBaseRecords({ ...market, stamp: now }));
  const sender = options.webhookSender ?? createWebhookSender(options.webhookRetryDelaysMs ?? RETRY_DELAYS_MS);
  const webhooks = createWebhooks({ market: open.market, faults, targets: options.webhooks ?? [], sender });
  open.onEvent(webhooks.send);
  return {
    sql,
    open,
    webhooks,
    parts: {
      keys: createKeys(options.keys ?? [FULL_ACCESS], () => Math.floor(now() / 1_000)),
      settings,
      route: createRouting(Object.values(OPERATIONS), settings),
      owners: createOwners({ now, settings, faults }),
      faults,
      perform: (operation: Operation, call: Call) => perform(open, operation, call),
    },
    requestLog: createRequestLog(),
    changeSettings: (change: Partial<Settings>) => {
      current = { ...current, ...change };
    },
  };
}

function perform(open: OpenMarket, operation: Operation, call: Call): Answer {
  const handler = (HANDLERS as Readonly<Record<string, Handler | undefined>>)[operation.id];
  if (!handler) throw refuse(501, `The sandbox does not act on ${operation.id} yet.`);
  const answer = open.change((market) => {
    settleCommands(market);
    return handler(market, call);
  });
  if (operation.id === 'orders.list') open.market.late.listed('orders');
  if (operation.id === 'products.list') open.market.late.listed('products');
  return answer;
}
