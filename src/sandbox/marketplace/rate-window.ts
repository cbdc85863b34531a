import type { Faults } from './faults.ts';
import type { Micros } from './instants.ts';
import type { RateSettings, Settings } from './settings.ts';

const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;

export interface WindowState {
  readonly limit: number;
  readonly remaining: number;
  /** Until the window's oldest call leaves it; 0: empty. */
  readonly resetMicros: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly second: WindowState;
  readonly minute: WindowState;
  /** The wait before a call is allowed; 0: allowed. */
  readonly retryMicros: number;
}

/** An owner's calls in two sliding windows: limits for ANY second and ANY minute. */
export class RateWindow {
  readonly #calls: Micros[] = [];
  #peakSecond = 0;
  #peakMinute = 0;

  /** Counts a call at `now`, which must not go back. */
  take(now: Micros, rate: RateSettings): RateVerdict {
    const allowed = this.#look(now, rate).retryMicros === 0;
    if (allowed || rate.countRejected) this.#add(now);
    const after = this.#look(now, rate);
    return { ...after, allowed, retryMicros: allowed ? 0 : after.retryMicros };
  }

  /** Counts another program's calls at these instants, within the limits. */
  takeForeign(now: Micros, instants: readonly Micros[], rate: RateSettings): void {
    for (const at of instants) if (this.#look(now, rate).retryMicros === 0) this.#add(at);
  }

  /** The most calls let through in any second and minute. */
  peaks(): { readonly second: number; readonly minute: number } {
    return { second: this.#peakSecond, minute: this.#peakMinute };
  }

  #add(at: Micros): void {
    let place = this.#calls.length;
    while (place > 0 && (this.#calls[place - 1] as Micros) > at) place -= 1;
    this.#calls.splice(place, 0, at);
    this.#peakSecond = Math.max(this.#peakSecond, this.#within(at, SECOND).length);
    this.#peakMinute = Math.max(this.#peakMinute, this.#calls.length);
  }

  #look(now: Micros, rate: RateSettings): Omit<RateVerdict, 'allowed'> {
    let gone = 0;
    while (gone < this.#calls.length && (this.#calls[gone] as Micros) <= now - MINUTE) gone += 1;
    this.#calls.splice(0, gone);
    const second = windowState(this.#within(now, SECOND), now, SECOND, rate.perSecond);
    const minute = windowState(this.#calls, now, MINUTE, rate.perMinute);
    return { second: second.state, minute: minute.state, retryMicros: Math.max(second.retry, minute.retry) };
  }

  /** Calls younger than `span`. */
  #within(now: Micros, span: number): readonly Micros[] {
    let first = this.#calls.length;
    while (first > 0 && (this.#calls[first - 1] as Micros) > now - span) first -= 1;
    return this.#calls.slice(first);
  }
}

function windowState(calls: readonly Micros[], now: Micros, span: number, limit: number) {
  const oldest = calls[0];
  // A call is allowed once all but limit - 1 calls left the window.
  const blocking = calls.length >= limit ? (calls[calls.length - limit] ?? now) : undefined;
  return {
    state: {
      limit,
      remaining: Math.max(0, limit - calls.length),
      resetMicros: oldest === undefined ? 0 : oldest + span - now,
    },
    retry: blocking === undefined ? 0 : blocking + span - now,
  };
}

/** Spec 1, Rate limits: headers for every response, with Retry-After at a limit. */
export function rateHeaders(verdict: RateVerdict, headline: RateSettings['headline']): Record<string, string> {
  const { second, minute } = verdict;
  const shown = headline === 'tightest' && second.remaining < minute.remaining ? second : minute;
  return {
    'RateLimit-Limit': String(shown.limit),
    'RateLimit-Remaining': String(shown.remaining),
    'RateLimit-Reset': String(Math.ceil(shown.resetMicros / SECOND)),
    'X-RateLimit-Limit-minute': String(minute.limit),
    'X-RateLimit-Remaining-minute': String(minute.remaining),
    'X-RateLimit-Limit-second': String(second.limit),
    'X-RateLimit-Remaining-second': String(second.remaining),
    ...(verdict.allowed ? {} : { 'Retry-After': String(Math.max(1, Math.ceil(verdict.retryMicros / SECOND))) }),
  };
}

const UNKNOWN = '(no key)';
const MAX_FOREIGN = 1000;

/** By key owner. Callers without a known key share one window. */
export function createOwners(parts: { now: () => Micros; settings: () => Settings; faults: Faults }) {
  const windows = new Map<string, RateWindow>();
  let foreignSince: Micros | null = null;
  const windowOf = (owner: string) => {
    const known = windows.get(owner) ?? new RateWindow();
    windows.set(owner, known);
    return known;
  };
  /** The other program's calls since the last check. */
  const foreignCalls = (now: Micros): Micros[] => {
    const foreign = parts.faults.strike(['foreign-calls'], {});
    const since = foreignSince;
    if (!foreign || since === null) {
      foreignSince = foreign ? now : null;
      return [];
    }
    const apart = 1_000_000 / foreign.perSecond;
    const count = Math.floor((now - since) / apart);
    const first = Math.max(0, count - MAX_FOREIGN);
    foreignSince = since + Math.floor(count * apart);
    return Array.from({ length: count - first }, (_, index) => since + Math.floor((first + index + 1) * apart));
  };
  return {
    take(owner: string | null): { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> } {
      const { rate } = parts.settings();
      if (!rate) return { allowed: true, headers: {} };
      const now = parts.now();
      const window = windowOf(owner ?? UNKNOWN);
      if (owner !== null) window.takeForeign(now, foreignCalls(now), rate);
      const verdict = window.take(now, rate);
      return { allowed: verdict.allowed, headers: rateHeaders(verdict, rate.headline) };
    },
    /** Another program of the owner makes these calls at once, within the limits. */
    takeForeign(owner: string, count: number): void {
      const { rate } = parts.settings();
      const now = parts.now();
      const instants = Array.from({ length: Math.min(count, MAX_FOREIGN) }, () => now);
      if (rate) windowOf(owner).takeForeign(now, instants, rate);
    },
    /** By owner: the most calls let through in any second and minute. */
    peaks: () => Object.fromEntries([...windows].map(([owner, window]) => [owner, window.peaks()])),
  };
}

export type Owners = ReturnType<typeof createOwners>;
