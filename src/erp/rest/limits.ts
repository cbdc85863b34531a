import type { CallFailure } from '../../domain/failure.ts';
import { notSent } from '../failure.ts';
import type { CallRecord } from '../kind.ts';

/** The rate that an ERP accepts from this process. */
export interface Limits {
  readonly perSecond: number | null;
  readonly perMinute: number | null;
}

export interface Turns {
  /**
   * Waits for a turn, at most `waitMs`.
   * @throws CallFailure `not-applied`: `rate-limited` when none comes in time, `unavailable` when the signal aborts
   */
  take(waitMs: number, signal: AbortSignal | undefined): Promise<void>;
}

const MAX_WAITING = 1_000;
/** Lengthens the windows, since calls take a varying time to arrive. */
const MARGIN_MS = 50;

/**
 * First come, first served.
 * @param nowMs a steady clock
 * @param record the calls of earlier processes; undefined: none
 */
export function createTurns(limits: Limits, nowMs: () => number, record?: CallRecord): Turns {
  const begun = createBegun(limits, nowMs, record);
  const waiting: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;

  const go = (): void => {
    clearTimeout(timer);
    while (waiting.length > 0) {
      const ms = begun.waitMs();
      if (ms > 0) {
        timer = setTimeout(go, ms);
        return;
      }
      begun.add();
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
        else void begun.known().then(go);
      });
    },
  };
}

interface Begun {
  /** Settles once the calls of earlier processes are known. */
  known(): Promise<void>;
  /** Until the next call may begin; 0: now. */
  waitMs(): number;
  /** Records a call that begins now. */
  add(): void;
}

/** The started calls, as far back as the windows reach. */
function createBegun({ perSecond, perMinute }: Limits, nowMs: () => number, record: CallRecord | undefined): Begun {
  const windows = [
    { most: perSecond, lengthMs: 1_000 + MARGIN_MS },
    { most: perMinute, lengthMs: 60_000 + MARGIN_MS },
  ].flatMap(({ most, lengthMs }) => (most === null ? [] : [{ most, lengthMs }]));
  const kept = Math.max(0, ...windows.map(({ most }) => most));
  let begun: number[] = [];
  let known: Promise<void> | undefined;
  const recall = async (): Promise<void> => {
    // An unreadable record may hide a full minute, so that minute counts as used.
    const ages = (await record?.ages(kept).catch(() => Array.from({ length: kept }, () => 0))) ?? [];
    begun = ages.map((age) => nowMs() - age);
  };
  return {
    known: () => (known ??= recall()),
    waitMs() {
      const waits = windows.map(({ most, lengthMs }) => {
        const oldest = begun.at(-most);
        return oldest === undefined ? 0 : oldest + lengthMs - nowMs();
      });
      return Math.max(0, ...waits);
    },
    add() {
      begun.push(nowMs());
      if (begun.length > kept) begun.shift();
      record?.add(kept);
    },
  };
}

function noTurn(waitedMs: number): CallFailure {
  const text = `No call to the ERP was free within ${waitedMs / 1_000} s (erp.limits). It is tried again.`;
  return notSent(text, 'rate-limited', waitedMs);
}
