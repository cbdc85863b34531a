import type { AccountConfig, Config } from '../../config/resolve.ts';
import { descriptors, outOfDescriptorsText } from '../../descriptors.ts';
import { isCursorAhead } from '../../domain/ahead.ts';
import type { Side } from '../../domain/failure.ts';
import { kindOf } from '../../erp/connectors.ts';
import { collectionsRead } from '../../flows/flows.ts';
import { readsStoppedHere } from '../../shadow/alerts.ts';
import { readsOf } from '../../shadow/collections.ts';
import type { Known } from '../../shadow/context.ts';
import { LISTINGS_KNOWN } from '../../shadow/last-read.ts';
import type { Store } from '../../store/store.ts';
import type { RedisClient } from '../redis/connect.ts';
import { listsLateByUs } from './freshness.ts';
import { type Health, SIDE_NAMES, SIDES } from './health.ts';

/** The heartbeat's key in Redis expires after this time. */
const HEARTBEAT_MS = 1_000;

interface Own {
  readonly redis: RedisClient;
  /** The prefix of this installation's keys. */
  readonly prefix: string;
  readonly store: Store;
}

/**
 * Every reason why this process cannot do its work now, each with what to do.
 * @param parts `works`: this process has the role that calls the two sides. A process without that role does not know whether
 * they answer.
 */
export async function readinessOf(parts: {
  redis: RedisClient;
  prefix: string;
  store: Store;
  accounts: ReadonlyMap<string, Known>;
  health: Health;
  works: boolean;
  config: Pick<Config, 'unusable'>;
  known: ReadonlyMap<string, unknown>;
}): Promise<{ ready: boolean; reasons: string[]; unknown: string[] }> {
  const leftOut = parts.config.unusable.filter(({ account }) => account !== '' && !parts.known.has(account));
  const reasons = [
    ...descriptorReasons(parts.health),
    ...(await ownReasons(parts)),
    ...leftOut.map(({ account }) => `${account}: it is left out, because its configuration cannot be used; ${TELLS}`),
  ];
  const unknown: string[] = [];
  for (const [account, known] of parts.accounts) {
    const { store, config } = known;
    const reads = new Set<string>([...collectionsRead(config).flatMap(readsOf), 'read:everything']);
    const stopped = (await readsStoppedHere(known)).filter(({ name }) => reads.has(name));
    reasons.push(...stopped.map(({ name, by }) => `${account}: ${name} is stopped by ${STOPPERS[by]}; ${MORE}`));
    if (parts.works) {
      reasons.push(...reasonsOfSides(account, mendsOf(config), parts));
      const areListingsKnown = (await store.facts.get(account, LISTINGS_KNOWN)) !== null;
      if (!areListingsKnown) reasons.push(`${account}: the listings have not been read completely yet`);
      reasons.push(...(await reasonsOfCursors(account, store, Date.now())));
      const late = await listsLateByUs(known, parts.health);
      if (late.length > 0) reasons.push(lateReason(account, late));
    } else {
      const sides = `whether ${SIDE_NAMES.marketplace} and ${SIDE_NAMES.erp} answer and take the credentials`;
      unknown.push(`${account}: ${sides}: only the process with the role work knows`);
    }
  }
  return { ready: reasons.length === 0, reasons, unknown };
}

function lateReason(account: string, lists: readonly string[]): string {
  return `${account}: ${lists.join(', ')} ${lists.length === 1 ? 'is' : 'are'} not read in time, although the side answers: is this machine too busy, or its disk too slow?`;
}

async function reasonsOfCursors(account: string, store: Store, nowMs: number): Promise<string[]> {
  const ahead = (await store.cursors.all()).filter((row) => row.account === account && isCursorAhead(row.value, nowMs));
  const mend = 'the next read begins from the beginning; is the clock of this machine right?';
  return ahead.map(
    ({ collection }) => `${account}: changes of ${collection} are asked for from the future on: ${mend}`,
  );
}

function descriptorReasons(health: Health): string[] {
  const counted = descriptors();
  const isFull = counted !== null && counted.open >= counted.allowed;
  return isFull || health.lacksDescriptors() ? [outOfDescriptorsText('EMFILE', counted)] : [];
}

async function ownReasons({ redis, prefix, store }: Own): Promise<string[]> {
  const reasons: string[] = [];
  if (redis.status !== 'ready') reasons.push('Redis does not answer: check the server, or state.redis');
  else {
    // A Redis that is out of memory answers, but refuses writes.
    const kept = await redis.set(`${prefix}:heartbeat`, '', 'PX', HEARTBEAT_MS).catch((error: unknown) => error);
    if (kept instanceof Error) {
      reasons.push(`Redis cannot be written (${kept.message}): raise its maxmemory, or make room on its disk`);
    }
  }
  const written = await store.facts.set('', 'heartbeat', '').catch((error: unknown) => error);
  if (written instanceof Error) reasons.push(databaseReason(written));
  return reasons;
}

function databaseReason({ name, message }: Error): string {
  const isTold = name === 'FileGoneError' || name === 'NewerVersionError';
  return isTold ? message : `the database cannot be written (${message}): is the disk full?`;
}

/**
 * Anybody may ask whether this process is ready. The words and the address of a side are only for people who may see the
 * status.
 */
const MORE = '"stockbridge status" shows what it says';
const TELLS = '"stockbridge status" tells why';
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
      reasons.push(`${account}: ${SIDE_NAMES[side]} ${FAULTS[state]}: ${mends[side][state]}; ${MORE}`);
  }
  return reasons;
}
