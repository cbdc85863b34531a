import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Redis } from 'ioredis';
import { CallFailure } from '../domain/failure.ts';
import { laneTerms } from './governor-lanes.ts';
import { type CallMemory, createCallMemory } from './governor-memory.ts';
import { ARRIVAL_MS, ASK_AGAIN_MS, LOST, QUOTA_SCRIPT, QUOTA_SCRIPT_OF_RUN } from './governor-script.ts';
import { type Governor, type Grant, LANES, type Lane, UNLIMITED } from './quota.ts';

export interface QuotaLimits {
  readonly perSecond: number;
  readonly perMinute: number;
}

export interface WindowUsage {
  /** The lower of our limit and the server's. */
  readonly limit: number;
  /** Our calls that the window may contain. */
  readonly used: number;
  /** Calls by other programs of the key owner, as the server's answers reveal them. */
  readonly others: number;
}

export interface QuotaUsage {
  readonly perSecond: WindowUsage;
  readonly perMinute: WindowUsage;
  /** How long a 429 keeps the gate closed; 0: open. */
  readonly closedForMs: number;
  /** How long ago Redis had impossible figures; null: not lately. */
  readonly untrueAgoMs: number | null;
  readonly waiting: Readonly<Record<Lane, number>>;
}

/** The clocks. Only tests replace them. */
export interface QuotaClock {
  /** The clock of the decisions; null: Redis's own. */
  readonly nowMs: () => number | null;
  /** Measures how long a caller has waited. */
  readonly elapsedMs: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface QuotaGovernor extends Governor {
  /** For a new installation: no call was made yet, so an empty Redis has lost nothing. */
  begin(): Promise<void>;
  usage(): Promise<QuotaUsage | null>;
}

interface GovernorSettings {
  readonly redis: Redis | Cluster;
  readonly owner: string;
  readonly limits: QuotaLimits | null;
  readonly maxWaitMs: number;
  /** Redis may restart without the last calls, or a replica that lacks them may replace it. */
  readonly mayForget: boolean;
  readonly clock?: QuotaClock;
}

const REDIS_LIMIT_MS = 2_000;
/** The shortest delay of a job that was returned to the queue. */
const HAND_BACK_MIN_MS = 1_000;
/** A grant requested longer ago than this is not used: the call might arrive after its date. */
const MAX_AGE_MS = ARRIVAL_MS / 2;

const systemClock: QuotaClock = {
  nowMs: () => null,
  elapsedMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal && { signal }),
};

/**
 * The quota of one key owner (spec 1, Rate limits) over all processes that share `redis` and `owner`, a hash. `limits`
 * null admits every call. A caller waits at most `maxWaitMs`. `acquire` also throws CallFailure `unavailable` if Redis
 * does not answer, because nothing may be sent without a grant. `observe` never throws and must be called for every
 * answer: a call without one counts as under way for half a second. If Redis has lost its count, this process restores
 * its own calls, and Redis grants nothing for 1.5 seconds because of other processes' calls.
 */
export function createGovernor(settings: GovernorSettings): QuotaGovernor {
  const { redis, owner, limits, maxWaitMs, mayForget, clock = systemClock } = settings;
  if (limits === null)
    return { acquire: async () => UNLIMITED, begin: async () => {}, observe: async () => {}, usage: async () => null };

  const memory = createCallMemory(limits.perMinute, clock.elapsedMs);
  const run = scriptOf({ redis, owner, limits, mayForget, clock, memory });
  const caller = randomUUID();
  let asked = 0;
  /** The last caller of each lane. Within a process only the first one asks. */
  const lines = new Map<Lane, { last: Promise<void>; length: number }>();

  const grantOf = (call: string, askedMs: number): Grant => ({
    isLate: () => clock.elapsedMs() - askedMs > MAX_AGE_MS,
    async giveBack() {
      memory.forget(call);
      await run('unused', call);
    },
  });

  const take = async (lane: Lane, line: { length: number }, untilMs: number, signal?: AbortSignal): Promise<Grant> => {
    const { rank, reserve, kept, burst } = laneTerms(lane, limits.perMinute);
    for (;;) {
      signal?.throwIfAborted();
      const patienceMs = Math.max(0, untilMs - clock.elapsedMs());
      const call = `${caller}:${asked++}`;
      const askedMs = clock.elapsedMs();
      const answer = await run('ask', call, rank, caller, patienceMs, reserve, kept, burst, line.length - 1);
      const [granted, waitMs] = answer as [number, number];
      if (granted === 1) {
        const unheardMs = clock.elapsedMs() - askedMs;
        const grant = grantOf(call, askedMs);
        if (!grant.isLate()) {
          memory.granted(call);
          return grant;
        }
        await grant.giveBack();
        if (clock.elapsedMs() < untilMs) continue;
        throw redisLost(new Error(`its last answer took ${Math.round(unheardMs)} ms`));
      }
      if (waitMs > patienceMs) throw noRoom(lane, maxWaitMs, Math.max(waitMs, HAND_BACK_MIN_MS));
      await clock.sleep(Math.min(waitMs, ASK_AGAIN_MS), signal);
    }
  };

  return {
    acquire(lane, signal, patienceMs) {
      const untilMs = clock.elapsedMs() + (patienceMs ?? maxWaitMs);
      const line = lines.get(lane) ?? { last: Promise.resolve(), length: 0 };
      if (patienceMs === 0 && line.length > 0) return Promise.reject(noRoom(lane, 0, HAND_BACK_MIN_MS));
      lines.set(lane, line);
      line.length += 1;
      const turn = line.last.then(() => take(lane, line, untilMs, signal)).finally(() => line.length--);
      line.last = turn.then(
        () => {},
        () => {},
      );
      return turn;
    },
    begin: async () => void (await run('begin')),
    async observe(headers) {
      const { status, retryAfterMs, limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond } = headers;
      const figures = [status, retryAfterMs, limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond];
      // The answer matters more than its quota headers, and without Redis nothing is granted anyway.
      await run('observe', '', ...figures.map((figure) => figure ?? ''), '').catch(() => {});
      memory.answered();
    },
    usage: async () => readUsage((await run('usage')) as UsageAnswer),
  };
}

