import { CallFailure, type Side } from '../../domain/failure.ts';
import { SLOW_MS } from '../../domain/freshness.ts';

export const SIDES = ['marketplace', 'erp', 'redis'] as const satisfies readonly Side[];
export const SIDE_NAMES: Readonly<Record<Side, string>> = {
  marketplace: 'the marketplace',
  erp: 'the ERP',
  redis: 'Redis',
};

export interface SideHealth {
  /** `down`: several calls in a row got no answer. `credentials`: the side rejects our key or token. */
  readonly state: 'ok' | 'down' | 'credentials';
  readonly message: string | null;
  readonly sinceMs: number;
}

/** One failure may be due to the entity. This many in a row, without an answer in between, are due to the side. */
const DOWN_AFTER = 3;

/** A side may ask for a few seconds, or for the rest of a minute. A longer wait raises an alert. */
const LONG_WAIT_MS = 5 * 60_000;

const SLOW_FOR_MS = 2 * 60_000;

interface Watched {
  readonly account: string;
  readonly side: Side;
  heard: boolean;
  health: SideHealth;
  failures: number;
  orderedWait: boolean;
  /** The side has asked not to be called before this time. */
  waitsUntilMs: number;
  /** The last slow answer; null: none since the start. */
  slowAtMs: number | null;
  /** The last report: slow or not; null: none yet. */
  toldSlow: boolean | null;
}

function unheard(account: string, side: Side, sinceMs: number): Watched {
  return {
    account,
    side,
    heard: false,
    health: { state: 'ok', message: null, sinceMs },
    failures: 0,
    orderedWait: false,
    waitsUntilMs: 0,
    slowAtMs: null,
    toldSlow: null,
  };
}

/**
 * Tracks each side by the answers and failures of calls. Readiness reports a side at fault, and its outage does not use
 * up every job's attempts.
 * @param onWait called when a side orders a long wait, and with null when it answers
 * @param onSlow called with the time of the answer when a side becomes slow, and with null when it is not, or no longer
 * @param onChange called when a side changes its state, and at its first answer; `before` is then null
 */
export function createHealth(
  now: () => number,
  onChange: (account: string, side: Side, health: SideHealth, before: SideHealth | null) => void = () => {},
  onWait: (account: string, side: Side, waitMs: number | null) => void = () => {},
  onSlow: (account: string, side: Side, tookMs: number | null) => void = () => {},
  { steadyMs, stoodStillMs }: Clock = STEADY,
) {
  const sides = new Map<string, Watched>();
  const machine = machineHealth(now);
  const of = (account: string, side: Side): Watched => {
    const key = `${account}/${side}`;
    const sideState = sides.get(key) ?? unheard(account, side, now());
    sides.set(key, sideState);
    return sideState;
  };
  const change = (known: Watched, state: SideHealth['state'], message: string | null) => {
    const before = known.health;
    if (before.state === state) {
      known.health = { ...before, message };
      return;
    }
    known.health = { state, message, sinceMs: now() };
    onChange(known.account, known.side, known.health, before);
  };

  return {
    unchangedMs: stillness(steadyMs),

    stoodStillMs,

    answered(account: string, side: Side): void {
      // The quota in Redis has admitted every call of the marketplace, so Redis is up too.
      for (const one of side === 'marketplace' ? (['marketplace', 'redis'] as const) : [side]) {
        const sideState = of(account, one);
        sideState.failures = 0;
        if (!sideState.heard || sideState.orderedWait) onWait(account, one, null);
        sideState.orderedWait = false;
        if (!sideState.heard && sideState.health.state === 'ok') onChange(account, one, sideState.health, null);
        sideState.heard = true;
        change(sideState, 'ok', null);
      }
    },

    failed(account: string, error: CallFailure): void {
      if (error.isOurs) return machine.lacked();
      if (error.lock !== null && !error.ofRead) return this.answered(account, error.side);
      const sideState = of(account, error.side);
      const waitMs = error.status === null ? 0 : (error.retryAfterMs ?? 0);
      sideState.waitsUntilMs = Math.max(sideState.waitsUntilMs, now() + waitMs);
      if (waitMs >= LONG_WAIT_MS) {
        sideState.orderedWait = true;
        onWait(account, error.side, waitMs);
      }
      if (error.kind === 'credentials') change(sideState, 'credentials', error.message);
      else if (error.kind === 'unavailable') {
        // An answer that arrived during the standstill was not read in time.
        if (stoodStillMs() >= SLOW_MS) return;
        sideState.failures += 1;
        if (sideState.failures >= DOWN_AFTER) change(sideState, 'down', error.message);
      } else if (error.status !== null && waitMs < LONG_WAIT_MS) this.answered(account, error.side);
    },

    ...answerTimes(of, now, stoodStillMs, onSlow),

    ...storeHealth(),

    lacksDescriptors: machine.lacksDescriptors,

    get(account: string, side: Side): SideHealth {
      return of(account, side).health;
    },

    /** The side that does not answer or refuses the credentials, so that the account cannot be worked; null: none. */
    away(account: string): SideHealth | null {
      const side = SIDES.find((one) => of(account, one).health.state !== 'ok');
      return side === undefined ? null : of(account, side).health;
    },

    all(): { account: string; side: Side; health: SideHealth }[] {
      return [...sides.values()].map(({ account, side, health }) => ({ account, side, health }));
    },
  };
}

