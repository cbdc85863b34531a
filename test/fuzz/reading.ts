import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load.ts';
import { createContext } from '../../src/core/accounts.ts';
import { openErp, openMarketplace } from '../../src/core/sides.ts';
import { createHealth } from '../../src/daemon/worker/health.ts';
import { isAhead } from '../../src/domain/ahead.ts';
import { CallFailure } from '../../src/domain/failure.ts';
import { collectionsRead } from '../../src/flows/flows.ts';
import { credentialOf } from '../../src/http/credential.ts';
import { createLogger, type Log } from '../../src/logging/logging.ts';
import { UNLIMITED } from '../../src/marketplace/quota.ts';
import { type Chance, createChance } from '../../src/sandbox/chance.ts';
import { changesOf, firstReads, fullReads, READS, type ReadName } from '../../src/shadow/collections.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { SECRETS, TEXTS, writeConfig } from './people.ts';
import type { Replay } from './replay.ts';
import { differences } from './shadows.ts';
import { watchSlices } from './slices.ts';
import { TWIST_NAMES, TWISTS } from './twists.ts';

export interface ReadingOptions {
  /** The number of answers to change. */
  readonly answers: number;
  readonly seed: number;
  /** The two sides, as they answer from memory. */
  readonly sides: { readonly marketplace: Replay; readonly erp: Replay };
}

export interface FuzzedReading {
  readonly changed: ReadonlyMap<string, number>;
  /** The number of changed answers of each list. */
  readonly lists: ReadonlyMap<string, number>;
  readonly seconds: number;
  /** The longest time in which nothing else had its turn, in processor time: other load does not make it longer. */
  readonly sliceMs: number;
  readonly peakMb: number;
  /** Broken rules. */
  readonly wrong: readonly string[];
}

/** The number of changed answers among ten. */
const CHANGED_OF_TEN = 8;
const ROUNDS_A_WHOLE_READ = 12;
const HEAVY = new Set(['very many junk rows', 'enormous text']);
/** The log names one of this many failed reads. */
const LOGGED_OF = 10;
const CLEAN_PASSES = 4;
const WRONG_SHOWN = 5;
/** A disk in memory, where there is one: commits are written as on any disk, without the wait for a device. */
const MEMORY = '/dev/shm';

/**
 * Reads both sides again and again with the readers, client, connector and store of the daemon, while most answers are changed
 * on their way. Then it reads unchanged answers, until the shadow has to equal that of a store that only saw unchanged
 * answers.
 */
