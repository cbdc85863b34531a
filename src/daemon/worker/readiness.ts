import type { AccountConfig, Config } from '../../config/resolve.ts';
import { isCursorAhead } from '../../domain/ahead.ts';
import type { Side } from '../../domain/failure.ts';
import { SLOW_MS } from '../../domain/freshness.ts';
import { kindOf } from '../../erp/connectors.ts';
import { collectionsRead } from '../../flows/flows.ts';
import { descriptors, outOfDescriptorsText } from '../../machine/descriptors.ts';
import { freeBytesOrNull, gigabytes } from '../../machine/disk.ts';
import { stoodStillText } from '../../machine/event-loop.ts';
import { readsStoppedHere } from '../../shadow/alerts.ts';
import { readsOf } from '../../shadow/collections.ts';
import type { AccountRecords } from '../../shadow/context.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { Store } from '../../store/store.ts';
import type { RedisClient } from '../redis/connect.ts';
import { listsLateByUs } from './freshness.ts';
import { type Health, SIDE_NAMES, SIDES } from './health.ts';

/** The heartbeat's key in Redis expires after this time. */
const HEARTBEAT_MS = 1_000;

/** The time for all questions of one check. A probe waits a little longer. */
const ANSWERS_MS = 4_000;

interface Parts {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly store: Store;
  readonly dir: string;
  readonly accounts: ReadonlyMap<string, AccountRecords>;
  readonly health: Health;
  /** This process calls the two sides. Otherwise it does not know whether they answer. */
  readonly works: boolean;
  readonly config: Pick<Config, 'unusable'>;
  readonly known: ReadonlyMap<string, unknown>;
}

interface Found {
  readonly reasons: string[];
  readonly unknown: string[];
}

/** Why this process cannot work now, with what to do. A hanging Redis or database is reported, not waited for. */
export async function readinessOf(parts: Parts): Promise<Found & { ready: boolean }> {
  const found = await Promise.all([
    inTime(findInRedis(parts), 'Redis hangs', 'check the server, or state.redis'),
    inTime(findInDatabase(parts), 'the database hangs', 'check its server, or the disk of the data folder'),
  ]);
  const leftOut = parts.config.unusable.filter(({ account }) => account !== '' && !parts.known.has(account));
  const reasons = [
    ...machineReasons(parts.health),
    ...leftOut.map(
      ({ account }) => `${account}: this account is not worked, because its configuration cannot be used; ${TELLS}`,
    ),
    ...found.flatMap((one) => one.reasons),
  ];
  return { ready: reasons.length === 0, reasons, unknown: found.flatMap((one) => one.unknown) };
}

