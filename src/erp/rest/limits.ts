import type { CallFailure } from '../../domain/failure.ts';
import { notSent } from '../failure.ts';

/** The number of calls in a time that an ERP takes from this process. */
export interface Limits {
  readonly perSecond: number | null;
  readonly perMinute: number | null;
}

export interface Turns {
  /**
   * Waits for a turn, at most `waitMs`.
   * @throws CallFailure `not-applied`: `rate-limited` when no turn comes in that time, `unavailable` when the signal aborts
   */
  take(waitMs: number, signal: AbortSignal | undefined): Promise<void>;
}

const MAX_WAITING = 1_000;
/** The time by which windows are longer than declared, since calls take a varying time to arrive. */
const MARGIN_MS = 50;

/** Gives turns in the order of the requests. @param nowMs a clock that never goes back */
export function createTurns({ perSecond, perMinute }: Limits, nowMs: () => number): Turns {
  const windows = [
    { most: perSecond, lengthMs: 1_000 + MARGIN_MS },
    { most: perMinute, lengthMs: 60_000 + MARGIN_MS },
  ].flatMap(({ most, lengthMs }) => (most === null ? [] : [{ most, lengthMs }]));
  const kept = Math.max(0, ...windows.map(({ most }) => most));
  const begun: number[] = [];
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** The time until the next call may begin; 0: now. */
  const waitMs = (): number => {
    const waits = windows.map(({ most, lengthMs }) => {
      const oldest = begun.at(-most);
      return oldest === undefined ? 0 : oldest + lengthMs - nowMs();
    });
    return Math.max(0, ...waits);
  };
  const go = (): void => {
    clearTimeout(timer);
    while (waiting.length > 0) {
      const ms = waitMs();
      if (ms > 0) {
        timer = setTimeout(go, ms);
        return;
      }
      begun.push(nowMs());
      if (begun.length > kept) begun.shift();
      waiting.shift()?.();
    }
  };

  return {
    take(longestMs, signal) {
      if (waiting.length >= MAX_WAITING) return Promise.reject(noTurn(longestMs));
      return new Promise((resolve, reject) => {
        const leave = (error: CallFailure): void => {
          const at = waiting.indexOf(start);
          if (at < 0) return;
          waiting.splice(at, 1);
          settle();
          reject(error);
        };
        const stop = (): void =>
          leave(notSent('The call to the ERP was stopped while it waited for its turn.', 'unavailable'));
        const late = setTimeout(() => leave(noTurn(longestMs)), longestMs);
        const settle = (): void => {
          clearTimeout(late);
          signal?.removeEventListener('abort', stop);
        };
        const start = (): void => {
          settle();
          resolve();
        };
        signal?.addEventListener('abort', stop, { once: true });
        waiting.push(start);
        if (signal?.aborted) stop();
        else go();
      });
    },
  };
}

function noTurn(waitedMs: number): CallFailure {
  const text = `No call to the ERP was free within ${waitedMs / 1_000} s (erp.limits). It is tried again.`;
  return notSent(text, 'rate-limited', waitedMs);
}
