import { setImmediate as nextTurn } from 'node:timers/promises';
import { createContext } from '../../core/accounts.ts';
import { type Handling, handleJob } from '../../daemon/worker/handle.ts';
import { createHealth } from '../../daemon/worker/health.ts';
import type { ImageFetcher } from '../../erp/images/fetcher.ts';
import type { AccountContext } from '../../flows/engine/context.ts';
import { type FlowName, isFlow } from '../../flows/flows.ts';
import {
  differencesOf,
  type FlowKey,
  findDifferences,
  type PlannedKey,
  resync,
  type Tried,
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

/** A time that passes only when nothing else is left to do. */
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
  /** The account on the copy, as the passes would leave it. */
  readonly context: AccountContext;
  /** The entries of the journal that the passes would write, in their order. */
  readonly entries: readonly JournalEvent[];
  /** The entities that are not in step after the passes. */
  readonly left: readonly PlannedKey[];
  readonly newIds: NewIds;
}

interface RehearsalParts {
  /** A copy of the store. The rehearsal writes to it. */
  readonly store: Store;
  readonly clock: RehearsalClock;
  readonly signal: AbortSignal;
  readonly onWrite: (entry: JournalEvent) => void;
  /** Called for every entity that is looked at. */
  readonly onLook: (flow: string) => void;
  /** Called with the number of keys that wait to be looked at. */
  readonly onPending: (pending: number) => void;
  /** Only these entities are compared, and the work of the copy is theirs. null: all entities. */
  readonly only: readonly FlowKey[] | null;
}

/** The time that passes when everything that is left waits, and the most such waits in a row. */
const WAIT_MS = 60_000;
const MAX_WAITS = 3;
const BATCH = 500;

/**
 * Plays the passes over an account on a copy of its store until they are quiet. The flows are those of the daemon. Both sides are as
 * they were read, and accept every write. The plan therefore shows exactly the writes of the passes.
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
  const tried: Tried = { sinceMs: now(), plans: new Set() };
  const compared = comparing(rehearsed, parts);
  let left: PlannedKey[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    const before = entries.length;
    // The ERP's figures change with its orders, so they are read again. Everything else is as the writes were answered.
    if (pass > 0) await READS[changesOf('erp-stock')](rehearsed, { key: 'all', lane: 'poll', signal });
    left = [];
    await resync(rehearsed, signal, tried, keptIn(left, compared.differences()));
    await workOff(handling, rehearsed, { ...parts, written: () => entries.length, onKey: compared.add });
    if (entries.length === before) return { context: rehearsed, entries, left, newIds };
  }
  return { context: rehearsed, entries, left: await Array.fromAsync(compared.differences()), newIds };
}

/** The entities that every pass compares. Where only some are compared, those are added that follow from their writes. */
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

/** Every address has an image of its own, which no listing has yet: nothing is fetched. */
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
  /** Called with every entity before its look. */
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
      // The copy answers at once. A daemon that rehearses goes on with its own work between two looks.
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
    // The copy has the failure on record, as the store would have it.
    signal.throwIfAborted();
  }
}