interface Clock {
  /** A monotonic clock. */
  readonly steadyMs: () => number;
  readonly stoodStillMs: () => number;
}

const STEADY: Clock = { steadyMs: () => performance.now(), stoodStillMs: () => 0 };

/** How long a value has been the same, as observed by this program. Independent of the settable clock. */
function stillness(steadyMs: () => number) {
  const seen = new Map<string, { readonly value: string; readonly atMs: number }>();
  return (name: string, value: string): number => {
    const before = seen.get(name);
    if (before?.value === value) return steadyMs() - before.atMs;
    seen.set(name, { value, atMs: steadyMs() });
    return 0;
  };
}

/** How long a lack of file descriptors stays reported. */
const LACKING_FOR_MS = 60_000;

function machineHealth(now: () => number) {
  let lackedAtMs: number | null = null;
  return {
    lacked(): void {
      lackedAtMs = now();
    },
    lacksDescriptors: (): boolean => lackedAtMs !== null && Math.abs(now() - lackedAtMs) < LACKING_FOR_MS,
  };
}

function storeHealth() {
  let storeTrouble = false;
  return {
    /**
     * Called when a write to the database failed. No job runs until it can be written again, because nothing could be
     * recorded.
     */
    storeFailed(): void {
      storeTrouble = true;
    },
    storeWritten(): void {
      storeTrouble = false;
    },
    isStoreInTrouble(): boolean {
      return storeTrouble;
    },
  };
}

function answerTimes(
  of: (account: string, side: Side) => Watched,
  now: () => number,
  stoodStillMs: () => number,
  onSlow: (account: string, side: Side, tookMs: number | null) => void,
) {
  return {
    /** Called when a call has ended, with or without an answer. @param tookMs without the wait for the quota */
    took(account: string, side: Side, tookMs: number): void {
      const sideState = of(account, side);
      if (tookMs - stoodStillMs() >= SLOW_MS) sideState.slowAtMs = now();
      const isSlow = isSlowNow(sideState, now());
      if (sideState.toldSlow === isSlow) return;
      sideState.toldSlow = isSlow;
      onSlow(account, side, isSlow ? tookMs : null);
    },

    /** The side answers quickly, and has not asked for a wait. */
    isWell(account: string, side: Side): boolean {
      const sideState = of(account, side);
      return sideState.health.state === 'ok' && !isSlowNow(sideState, now()) && now() >= sideState.waitsUntilMs;
    },
  };
}

function isSlowNow({ slowAtMs }: Watched, nowMs: number): boolean {
  return slowAtMs !== null && Math.abs(nowMs - slowAtMs) < SLOW_FOR_MS;
}

export type Health = ReturnType<typeof createHealth>;

/** Reports the calls of a client or connector, whose methods return promises or async lists, to `health`. */
export function withHealth<Connector extends object>(
  connector: Connector,
  account: string,
  side: Side,
  health: Health,
): Connector {
  const fail = (error: unknown): never => {
    if (error instanceof CallFailure) health.failed(account, error);
    throw error;
  };
  const watchList = async function* (list: AsyncIterable<unknown>) {
    try {
      for await (const page of list) {
        health.answered(account, side);
        yield page;
      }
    } catch (error) {
      fail(error);
    }
  };
  return new Proxy(connector, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(method, target, args);
        if (isList(result)) return watchList(result);
        if (!(result instanceof Promise)) return result;
        return result.then((value: unknown) => {
          health.answered(account, side);
          return value;
        }, fail);
      };
    },
  });
}

function isList(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
