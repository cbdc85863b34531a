import { laneTerms } from '../../src/marketplace/governor-lanes.ts';
import {
  ARRIVAL_MS,
  ASK_AGAIN_MS,
  GATE_MAX_MS,
  GATE_MIN_MS,
  LATE_MS,
  PAD_MS,
  YIELD_MS,
} from '../../src/marketplace/governor-script.ts';
import type { QuotaHeaders } from '../../src/marketplace/quota.ts';
import type { Question, Reply } from './governor-ask.ts';

interface Window {
  readonly ms: number;
  readonly lag: number;
  readonly configured: number;
  served: number;
  others: number;
  at: number;
}

/** What the script decides, said once more in plain TypeScript; for a clock that only goes forward. */
export function quotaModel(limits: { perSecond: number; perMinute: number }) {
  let log: { call: string; date: number; open: boolean }[] = [];
  let level = { calls: 0, at: 0 };
  let gateUntil = Number.NEGATIVE_INFINITY;
  let isBlind = true;
  const waiting = new Map<string, { rank: number; since: number; lease: number }>();
  const window = (ms: number, lag: number, configured: number): Window => {
    return { ms, lag, configured, served: configured, others: 0, at: Number.NEGATIVE_INFINITY };
  };
  const second = window(1_000, 1_000, limits.perSecond);
  const minute = window(60_000, 0, limits.perMinute);

  const limitOf = ({ configured, served }: Window) => Math.min(configured, served);
  const othersOf = ({ ms, others, at }: Window, now: number) =>
    now - at < ms ? Math.ceil(others * (1 - (now - at) / ms)) : 0;
  const waitForRoom = (each: Window, reserve: number, now: number) => {
    const room = Math.max(1, limitOf(each) - othersOf(each, now) - reserve);
    const oldest = log.map(({ date }) => date).toSorted((a, b) => b - a)[room - 1];
    return oldest === undefined ? 0 : oldest + each.ms + PAD_MS - now;
  };

  /** Who does not know all the calls before, grants none that may arrive within a second of them. */
  function begin(now: number): void {
    if (isBlind) gateUntil = Math.max(gateUntil, now + ARRIVAL_MS + second.ms + PAD_MS);
    isBlind = false;
  }

  function ask(now: number, { lane, caller, patienceMs = 600_000, behind = 0, call = '' }: Question): Reply {
    begin(now);
    log = log.filter(({ date }) => date > now - minute.ms - PAD_MS);
    for (const [name, { lease }] of waiting) if (lease < now) waiting.delete(name);
    const { rank, reserve, burst } = laneTerms(lane, limits.perMinute);
    const rate = Math.max(1, limitOf(minute) - othersOf(minute, now)) / minute.ms;
    const calls = Math.max(0, level.calls - (now - level.at) * rate);
    const me = `${rank}:${caller}`;
    const since = waiting.get(me)?.since ?? now;
    let wait = Math.max(
      gateUntil - now,
      waitForRoom(second, 0, now),
      waitForRoom(minute, reserve, now),
      (calls - burst) / rate,
    );
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
    const ours = log.filter(({ date }) => date > now - each.ms - each.lag).length;
    const others = Math.max(0, capacity - remaining - ours);
    if (others >= before || now - each.at > 1_000) Object.assign(each, { others, at: now });
  }

  function observe(now: number, headers: QuotaHeaders): void {
    begin(now);
    log = log.filter(({ date }) => date > now - minute.ms - PAD_MS);
    const answered = log.find(({ open }) => open);
    if (answered !== undefined) Object.assign(answered, { date: Math.min(answered.date, now), open: false });
    believe(minute, headers.limitPerMinute, headers.remainingPerMinute, now);
    believe(second, headers.limitPerSecond, headers.remainingPerSecond, now);
    if (headers.status !== 429) return;
    const closed = Math.min(Math.max(headers.retryAfterMs ?? 0, GATE_MIN_MS), GATE_MAX_MS);
    gateUntil = Math.max(gateUntil, now + closed);
  }

  /** Of a call that was granted and not sent. */
  function unused(now: number, call: string): void {
    begin(now);
    log = log.filter((each) => each.call !== call);
    const rate = Math.max(1, limitOf(minute) - othersOf(minute, now)) / minute.ms;
    level = { calls: Math.max(0, level.calls - (now - level.at) * rate - 1), at: now };
  }

  /** Calls that the log lost, oldest first. */
  function restore(calls: readonly { call: string; date: number; open: boolean }[]): void {
    const lost = calls.filter(({ call }) => !knows(call));
    if (lost.length > 0) isBlind = true;
    log = [...lost, ...log];
  }

  const knows = (wanted: string) => log.some(({ call }) => call === wanted);

  return { ask, unused, observe, restore, knows };
}