export async function fuzzReading({ answers, seed, sides }: ReadingOptions): Promise<FuzzedReading> {
  const chance = createChance(seed);
  const changed = new Map<string, number>();
  const lists = new Map<string, number>();
  const wrong: string[] = [];
  const crashed = (error: unknown) => wrong.push(`crashed: ${String(error)}`);
  process.on('unhandledRejection', crashed);
  const both = Object.values(sides);
  const attacked = await openReader(sides);
  const slices = watchSlices();
  let done = 0;
  let peakBytes = 0;
  try {
    await attacked.readAll(wrong);
    for (const side of both) {
      side.twist = (answer) => {
        if (done >= answers || chance.whole(1, 10) > CHANGED_OF_TEN) return answer;
        const name = pickTwist(chance);
        const list = answer.target.replace(/\?.*/, '').replace(/\/\d+/g, '/ID');
        done += 1;
        changed.set(name, (changed.get(name) ?? 0) + 1);
        lists.set(list, (lists.get(list) ?? 0) + 1);
        return TWISTS[name]?.(answer, chance) ?? answer;
      };
    }
    const startedMs = performance.now();
    for (let round = 0; done < answers && wrong.length < WRONG_SHOWN; round += 1) {
      for (const side of both) side.move(chance);
      const whole = round % ROUNDS_A_WHOLE_READ === 0;
      await attacked.read(whole ? fullReads(attacked.collections) : attacked.collections.map(changesOf), wrong);
      peakBytes = Math.max(peakBytes, process.memoryUsage().rss);
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    wrong.push(...(await attacked.poisoned()), ...attacked.leaks());
    for (const side of both) side.twist = null;
    wrong.push(...(await recovered(sides, attacked)));
    return { changed, lists, seconds, sliceMs: slices.longestMs(), peakMb: peakBytes / 1e6, wrong };
  } finally {
    process.off('unhandledRejection', crashed);
    slices.stop();
    await attacked.close();
  }
}

/** Twists that take long are picked ten times less often. */
function pickTwist(chance: Chance): string {
  const name = TWIST_NAMES[chance.whole(0, TWIST_NAMES.length - 1)] ?? '';
  return HEAVY.has(name) && chance.whole(1, 10) > 1 ? pickTwist(chance) : name;
}

/** Reads both sides without changes. Differences from a fresh shadow are data that was lost or invented. */
async function recovered(sides: ReadingOptions['sides'], attacked: Reader): Promise<string[]> {
  const fresh = await openReader(sides);
  try {
    const wrong: string[] = [];
    await fresh.readAll(wrong);
    let found: string[] = [];
    for (let pass = 0; pass < CLEAN_PASSES; pass += 1) {
      await attacked.readAll(wrong);
      found = differences(attacked.dir, fresh.dir);
      if (found.length === 0) break;
    }
    return [...wrong, ...found.slice(0, WRONG_SHOWN)];
  } finally {
    await fresh.close();
  }
}

type Reader = Awaited<ReturnType<typeof openReader>>;

/** The readers of the daemon on a store of their own, without the daemon around them. */
async function openReader({ marketplace, erp }: ReadingOptions['sides']) {
  const dir = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'fuzz-reading-'));
  const { config } = loadConfig(writeConfig(dir, [marketplace.url, erp.url]), {});
  const [account] = config.accounts;
  if (account === undefined) throw new Error('there is no account');
  const open = await openDatabase(dir);
  const store = createStore(open.db, Date.now);
  const lines: string[] = [];
  const log: Log = createLogger({ level: 'debug', secrets: [...SECRETS], to: { write: (line) => lines.push(line) } });
  const governor = { acquire: async () => UNLIMITED, observe: async () => {} };
  const client = openMarketplace(account, governor, () => credentialOf(SECRETS[0]));
  const connector = await openErp(account, { erp: () => credentialOf(SECRETS[1]) });
  const context = createContext({
    config: account,
    store,
    client,
    erp: connector,
    queue: { enqueue: async () => {} },
    health: createHealth(Date.now),
    onJournal: ({ flow, key, action, outcome }) => log.info({ flow, key, action, outcome }, 'a finding'),
  });
  const collections = collectionsRead(account).filter((name) => name !== 'images');
  const look = { key: 'all', lane: 'poll', signal: new AbortController().signal } as const;
  let failed = 0;
  const one = async (name: ReadName, wrong: string[]) => {
    try {
      await context.exclusively<unknown>([name], () => READS[name](context, look));
    } catch (error) {
      failed += 1;
      if (failed % LOGGED_OF === 0)
        log.warn({ account: account.name, flow: name, key: 'all', err: error }, 'a read did not succeed');
      if (!(error instanceof CallFailure || error instanceof StoreError)) wrong.push(`${name}: ${told(error)}`);
    }
  };
  return {
    dir,
    collections,
    read: (names: readonly ReadName[], wrong: string[]) => Promise.all(names.map((name) => one(name, wrong))),
    async readAll(wrong: string[]) {
      for (const name of firstReads(collections)) await one(name, wrong);
      for (const name of collections) await one(changesOf(name), wrong);
    },
    /** Cursors in the future, from which a read would miss everything. */
    async poisoned(): Promise<string[]> {
      const now = new Date().toISOString();
      const ahead = (await store.cursors.all()).filter(({ value }) => isAhead(value, now, true));
      return ahead.map(({ collection, value }) => `the cursor of ${collection} lies in the future: ${value}`);
    },
    leaks(): string[] {
      const told = lines.join('');
      return [...SECRETS, ...TEXTS].filter((text) => told.includes(text)).map((text) => `the log tells ${text}`);
    },
    async close() {
      await client.close();
      await connector.close();
      open.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const told = (error: unknown) =>
  (error instanceof Error ? (error.stack ?? error.message) : String(error)).slice(0, 600);
