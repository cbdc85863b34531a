import type { Faults } from './faults.ts';
import type { Micros } from './instants.ts';
import { RateWindow, rateHeaders } from './rate-window.ts';
import type { Settings } from './settings.ts';

const UNKNOWN = '(no key)';
const MAX_FOREIGN = 1000;

/** The rate windows of all key owners. Callers without a known key share one of their own. */
export function createOwners(parts: { now: () => Micros; settings: () => Settings; faults: Faults }) {
  const windows = new Map<string, RateWindow>();
  let foreignSince: Micros | null = null;
  const windowOf = (owner: string) => {
    const known = windows.get(owner) ?? new RateWindow();
    windows.set(owner, known);
    return known;
  };
  /** The instants at which the other program called since the last look. */
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
    /** Another program of the owner makes this many calls at once, as far as there is room. */
    takeForeign(owner: string, count: number): void {
      const { rate } = parts.settings();
      const now = parts.now();
      const instants = Array.from({ length: Math.min(count, MAX_FOREIGN) }, () => now);
      if (rate) windowOf(owner).takeForeign(now, instants, rate);
    },
    /** The most calls let through in any one second and any one minute, by owner. */
    peaks: () => Object.fromEntries([...windows].map(([owner, window]) => [owner, window.peaks()])),
  };
}

export type Owners = ReturnType<typeof createOwners>;