async function inTime(asked: Promise<Found>, event: string, mend: string): Promise<Found> {
  const { promise: late, resolve } = Promise.withResolvers<Found>();
  const reason = `${event}: it has not answered within ${ANSWERS_MS / 1000} s: ${mend}`;
  const timer = setTimeout(() => resolve({ reasons: [reason], unknown: [] }), ANSWERS_MS);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

async function findInRedis({ redis, prefix }: Parts): Promise<Found> {
  if (redis.status !== 'ready')
    return { reasons: ['Redis does not answer: check the server, or state.redis'], unknown: [] };
  // A Redis without memory answers, but refuses writes.
  const written = await redis.set(`${prefix}:heartbeat`, '', 'PX', HEARTBEAT_MS).catch((error: unknown) => error);
  const text = written instanceof Error ? [`Redis cannot be written (${written.message}): ${MAKE_ROOM}`] : [];
  return { reasons: text, unknown: [] };
}

const MAKE_ROOM = 'raise its maxmemory, or make room on its disk';

/** What the database knows of the accounts: everything but the state of their sides. */
async function findInDatabase(parts: Parts): Promise<Found> {
  const written = await parts.store.facts.set('', 'heartbeat', '').catch((error: unknown) => error);
  const reasons = written instanceof Error ? [databaseReason(written, parts.dir)] : [];
  const unknown: string[] = [];
  const cursors = parts.works ? await parts.store.cursors.all() : [];
  for (const [account, known] of parts.accounts) {
    const { store, config } = known;
    const reads = new Set<string>([...collectionsRead(config).flatMap(readsOf), 'read:everything']);
    const stopped = (await readsStoppedHere(known)).filter(({ name }) => reads.has(name));
    reasons.push(...stopped.map(({ name, by }) => `${account}: ${name} is stopped by ${STOPPERS[by]}; ${MORE}`));
    if (parts.works) {
      reasons.push(...reasonsOfSides(account, mendsOf(config), parts));
      const areListingsKnown = (await store.facts.get(account, LISTINGS_KNOWN)) !== null;
      if (!areListingsKnown) reasons.push(`${account}: the listings have not been read completely yet`);
      reasons.push(...reasonsOfCursors(account, cursors, Date.now()));
      const late = await listsLateByUs(known, parts.health);
      if (late.length > 0) reasons.push(lateReason(account, late));
    } else {
      const sides = `whether ${SIDE_NAMES.marketplace} and ${SIDE_NAMES.erp} answer and take the credentials`;
      unknown.push(`${account}: ${sides}: only the process with the role work knows`);
    }
  }
  return { reasons, unknown };
}

/** This machine's clock may have been set back by hours, so only a cursor further ahead is surely wrong. */
const SET_BACK_MS = 24 * 60 * 60_000;

type Cursors = Awaited<ReturnType<Store['cursors']['all']>>;

function reasonsOfCursors(account: string, cursors: Cursors, nowMs: number): string[] {
  const latestMs = nowMs + SET_BACK_MS;
  const ahead = cursors.filter((row) => row.account === account && isCursorAhead(row.value, latestMs));
  const mend = 'the next read begins from the beginning; is the clock of this machine right?';
  return ahead.map(
    ({ collection }) => `${account}: changes of ${collection} are asked for from the future on: ${mend}`,
  );
}

function lateReason(account: string, lists: readonly string[]): string {
  return `${account}: ${lists.join(', ')} ${lists.length === 1 ? 'is' : 'are'} not read in time, although the side answers: is this machine too busy, or its disk too slow?`;
}

function machineReasons(health: Health): string[] {
  const counted = descriptors();
  const isFull = counted !== null && counted.open >= counted.allowed;
  const stoodStillMs = health.stoodStillMs();
  return [
    ...(isFull || health.lacksDescriptors() ? [outOfDescriptorsText('EMFILE', counted)] : []),
    ...(stoodStillMs >= SLOW_MS ? [stoodStillText(stoodStillMs)] : []),
  ];
}

function databaseReason({ name, message }: Error, dir: string): string {
  if (name === 'FileGoneError' || name === 'NewerVersionError') return message;
  const free = freeBytesOrNull(dir);
  const room = free === null ? '' : ` The data folder has ${gigabytes(free)} left`;
  return `the database cannot be written (${message}): is the disk full?${room}`;
}

/** Anybody may ask for readiness. A side's messages and address are only for people who may see the status. */
const MORE = '"stockbridge status" shows what it says';
const TELLS = '"stockbridge status" shows why';
const FAULTS = { down: 'does not answer', credentials: 'refuses the credentials' } as const;
const STOPPERS = {
  'store-failing': 'the database, which fails in it: "stockbridge doctor" looks at the database and its disk',
  'every-row-fails': 'a mistake of this program, which fails on every row of a page: report it',
} as const;
type Mends = Readonly<Record<Side, Readonly<Record<keyof typeof FAULTS, string>>>>;
const mendsOf = ({ erp }: AccountConfig): Mends => ({
  marketplace: { down: 'is it up, and base_url right?', credentials: 'check marketplace.auth' },
  erp: kindOf(erp.section).mends,
  redis: { down: 'check the server, or state.redis', credentials: 'check state.redis' },
});

/** Starts a new sentence after a question. */
function then(mend: string, more: string): string {
  return `${mend}${mend.endsWith('?') ? '' : ';'} ${more}`;
}

function reasonsOfSides(
  account: string,
  mends: Mends,
  { redis, health }: { redis: RedisClient; health: Health },
): string[] {
  const reasons: string[] = [];
  for (const side of SIDES) {
    const { state } = health.get(account, side);
    if (side === 'redis' && redis.status !== 'ready') continue;
    if (state !== 'ok')
      reasons.push(`${account}: ${SIDE_NAMES[side]} ${FAULTS[state]}: ${then(mends[side][state], MORE)}`);
  }
  return reasons;
}
