import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Operation } from '../../marketplace/operations/operation.ts';
import { OPERATIONS } from '../../marketplace/operations/table.ts';
import { type Actions, createActions } from './actions.ts';
import { createApiServer } from './api-server.ts';
import { type Credential, FULL_ACCESS } from './auth.ts';
import type { Answer, Call } from './call.ts';
import { openDatabase } from './database.ts';
import { createFaults, type Fault, type Faults } from './faults.ts';
import { HANDLERS } from './handlers.ts';
import { type Micros, wallMicros } from './instants.ts';
import { createLateRows } from './late-rows.ts';
import { type MarketEvent, type OpenMarket, openMarket } from './market.ts';
import { createOwners, type Owners } from './owners.ts';
import { createChance } from './prng.ts';
import { refuse } from './refusal.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { createRouter } from './routing.ts';
import { DEFAULT_SETTINGS, type Settings } from './settings.ts';
import { createStamps } from './stamps.ts';

export interface SandboxOptions {
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  readonly host?: string;
  /** SQLite file that outlives the process; in memory by default. */
  readonly file?: string;
  readonly seed?: number | string;
  readonly keys?: readonly Credential[];
  readonly settings?: Partial<Settings>;
  readonly faults?: readonly Fault[];
  /** Microseconds since 1970; must not go back. The wall clock by default. */
  readonly now?: () => Micros;
}

export interface SandboxMarketplace extends Actions {
  /** Base URL; the API is at {url}/api/v2. */
  readonly url: string;
  readonly port: number;
  /** The one key there is unless `keys` was given. */
  readonly key: string;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  /** The most calls let through in any one second and any one minute, by key owner. */
  peaks(): ReturnType<Owners['peaks']>;
  /** Another program of the owner makes this many calls at once, as far as there is room. */
  useQuota(owner: string, calls: number): void;
  settings(): Settings;
  changeSettings(change: Partial<Settings>): void;
  onEvent(listener: (event: MarketEvent) => void): void;
  close(): Promise<void>;
}

/** Starts a marketplace that serves the operation table over HTTP on loopback. */
export async function startSandboxMarketplace(options: SandboxOptions = {}): Promise<SandboxMarketplace> {
  let current: Settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const settings = () => current;
  const now = options.now ?? wallMicros;
  const seed = options.seed ?? 1;
  const faults = createFaults(createChance(`faults ${seed}`));
  for (const fault of options.faults ?? []) faults.set(fault);
  const sql = openDatabase(options.file ?? ':memory:');
  const ids = createChance(`order numbers ${seed} ${options.file === undefined ? '' : now()}`);
  const open = openMarket({ sql, settings, now, faults, uuid: ids.uuid });
  const keys = options.keys ?? [FULL_ACCESS];
  const owners = createOwners({ now, settings, faults });
  const requestLog = createRequestLog();
  const closing = new AbortController();
  const server = createApiServer({
    keys,
    settings,
    route: createRouter(Object.values(OPERATIONS)),
    owners,
    faults,
    perform: (operation, call) => perform(open, operation, call),
    log: requestLog,
    now,
    closing: closing.signal,
  });
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...createActions(open),
    url: `http://127.0.0.1:${port}`,
    port,
    key: keys[0]?.secret ?? '',
    faults,
    requestLog,
    peaks: owners.peaks,
    useQuota: owners.takeForeign,
    settings,
    changeSettings: (change) => {
      current = { ...current, ...change };
    },
    onEvent: open.onEvent,
    async close() {
      closing.abort();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      sql.close();
    },
  };
}

function perform(open: OpenMarket, operation: Operation, call: Call): Answer {
  const handler = HANDLERS[operation.id];
  if (!handler) throw refuse(501, `The sandbox does not act on ${operation.id} yet.`);
  const answer = open.change((market) => handler(market, call));
  if (operation.id === 'orders.list') open.listed('orders');
  if (operation.id === 'products.list') open.listed('products');
  return answer;
}
