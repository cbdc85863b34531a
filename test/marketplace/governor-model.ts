import { laneTerms } from '../../src/marketplace/governor-lanes.ts';
import {
  ARRIVAL_MS,
  ASK_AGAIN_MS,
  BURST_SHARE,
  GATE_MAX_MS,
  GATE_MIN_MS,
  LATE_MS,
  PAD_MS,
  YIELD_MS,
} from '../../src/marketplace/governor-script.ts';
import type { QuotaHeaders } from '../../src/marketplace/quota.ts';
import type { Question, Reply } from './governor-ask.ts';

/** The server counted so long before its answer is taken in, at worst. */
const LAG_MS = 1_000;

interface Window {
  readonly ms: number;
  readonly configured: number;
  served: number;
  others: number;
  at: number;
}

/** The decisions of the script in plain TypeScript, for a clock that only goes forward. */
export function quotaModel(limits: { perSecond: number; perMinute: number }) {
  let log: { call: string; date: number; open: boolean }[] = [];
  let level = { calls: 0, at: 0 };
  let gateUntil = Number.NEGATIVE_INFINITY;
  let isBlind = true;
  const waiting = new Map<string, { rank: number; since: number; lease: number }>();
  const window = (ms: number, configured: number): Window => {
    return { ms, configured, served: configured, others: 0, at: Number.NEGATIVE_INFINITY };
  };
  const second = window(1_000, limits.perSecond);
  const minute = window(60_000, limits.perMinute);

  const limitOf = ({ configured, served }: Window) => Math.min(configured, served);
  const othersOf = ({ ms, others, at }: Window, now: number) =>
    now - at < ms ? Math.ceil(others * (1 - (now - at) / ms)) : 0;
  const waitForSecond = (now: number) => {
    const room = Math.max(1, limitOf(second) - othersOf(second, now));
    const oldest = log.map(({ date }) => date).toSorted((a, b) => b - a)[room - 1];
    return oldest === undefined ? 0 : oldest + second.ms + PAD_MS - now;
  };

  /** Whether there is room for one more call at this time, if nobody else calls until then. */
  function hasRoom(at: number, now: number, { reserve, kept }: { reserve: number; kept: number }): boolean {
    const left = log.filter(({ date }) => date + minute.ms + PAD_MS > at).map(({ date }) => date + minute.ms + PAD_MS);
    const ours = limitOf(minute) - othersOf(minute, now);
    const free = ours - left.length - 1;
    // The earlier lanes find enough places until each of these calls leaves the minute.
    return left
      .toSorted((a, b) => a - b)
      .every((leaves, index) => free + index >= reserve + (kept * Math.max(1, ours) * (leaves - at)) / minute.ms);
  }

  function waitForMinute(now: number, terms: { reserve: number; kept: number }): number {
    let wait = 0;
    let step = 2 ** 17;
    if (hasRoom(now, now, terms)) return 0;
    // Room only grows with time, so bisection finds the first moment.
    for (; step >= 2 ** -12; step /= 2) if (!hasRoom(now + wait + step, now, terms)) wait += step;
    return wait + 2 * step;
  }

  const rateOf = (now: number) => {
    const sustained = Math.max(1, limitOf(minute) - othersOf(minute, now)) / minute.ms;
    const held = log.filter(({ date }) => date > now - minute.ms - PAD_MS).length;
    if (held + othersOf(minute, now) >= limitOf(minute) * BURST_SHARE) return sustained;
    return Math.max(sustained, (limitOf(second) - othersOf(second, now)) / second.ms);
  };

  /** A model that does not know all earlier calls grants no call that may arrive within a second of them. */
  function begin(now: number): void {
    if (isBlind) gateUntil = Math.max(gateUntil, now + ARRIVAL_MS + second.ms + PAD_MS);
    isBlind = false;
  }

  function ask(now: number, { lane, caller, patienceMs = 600_000, behind = 0, call = '' }: Question): Reply {
    begin(now);
    log = log.filter(({ date }) => date > now - minute.ms - LAG_MS);
    for (const [name, { lease }] of waiting) if (lease < now) waiting.delete(name);
    const { rank, burst, ...terms } = laneTerms(lane, limits.perMinute);
    const rate = rateOf(now);
    const calls = Math.max(0, level.calls - (now - level.at) * rate);
    const me = `${rank}:${caller}`;
    const since = waiting.get(me)?.since ?? now;
    let wait = Math.max(gateUntil - now, waitForSecond(now), waitForMinute(now, terms), (calls - burst) / rate);
    const isBehind = [...waiting].some(
      ([name, other]) => name !== me && (other.rank < rank || (other.rank === rank && other.since < since)),
    );
    wait = Math.max(0, Math.ceil(wait <= 0 && isBehind ? YIELD_MS : wait));
    if (wait === 0) {
      log.push({ call, date: now + ARRIVAL_MS, open: true });
      level = { calls: calls + 1, at: now };
    }
    if (wait > patienceMs || (wait === 0 && behind === 0)) waiting.delete(me);
    else {
      waiting.set(me, { rank, since: wait > 0 ? since : now, lease: now + Math.min(wait, ASK_AGAIN_MS) + LATE_MS });
    }
    return { granted: wait === 0, waitMs: wait };
  }

  function believe(each: Window, limit: number | null, remaining: number | null, now: number): void {
    const before = othersOf(each, now);
    const capacity = limit ?? limitOf(each);
    if (limit !== null && limit >= 1) each.served = limit;
    if (remaining === null) return;
    const ours = log.filter(({ date }) => date > now - each.ms - LAG_MS).length;
    const others = Math.max(0, capacity - remaining - ours);
    if (others >= before || now - each.at > 1_000) Object.assign(each, { others, at: now });
  }

  function observe(now: number, headers: QuotaHeaders): void {
    begin(now);
    log = log.filter(({ date }) => date > now - minute.ms - LAG_MS);
    const answered = log.find(({ open }) => open);
    if (answered !== undefined) Object.assign(answered, { date: Math.min(answered.date, now), open: false });
    believe(minute, headers.limitPerMinute, headers.remainingPerMinute, now);
    believe(second, headers.limitPerSecond, headers.remainingPerSecond, now);
    if (headers.status !== 429) return;
    const closed = Math.min(Math.max(headers.retryAfterMs ?? 0, GATE_MIN_MS), GATE_MAX_MS);
    gateUntil = Math.max(gateUntil, now + closed);
  }

  /** Forgets a call that was granted and not sent. */
  function unused(now: number, call: string): void {
    begin(now);
    log = log.filter(({ date }) => date > now - minute.ms - LAG_MS);
    level = { calls: Math.max(0, level.calls - (now - level.at) * rateOf(now) - 1), at: now };
    log = log.filter((each) => each.call !== call);
  }

  /** Puts calls back that the log lost, oldest first. */
  function restore(calls: readonly { call: string; date: number; open: boolean }[]): void {
    const lost = calls.filter(({ call }) => !knows(call));
    if (lost.length > 0) isBlind = true;
    log = [...lost, ...log];
  }

  const knows = (wanted: string) => log.some(({ call }) => call === wanted);

  return { ask, unused, observe, restore, knows };
}
