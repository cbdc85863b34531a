import { appendFileSync } from 'node:fs';
import { type App, startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { syncAccount } from '../../src/use/sync.ts';
import { serve } from '../bench/support/rpc.ts';
import { told } from '../support/causes.ts';
import { holesOnRecord } from '../support/holes.ts';
import { withDatabase } from '../support/tamper.ts';
import { numberEffects, type Point } from './effects.ts';
import { imprintOf } from './imprint.ts';
import { openLine } from './line.ts';
import { show } from './points.ts';

/* The daemon in a process of its own, which ends itself at a given point. */

const ACCOUNT = 'main';
const SYNC_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 2_000;
const SHORT_MS = 250;
/** On a busy machine an answer may be late. Then a pass asks to be repeated. */
const MAX_PASSES = 5;

export interface Run {
  readonly configFile: string;
  /** Socket of the Redis to use. */
  readonly redis: string;
  /** The address of the daemon's database on PostgreSQL; null: it is on SQLite. */
  readonly postgres: string | null;
  /** The file has a line for every effect and for the end of every sync. */
  readonly effectsFile: string;
  /** The point at which the process ends itself as a power cut would. */
  readonly point: Point | null;
  /** The folder of which an imprint is taken at every point of the first sync. */
  readonly imprintsOf: string | null;
  readonly syncs: number;
  /** How far the daemon's clock is ahead: it starts this much later than the previous one. */
  readonly clockAheadMs: number;
}

export const SYNC_ENDED = 'a sync has ended';

export interface JournalLine {
  readonly action: string;
  readonly outcome: string;
}

/** The imprint that a kill at this point would leave behind. */
export interface Left {
  readonly point: Point;
  readonly imprint: string;
}

/** The end of a run that was not killed. */
export interface Ended {
  /** Keys that the last sync left to be tried again. */
  readonly pending: number;
  readonly journal: readonly JournalLine[];
  /** The keys that are not settled, with the reasons. */
  readonly left: readonly string[];
  /** The times that no completed read has covered, on SQLite. */
  readonly holes: string[];
  readonly points: readonly Left[];
}

const api = {
  /** Brings both sides into step the given number of times, and stops. */
  async run({ configFile, redis, postgres, effectsFile, point, imprintsOf, syncs, clockAheadMs }: Run): Promise<Ended> {
    const points: Left[] = [];
    const pending: number[] = [];
    const counting = numberEffects(effectsFile, (here) => {
      if (point !== null && show(here) === show(point)) process.kill(process.pid, 'SIGKILL');
      if (imprintsOf !== null && pending.length === 0) points.push({ point: here, imprint: imprintOf(imprintsOf) });
    });
    lookMoreOften();
    const { now } = Date;
    Date.now = () => now() + clockAheadMs;
    const { config, secrets } = loadConfig(configFile, {});
    const log = createLogger({ level: process.env['LOG'] === undefined ? 'silent' : 'debug', secrets });
    const line = postgres === null ? null : await openLine(postgres, counting);
    const state = { ...config.state, redis: { kind: 'server', url: redis } as const, postgres: line };
    const app = await startApp({ config: { ...config, state }, log, unlimited: true }, ['work']);
    for (let sync = 0; sync < syncs; sync += 1) {
      pending.push(await syncUntilQuiet(app));
      appendFileSync(effectsFile, `${SYNC_ENDED}\n`);
    }
    const holes = postgres === null ? withDatabase(app.core.state.dir, holesOnRecord) : [];
    const ended = {
      pending: pending.at(-1) ?? 0,
      journal: await app.core.state.store.journal.after(0, 1_000_000),
      left: await leftOf(app),
      holes,
      points,
    };
    await app.stop(STOP_LIMIT_MS);
    return ended;
  },
};

export type DaemonApi = typeof api;

/** Shortens the pauses between looks: a matrix of runs has no time to wait. */
function lookMoreOften(): void {
  const original = globalThis.setInterval;
  const quicker = (work: () => void, ms: number) => original(work, ms <= SHORT_MS ? 10 : ms);
  globalThis.setInterval = quicker as typeof setInterval;
}

/** Returns the number of keys that are left to be tried again. */
async function syncUntilQuiet({ core }: App): Promise<number> {
  const context = core.accounts.get(ACCOUNT);
  if (context === undefined) throw new Error(`there is no account ${ACCOUNT}`);
  for (let pass = 1; ; pass += 1) {
    const { failure, pending } = await syncAccount(core, context, AbortSignal.timeout(SYNC_LIMIT_MS), () => {});
    if (failure === null && pending === 0) return 0;
    if (pass < MAX_PASSES) continue;
    if (failure !== null) throw failure;
    return pending;
  }
}

async function leftOf({ core }: App): Promise<string[]> {
  const { work, doubts } = core.state.store;
  const inDoubt = (await doubts.after(0, 1_000)).filter(({ state }) => state === 'in-doubt');
  return [
    ...(await work.held()).map((row) => `${row.flow} ${row.key} is held: ${told(row.heldFor)}`),
    ...(await work.failed()).map((job) => `${job.flow} ${job.key} failed: ${job.message}`),
    ...inDoubt.map(
      (intent) =>
        `${intent.kind} ${intent.key} is in doubt: ${told(intent.evidence === null ? [] : [intent.evidence])}`,
    ),
  ];
}

serve(api);
