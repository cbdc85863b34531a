import { fileURLToPath } from 'node:url';
import SqliteDatabase from 'better-sqlite3';
import { type AccountParts, createContext } from '../../src/accounts.ts';
import type { AccountConfig, Config } from '../../src/config/resolve.ts';
import { createIntake, RECEIVER_LIMITS } from '../../src/daemon/receiver/intake.ts';
import { startSchedule } from '../../src/daemon/schedule.ts';
import { startFilling } from '../../src/daemon/worker/fill.ts';
import { handleJob } from '../../src/daemon/worker/handle.ts';
import { createHealth } from '../../src/daemon/worker/health.ts';
import { startHousekeeping, startPruning } from '../../src/daemon/worker/housekeeping.ts';
import { createContractErp } from '../../src/erp/contract/connector.ts';
import type { AccountContext } from '../../src/flows/engine/context.ts';
import type { Log } from '../../src/logging.ts';
import { createMarketplaceClient } from '../../src/marketplace/client.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import { verifySignature } from '../../src/marketplace/signature.ts';
import type { Chance } from '../../src/sandbox/chance.ts';
import { FOR_WEBHOOKS, isKnown } from '../../src/shadow/known.ts';
import { createCommits } from '../../src/store/sql/commits.ts';
import type { Database, Queryable, Readable } from '../../src/store/sql/database.ts';
import { drizzle, migrate } from '../../src/store/sql/orm.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { sqliteEngine } from '../../src/store/sqlite/commit-engine.ts';
import { SHARED, snapshotOf } from '../../src/store/sqlite/database.ts';
import { scratchOf } from '../../src/store/sqlite/scratch.ts';
import { keepStatements } from '../../src/store/sqlite/statements.ts';
import { planOn } from '../../src/use/plan.ts';
import type { PlanItem } from '../../src/use/plan-item.ts';
import { createRehearsalClock } from '../../src/use/rehearsal/rehearse.ts';
import { readBothSides, type SyncResult, syncAccount } from '../../src/use/sync.ts';
import { plainAuth } from '../support/plain-auth.ts';
import type { createNetwork, Wire } from './network.ts';
import { createSimulatedQueue } from './queue.ts';

/** What is left of the program when it is killed. */
export interface Disk {
  readonly sqlite: SqliteDatabase.Database;
  readonly drizzled: ReturnType<typeof openDrizzle>;
  /** What each life of a story reads and writes it by, first to last: a dead one must not write by that of the next. */
  readonly lives: Database[];
}

const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url));
const EMPTIED = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%migrations'";
let kept: Disk | null = null;

/** The disk as the migrations leave it. All stories of a process use one, since its queries are built only once then. */
export function openDisk(): Disk {
  kept ??= formatDisk();
  const { sqlite } = kept;
  sqlite.transaction(() => {
    const tables = sqlite.prepare(EMPTIED).pluck().all();
    for (const table of tables) sqlite.prepare(`DELETE FROM "${String(table)}"`).run();
  })();
  return kept;
}

function formatDisk(): Disk {
  const sqlite = new SqliteDatabase(':memory:');
  migrate(drizzle(sqlite), { migrationsFolder: MIGRATIONS });
  keepStatements(sqlite);
  return { sqlite, drizzled: openDrizzle(sqlite), lives: [] };
}

function openDrizzle(sqlite: SqliteDatabase.Database) {
  return drizzle(sqlite);
}

export interface BridgeParts {
  readonly config: Config;
  readonly disk: Disk;
  /** How many lives of this story there were before. */
  readonly life: number;
  readonly luck: Chance;
  readonly network: ReturnType<typeof createNetwork>;
  readonly onSend: Wire['onSend'];
  readonly governor: Governor;
  /** Asked before and after every effect (a commit, a request): true kills the program right there. */
  readonly killNow: (effect: string) => boolean;
  readonly onKilled: () => void;
  readonly log: Log;
}

/** One life of the program, from its start to its end or its being killed. */
export interface Bridge {
  readonly context: AccountContext;
  /** Takes a webhook; the status it is answered with, null when nobody is there. */
  receive(kind: 'orders' | 'products', headers: Record<string, string>, body: string): Promise<number | null>;
  wipeQueue(): void;
  /** A pass over everything until quiet, while nothing is polled. */
  sync(): Promise<SyncResult>;
  stopPolling(): void;
  kill(): void;
}

/** What a dead program waits for. One for all of them would keep all of them in memory. */
const never = () => new Promise<never>(() => {});