type Verb = 'ask' | 'begin' | 'unused' | 'observe' | 'usage';

interface Script extends Required<Omit<GovernorSettings, 'limits' | 'maxWaitMs'>> {
  readonly limits: QuotaLimits;
  readonly memory: CallMemory;
}

/** If Redis lacks this process's latest call, all remembered calls are sent along. */
function scriptOf({ redis, owner, limits, mayForget, clock, memory }: Script) {
  const script = mayForget ? QUOTA_SCRIPT_OF_RUN : QUOTA_SCRIPT;
  const keys = ['log', 'open', 'state', 'waiting'].map((name) => `stockbridge:quota:{${owner}}:${name}`);
  return async (verb: Verb, ...args: (string | number)[]): Promise<unknown> => {
    const evaluate = (known: string, ...calls: (string | number)[]) => {
      const common = [clock.nowMs() ?? '', limits.perSecond, limits.perMinute, known];
      const all = [...keys, verb, ...common, ...args, ...calls];
      return withinLimit(redis, () => redis.eval(script, keys.length, ...all));
    };
    const answer = await evaluate(verb === 'ask' || verb === 'observe' ? memory.latest() : '');
    return answer === LOST ? evaluate('', ...memory.all().flat()) : answer;
  };
}

type Figures = [limit: number, used: number, others: number];
type UsageAnswer = [
  second: Figures,
  minute: Figures,
  gate: [closedForMs: number],
  ranks: number[],
  [untrueAgoMs: number],
];

function readUsage([second, minute, [closedForMs], ranks, [untrueAgoMs]]: UsageAnswer): QuotaUsage {
  const usage = ([limit, used, others]: Figures): WindowUsage => ({ limit, used, others });
  const waiting = LANES.map((lane, place) => [lane, ranks.filter((rank) => rank === place).length] as const);
  return {
    perSecond: usage(second),
    perMinute: usage(minute),
    closedForMs,
    untrueAgoMs: untrueAgoMs < 0 ? null : untrueAgoMs,
    waiting: Object.fromEntries(waiting) as Record<Lane, number>,
  };
}

/** Fails soon, so that no queue of unsent questions builds up. */
async function withinLimit<T>(redis: Redis | Cluster, ask: () => Promise<T>): Promise<T> {
  if (['reconnecting', 'close', 'end'].includes(redis.status)) throw redisLost(new Error('connection lost'));
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${REDIS_LIMIT_MS} ms`)), REDIS_LIMIT_MS);
  });
  try {
    return await Promise.race([ask(), silence]);
  } catch (cause) {
    throw redisLost(cause);
  } finally {
    clearTimeout(timer);
  }
}

function redisLost(cause: unknown): CallFailure {
  const why = whyLost(cause);
  return new CallFailure(
    `Redis, which keeps the marketplace quota, does not answer (${why}); no call is sent without it. Check that Redis runs and see state.redis in the configuration.`,
    { side: 'redis', kind: 'unavailable', outcome: 'not-applied', cause },
  );
}

function whyLost(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // The Redis client's own message only mentions its options.
  return cause.name === 'MaxRetriesPerRequestError' ? 'it cannot be reached' : cause.message;
}

function noRoom(lane: Lane, maxWaitMs: number, retryAfterMs: number): CallFailure {
  return new CallFailure(
    `The marketplace quota has no room for a call of the lane ${lane} within ${maxWaitMs} ms; nothing was sent. It is worth trying again in ${retryAfterMs} ms.`,
    { side: 'marketplace', kind: 'rate-limited', outcome: 'not-applied', retryAfterMs },
  );
}
