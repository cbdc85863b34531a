import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type App, startApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Role } from '../../../src/daemon/roles.ts';
import { createLogger } from '../../../src/logging/logging.ts';
import { readsOf } from '../../../src/use/status.ts';
import { syncAccount } from '../../../src/use/sync.ts';
import { serve } from './rpc.ts';

/* The daemon in a process of its own, as `stockbridge run` and `stockbridge sync` start it, with its quota on or off. */

const STOP_LIMIT_MS = 10_000;
const ACCOUNT = 'main';
/** More webhooks than a run sends. */
const MANY = 100_000;

let app: App;

const api = {
  async start(options: { configFile: string; unlimited: boolean; roles: readonly Role[]; logFile: string }) {
    const { config, secrets } = loadConfig(options.configFile, {});
    const fd = openSync(options.logFile, 'a');
    const log = createLogger({ level: 'info', secrets, to: { write: (line) => writeSync(fd, line) } });
    app = await startApp({ config, log, unlimited: options.unlimited }, options.roles);
    return { receiverUrl: app.receiverUrl, adminUrl: app.adminUrl };
  },

  /** Why the daemon is not ready. */
  async lacking(): Promise<readonly string[]> {
    return (await app.readiness()).reasons;
  },

  /** Keys that wait to be looked at. */
  pending: () => app.core.state.store.work.pending(ACCOUNT),

  /** An operator approves every write that a brake holds. Returns how many. */
  async approveAll(): Promise<number> {
    const { brakes } = app.core.state.store;
    let count = 0;
    for (const { plan, hash } of await brakes.list()) {
      if (plan.state !== 'open') continue;
      const asked = { except: [], expiryMs: { [ACCOUNT]: 86_400_000 }, by: 'the bench' };
      count += (await brakes.approve({ hash }, asked)).approved.length;
    }
    return count;
  },

  /** The age of each list, and its interval; null: never read. */
  async ages(): Promise<{ collection: string; ageMs: number | null; everyMs: number }[]> {
    const known = app.core.known.get(ACCOUNT);
    if (known === undefined) throw new Error('there is no account');
    return [...(await readsOf(known.context.config, app.core.state.store, Date.now()))];
  },

  async sync() {
    const context = app.core.accounts.get(ACCOUNT);
    if (context === undefined) throw new Error('there is no account');
    const { failure, ...result } = await syncAccount(app.core, context, AbortSignal.timeout(3_600_000), () => {});
    return { ...result, failure: failure?.message ?? null };
  },

  /** Webhooks that are stored and not looked at yet. */
  async unseenWebhooks(): Promise<number> {
    const { inbox } = app.core.state.store;
    const [orders, products] = [
      inbox.unprocessed(ACCOUNT, 'orders', MANY),
      inbox.unprocessed(ACCOUNT, 'products', MANY),
    ];
    return (await orders).length + (await products).length;
  },

  /** `redisMs`: the processor of the private Redis. */
  usage() {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const redisMs = childrenOf(process.pid).reduce((sum, pid) => sum + cpuOf(pid), 0);
    return { peakMb: maxRSS / 1024, cpuMs: (userCPUTime + systemCPUTime) / 1_000, redisMs };
  },

  /** The live memory after a garbage collection, in and outside of the heap; needs `--expose-gc`. */
  async aliveMb(): Promise<number> {
    for (let round = 0; round < 3; round += 1) {
      globalThis.gc?.();
      await nextTurn();
    }
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / 2 ** 20;
  },

  stop: () => app.stop(STOP_LIMIT_MS),
};

export type DaemonApi = typeof api;

function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const lists = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** Milliseconds; the system counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

serve(api);
