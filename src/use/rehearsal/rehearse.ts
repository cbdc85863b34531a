import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext } from '../../core/accounts.ts';
import { type Handling, handleJob } from '../../daemon/worker/handle.ts';
import { createHealth } from '../../daemon/worker/health.ts';
import type { ImageFetcher } from '../../erp/images/fetcher.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import { type FlowName, isFlow } from '../../flows/flows.ts';
import {
  differencesOf,
  type EarlierTries,
  type FlowKey,
  findDifferences,
  type PlannedKey,
  resync,
} from '../../flows/resync.ts';
import { createLogger } from '../../logging/logging.ts';
import { changesOf, READS } from '../../shadow/collections.ts';
import type { JournalEvent } from '../../store/record.ts';
import type { Store } from '../../store/store.ts';
import type { WorkRow } from '../../store/work.ts';
import { MAX_PASSES } from '../sync.ts';
import { imaginedErp } from './imagined-erp.ts';
import { imaginedMarketplace } from './imagined-marketplace.ts';
import { createNewIds, type NewIds } from './new-ids.ts';

/** Time that passes only when nothing else is left to do. */
export interface RehearsalClock {
  now(): number;
  pass(ms: number): void;
}

export function createRehearsalClock(now: () => number): RehearsalClock {
  let aheadMs = 0;
  return {
    now: () => now() + aheadMs,
    pass(ms) {
      aheadMs += ms;
    },
  };
}

export interface Rehearsed {
  /** The account on the copy, after the passes. */
  readonly context: AccountContext;
  readonly entries: readonly JournalEvent[];
  readonly left: readonly PlannedKey[];
  readonly newIds: NewIds;
}

interface RehearsalParts {
  readonly store: Store;
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly onWrite: (entry: JournalEvent) => void;
  /** Called for every look. */
  readonly onLook: (flow: string) => void;
  /** Called with the number of waiting keys. */
  readonly onPending: (pending: number) => void;
  /** Compares and works only these; null: all. */
  readonly only: readonly FlowKey[] | null;
}

/** The time to skip when all remaining work waits, and how often in a row. */
const WAIT_MS = 60_000;
const MAX_WAITS = 3;
const BATCH = 500;

/**
 * Runs passes on a copy of the store until they are done. They use the daemon's flows on both sides as read, which
 * accept every write, so the plan shows exactly what the passes write.
 */
export async function rehearse(context: AccountContext, parts: RehearsalParts): Promise<Rehearsed> {
  const { store, clock, signal } = parts;
  const newIds = createNewIds();
  const entries: JournalEvent[] = [];
  const { now } = clock;
  const shadow = { account: context.account, config: context.config, store, now };
  const health = createHealth(now);
  const rehearsed = createContext({
    config: context.config,
    store,
    now,
    health,
    client: imaginedMarketplace(shadow, newIds),
    erp: await imaginedErp(shadow, context.erp, newIds.text),
    images: imaginedImages(),
    queue: { enqueue: async () => {} },
    onJournal(entry) {
      entries.push(entry);
      parts.onWrite(entry);
    },
  });
  const handling: Handling = {
    accounts: new Map([[context.account, rehearsed]]),
    dryRun: false,
    health,
    log: createLogger({ level: 'silent', secrets: [] }),
    ended: () => {},
    onResult: () => {},
  };
  const tried: EarlierTries = { sinceMs: now(), plans: new Set() };
  const compared = comparing(rehearsed, parts);
  let left: PlannedKey[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = entries.length;
    // Orders change the ERP's figures, so stock is read again.
    if (pass > 0) await READS[changesOf('erp-stock')](rehearsed, { key: 'all', lane: 'poll', signal });
    left = [];
    await resync(rehearsed, signal, tried, keptIn(left, compared.differences()));
    await workOff(handling, rehearsed, { ...parts, written: () => entries.length, onKey: compared.add });
    if (entries.length === before) return { context: rehearsed, entries, left, newIds };
  }
  return { context: rehearsed, entries, left: await Array.fromAsync(compared.differences()), newIds };
}

/** What every pass compares, plus what follows from its writes. */
function comparing(context: AccountContext, { signal, onLook, only }: RehearsalParts) {
  const keys = new Map((only ?? []).map((one) => [`${one.flow}/${one.key}`, one]));
  return {
    differences: () =>
      only === null ? findDifferences(context, signal, onLook) : differencesOf(context, [...keys.values()], onLook),
    add(one: FlowKey) {
      if (only !== null) keys.set(`${one.flow}/${one.key}`, one);
    },
  };
}

async function* keptIn(kept: PlannedKey[], found: AsyncIterable<PlannedKey>): AsyncGenerator<PlannedKey> {
  for await (const one of found) {
    kept.push(one);
    yield one;
  }
}

/** Every address has its own new image, so nothing is fetched. */
function imaginedImages(): ImageFetcher {
  return {
    async fetch(address) {
      return { found: 'image', bytes: Buffer.alloc(0), hash: address, contentType: 'image/png', etag: null };
    },
  };
}

interface Working {
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly written: () => number;
  readonly onPending: (pending: number) => void;
  /** Called before every look. */
  readonly onKey: (key: FlowKey) => void;
}

async function workOff(
  handling: Handling,
  { account, store }: AccountContext,
  { clock, signal, written, onPending, onKey }: Working,
): Promise<void> {
  let waits = 0;
  for (let atLastWait = written(); waits < MAX_WAITS; ) {
    const due = (await store.work.due(account, BATCH)).filter((row) => isFlow(row.flow));
    for (const row of due) {
      onKey({ flow: row.flow as FlowName, key: row.key });
      await lookAt(handling, row, signal);
      // The copy answers at once, so a rehearsing daemon must yield between looks.
      await nextTurn();
    }
    onPending(await store.work.pending(account));
    if (due.length > 0) continue;
    if ((await store.work.pending(account)) === 0) return;
    waits = written() === atLastWait ? waits + 1 : 1;
    atLastWait = written();
    clock.pass(WAIT_MS);
  }
}

async function lookAt(handling: Handling, { account, flow, key, lane }: WorkRow, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  try {
    await handleJob(handling, { account, name: flow, key, lane }, { signal, number: 1, isLast: true });
  } catch {
    // The copy records the failure, as the store would.
    signal.throwIfAborted();
  }
}