export function startBridge(parts: BridgeParts): Bridge {
  const { config, luck, log } = parts;
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  let alive = true;
  const kill = (): void => {
    if (!alive) return;
    alive = false;
    parts.onKilled();
  };
  const effect = (name: string): void => {
    if (alive && parts.killNow(name)) kill();
  };
  const wire: Wire = {
    alive: () => alive,
    onSend: (side, request) => {
      if (request.method !== 'GET') effect('request');
      return alive ? parts.onSend(side, request) : null;
    },
  };
  const db = openDatabase(parts.disk, parts.life, () => alive, effect);
  const store = createStore(db, Date.now);
  const queue = createSimulatedQueue(luck);
  const health = createHealth(Date.now);
  const context = contextOf(account, { store, queue, health, governor: parts.governor, network: parts.network, wire });
  const filling = startFilling({ account: account.name, store, queue, log, now: Date.now });
  const handling = {
    accounts: new Map([[account.name, context]]),
    dryRun: false,
    health,
    log,
    ended: filling.ended,
    onResult: () => {},
  };
  queue.work({ handle: (job, attempt) => handleJob(handling, job, attempt), trouble: () => {} });
  const schedule = startSchedule(context, queue, log);
  startHousekeeping(config, context, log);
  startPruning(config, { store, giveBackSpace: () => {} }, log);
  const intake = createIntake({
    accounts: new Map([[account.name, account.marketplace.webhooks]]),
    verify: verifySignature,
    inbox: store.inbox,
    isNews: async (delivery) => !(await isKnown(context, delivery)),
    nudge: (name, kind) =>
      void queue.enqueue([{ account: name, name: `read:${kind}`, key: FOR_WEBHOOKS, lane: 'webhook' }]),
    onFailure: (error) => log.warn({ err: error }, 'not stored'),
    nowMs: Date.now,
    limits: RECEIVER_LIMITS,
  });

  return {
    context,
    async receive(kind, headers, body) {
      if (!alive) return null;
      const sender = intake.sender(account.name);
      if (sender === null) throw new Error('no sender');
      return (await intake.after(sender, kind, headers, Buffer.from(body))).status;
    },
    wipeQueue: queue.wipe,
    sync: () => {
      const known = new Map([[account.name, { queue }]]);
      return syncAccount({ known, health }, context, new AbortController().signal, () => {});
    },
    stopPolling: () => schedule.stop(),
    kill,
  };
}

function contextOf(
  account: AccountConfig,
  {
    store,
    queue,
    health,
    governor,
    network,
    wire,
  }: Pick<AccountParts, 'store' | 'queue' | 'health'> &
    Pick<BridgeParts, 'governor' | 'network'> & { readonly wire: Wire },
): AccountContext {
  const { auth, token } = plainAuth(account);
  return createContext({
    config: account,
    store,
    queue,
    health,
    onJournal: () => {},
    client: createMarketplaceClient({
      ...account.marketplace,
      auth,
      overrides: account.marketplace.operations,
      governor,
      dispatcher: network('marketplace', wire),
    }),
    erp: createContractErp({
      url: account.erp.addresses['url'] ?? '',
      timeoutMs: account.erp.timeoutMs,
      token,
      dispatcher: network('erp', wire),
    }),
  });
}

/** Another process, which reads both sides while the program does not run, and plans on a copy of the disk. */
export async function planFor(
  parts: Pick<BridgeParts, 'config' | 'disk' | 'network' | 'governor'> & { readonly onSend: Wire['onSend'] },
): Promise<readonly PlanItem[]> {
  const { config, disk, network, governor, onSend } = parts;
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  const wire: Wire = { alive: () => true, onSend };
  const { store, commitAll } = openBeside(disk);
  const queue = { enqueue: async () => {} };
  const context = contextOf(account, { store, queue, health: createHealth(Date.now), governor, network, wire });
  const signal = new AbortController().signal;
  await readBothSides(context, signal, () => {});
  commitAll();
  const clock = createRehearsalClock(Date.now);
  const scratch = scratchOf(new SqliteDatabase(disk.sqlite.serialize()), clock.now);
  try {
    return (await planOn(scratch.store, clock, context, { signal, onLook: () => {} })).items;
  } finally {
    scratch.close();
  }
}

/** Another process on the same disk. */
export function openBeside({ sqlite, drizzled }: Disk) {
  const { transaction, note, commitAll } = createCommits<Queryable>(sqliteEngine(sqlite), drizzled);
  const database: Database = Object.assign(Object.create(drizzled) as Readable, {
    snapshot: snapshotOf(sqlite),
    shared: SHARED,
    transaction,
    note,
  });
  return { store: createStore(database, Date.now), commitAll };
}

/** The real store on the disk that outlives the program; once that is dead, nothing it still wants is written. */
function openDatabase(
  { sqlite, drizzled, lives }: Disk,
  life: number,
  alive: () => boolean,
  effect: (name: string) => void,
): Database {
  const { transaction, note } = createCommits<Queryable>(sqliteEngine(sqlite), drizzled);
  lives[life] ??= Object.create(drizzled) as Database;
  return Object.assign(lives[life], {
    snapshot: snapshotOf(sqlite),
    shared: SHARED,
    async transaction<Result>(work: (tx: Queryable) => Result): Promise<Result> {
      effect('before a commit');
      if (!alive()) return never();
      const result = await transaction(work);
      effect('after a commit');
      return alive() ? result : never();
    },
    async note<Result>(work: (tx: Queryable) => Result): Promise<Result> {
      effect('before a commit');
      if (!alive()) return never();
      const result = await note(work);
      effect('after a commit');
      return alive() ? result : never();
    },
  });
}
