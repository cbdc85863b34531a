import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Process, start } from '../../bench/support/rpc.ts';
import { accountText } from '../../support/brand.ts';
import { type Chance, chance } from '../../support/chance.ts';
import { startSentinels } from '../../support/redis-nodes.ts';
import { redisKeys } from '../../support/redis-state.ts';
import { startDaemons } from './daemons.ts';
import { type Breakable, FAULTS, type Fault } from './faults.ts';
import { openLines } from './lines.ts';
import { type JournalLine, workedByTwo } from './proof.ts';
import { startReplicated } from './replicated.ts';
import type { SidesApi } from './sides-process.ts';
import { type Takeover, watchTakeovers } from './takeovers.ts';

export interface SeveralOptions {
  readonly seed: string;
  readonly accounts: number;
  readonly lastsMs: number;
  readonly everyMs: number;
  readonly faults?: readonly Fault[];
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface Played {
  readonly struck: ReadonlyMap<string, number>;
  readonly orders: number;
  readonly calls: number;
  /** Answers of the marketplace with 429. */
  readonly tooFast: number;
  /** The differences in the end; empty when both sides of all brands agree. */
  readonly disagreements: readonly string[];
  /** Stock figures of ours that the ERP never had. */
  readonly tooMuch: readonly string[];
  /** Accounts that two daemons worked at the same time. */
  readonly workedByTwo: readonly string[];
  readonly journalEntries: number;
  /** The entries whose daemon a log names. */
  readonly namedEntries: number;
  readonly takeovers: readonly Takeover[];
  readonly settledMs: number;
}

/** The marketplace's limits (spec 1, Rate limits). */
const LIMITS = { perSecond: 8, perMinute: 300 };
const PRODUCTS = 5;
const NAMES = ['first', 'second', 'third'];
const LISTED_LIMIT_MS = 600_000;
const SETTLE_LIMIT_MS = 600_000;
const LOOK_EVERY_MS = 2_000;
const JOURNAL = 'select id, account from journal order by id';
const LEFT =
  "select account || ': ' || flow || ' ' || key || ' is ' || state as told from work where state <> 'held' limit 20";

/** Three daemons work many brands on one PostgreSQL and one Redis behind sentinels, and something breaks all the time. */
export async function playSeveral(options: SeveralOptions): Promise<Played> {
  const shared = await openShared(options);
  try {
    return await play(shared, options);
  } finally {
    await shared.close();
  }
}

type Shared = Awaited<ReturnType<typeof openShared>>;

async function openShared({ accounts, tell }: SeveralOptions) {
  const closing = new AsyncDisposableStack();
  try {
    const dir = mkdtempSync(join(tmpdir(), 'several-'));
    closing.defer(() => rmSync(dir, { recursive: true, force: true }));
    const postgres = await startReplicated();
    closing.defer(postgres.stop);
    const redis = await startSentinels();
    closing.defer(redis.stop);
    const sides: Process<SidesApi> = start<SidesApi>(new URL('sides-process.ts', import.meta.url));
    closing.defer(sides.end);
    const brands = await sides.api.open(accounts, { products: PRODUCTS, rate: LIMITS });
    const polls = { poll: '15s', erpPoll: '10s', ...LIMITS };
    const lines = await openLines(NAMES, postgres.socket);
    closing.defer(lines.close);
    const stateOf = (name: string) => {
      const line = lines.of.get(name);
      const url = postgres.url(line?.host ?? '', line?.port ?? 0);
      return `{ dir: ${join(dir, name)}, store: postgres, postgres: "${url}", ${redisKeys(redis.target)} }`;
    };
    const daemons = await startDaemons({
      dir,
      names: NAMES,
      state: stateOf,
      accounts: new Map(brands.map((brand) => [brand.name, accountText(brand, polls)])),
    });
    closing.defer(daemons.stop);
    tell(`${NAMES.length} daemons, ${accounts} accounts; between a daemon and PostgreSQL ${lines.what}`);
    await sides.api.sendWebhooksTo(daemons.all.map(({ receiverUrl }) => receiverUrl));
    const all = closing.move();
    return { postgres, redis, sides: sides.api, daemons, lines: lines.of, close: () => all.disposeAsync() };
  } catch (error) {
    await closing.disposeAsync();
    throw error;
  }
}

async function play(shared: Shared, options: SeveralOptions): Promise<Played> {
  const { postgres, sides, daemons } = shared;
  const { signal, tell, seed } = options;
  const ended = new AbortController();
  const takeovers = watchTakeovers(postgres, AbortSignal.any([ended.signal, signal]));
  await untilListed(shared, options);
  await sides.startLife(seed);
  const struck = await breakThings({ ...shared, takeovers, luck: chance(seed) }, options);
  await sides.stopLife();
  tell('people rest; waiting until both sides of all brands agree');
  const restedMs = Date.now();
  const disagreements = await untilInStep(shared, signal);
  const settledMs = Date.now() - restedMs;
  ended.abort();
  await takeovers.ended();
  const rows = (await postgres.query(JOURNAL)).rows;
  const journal: JournalLine[] = rows.map(({ id, account }) => ({ id: Number(id), account: String(account) }));
  const said = daemons.said();
  const { orders, calls, tooFast } = await sides.figures();
  return {
    struck,
    orders,
    calls,
    tooFast,
    disagreements: [
      ...disagreements,
      ...(takeovers.left() === 0 ? [] : [`${takeovers.left()} accounts were not taken`]),
    ],
    tooMuch: await sides.tooMuch(),
    workedByTwo: workedByTwo(journal, said),
    journalEntries: journal.length,
    namedEntries: [...said.values()].reduce((sum, { entries }) => sum + entries.length, 0),
    takeovers: takeovers.done(),
    settledMs,
  };
}

/** Lets each fault strike once in random order, and then all again. */
async function breakThings(on: Breakable, options: SeveralOptions): Promise<Map<string, number>> {
  const { lastsMs, everyMs, faults = FAULTS, signal, tell } = options;
  const struck = new Map<string, number>();
  const startedMs = Date.now();
  let left: Fault[] = [];
  for (let atMs = everyMs; atMs < lastsMs; atMs += everyMs) {
    await pause(startedMs + atMs - Date.now(), signal);
    if (left.length === 0) left = shuffled(faults, on.luck);
    const fault = left.shift();
    if (fault === undefined || signal.aborted) break;
    const beganMs = Date.now();
    await fault.strike(on);
    struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
    tell(`${fault.name}: ${((Date.now() - beganMs) / 1_000).toFixed(1)} s`);
  }
  await pause(startedMs + lastsMs - Date.now(), signal);
  return struck;
}

function shuffled<T>(all: readonly T[], luck: Chance): T[] {
  return all
    .map((one) => [luck.whole(0, 2 ** 31), one] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, one]) => one);
}

/** Waits for the listings: before that, there is nothing to buy. */
async function untilListed({ sides }: Shared, { signal, tell }: SeveralOptions): Promise<void> {
  for (const endMs = Date.now() + LISTED_LIMIT_MS; ; await pause(LOOK_EVERY_MS, signal)) {
    const { unlisted } = await sides.figures();
    if (unlisted === 0) return;
    if (Date.now() > endMs || signal.aborted) throw new Error(`${unlisted} products of the ERPs were not listed`);
    tell(`${unlisted} products are not listed yet`);
  }
}

/** Returns the differences that remain at the end of the wait. */
async function untilInStep({ postgres, sides }: Shared, signal: AbortSignal): Promise<string[]> {
  for (const endMs = Date.now() + SETTLE_LIMIT_MS; ; await pause(LOOK_EVERY_MS, signal)) {
    const left = (await postgres.query(LEFT)).rows.map(({ told }) => String(told));
    const isLate = Date.now() > endMs || signal.aborted;
    const found = left.length === 0 || isLate ? [...left, ...(await sides.disagreements())] : left;
    if (found.length === 0 || isLate) return found;
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {});
}
