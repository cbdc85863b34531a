import type { CallFailure } from '../domain/failure.ts';
import {
  type Answer,
  afterAnswer,
  afterOverload,
  type Because,
  CALL_KINDS,
  type CallKind,
  newPace,
  type Pace,
} from '../domain/pace.ts';
import { notSent } from './failure.ts';

/** The concurrency of one kind of call. */
export interface ShownPace {
  readonly limit: number;
  readonly inUse: number;
  readonly because: Because;
}

/** By account. */
export type Paces = ReadonlyMap<string, ReadonlyMap<CallKind, ShownPace>>;

export type OnPace = (kind: CallKind, pace: ShownPace) => void;

/**
 * `answered`: any answer without complaint about load. `overloaded`: too late, or asking for fewer calls. `unheard`:
 * otherwise, which says nothing about load.
 */
export type Ended = 'answered' | 'overloaded' | 'unheard';

export interface Place {
  /** @param tookMs the call's time without the wait */
  leave(ended: Ended, tookMs: number): void;
}

/** Limits the concurrent calls to one ERP. */
export interface Places {
  /**
   * Waits for a place, at most for a call's timeout.
   * @throws CallFailure `not-applied`: `rate-limited` when none is free in time, `unavailable` when the signal aborts
   */
  take(kind: CallKind, operation: string, signal: AbortSignal | undefined): Promise<Place>;
}

interface PlacesOptions {
  /** The most concurrent calls, reads and writes together. */
  readonly most: number;
  /** The most concurrent writes. The default is `most`. */
  readonly mostWrites?: number | undefined;
  readonly timeoutMs: number;
  readonly onPace?: OnPace | undefined;
}

interface Lane {
  readonly kind: CallKind;
  pace: Pace;
  inUse: number;
  /** Each starts its call. */
  readonly waiting: (() => void)[];
}

const MAX_WAITING = 1_000;
/** When a call without a place is tried again. */
const AGAIN_MS = 1_000;

/** First come, first served. Reads and writes take turns for a shared place. */
export function createPlaces({ most, mostWrites = most, timeoutMs, onPace }: PlacesOptions): Places {
  const mostOf = (kind: CallKind) => (kind === 'write' ? Math.min(most, mostWrites) : most);
  const lanes: Lane[] = CALL_KINDS.map((kind) => ({ kind, pace: newPace(kind, mostOf(kind)), inUse: 0, waiting: [] }));

  const show = ({ kind, pace: { limit, because }, inUse }: Lane): void => onPace?.(kind, { limit, inUse, because });
  const isFree = ({ inUse, pace }: Lane): boolean =>
    inUse < pace.limit && lanes.reduce((sum, lane) => sum + lane.inUse, 0) < most;
  const go = (): void => {
    for (;;) {
      const lane = lanes.find((one) => one.waiting.length > 0 && isFree(one));
      if (lane === undefined) return;
      // The other kind is first next time.
      lanes.push(...lanes.splice(lanes.indexOf(lane), 1));
      lane.waiting.shift()?.();
    }
  };
  const placeIn = (lane: Lane, operation: string): Place => {
    lane.inUse += 1;
    const { version, limit } = lane.pace;
    const began = { operation, version, isAlone: lane.inUse === 1, isFull: lane.inUse >= limit };
    show(lane);
    return {
      leave(ended, tookMs) {
        lane.inUse -= 1;
        lane.pace = paceAfter(lane.pace, ended, { ...began, tookMs }, timeoutMs);
        go();
        show(lane);
      },
    };
  };

  return {
    take(kind, operation, signal) {
      const lane = lanes.find((one) => one.kind === kind);
      if (lane === undefined || lane.waiting.length >= MAX_WAITING) return Promise.reject(noPlace(kind, timeoutMs));
      return new Promise((resolve, reject) => {
        const give = (error: CallFailure): void => {
          settle();
          const at = lane.waiting.indexOf(start);
          if (at >= 0) lane.waiting.splice(at, 1);
          reject(error);
        };
        const stop = (): void => give(notSent('The call to the ERP was stopped while it waited.', 'unavailable'));
        const late = setTimeout(() => give(noPlace(kind, timeoutMs)), timeoutMs);
        const settle = (): void => {
          clearTimeout(late);
          signal?.removeEventListener('abort', stop);
        };
        const start = (): void => {
          settle();
          resolve(placeIn(lane, operation));
        };
        signal?.addEventListener('abort', stop, { once: true });
        lane.waiting.push(start);
        if (signal?.aborted) stop();
        else go();
      });
    },
  };
}

function paceAfter(pace: Pace, ended: Ended, answer: Answer, timeoutMs: number): Pace {
  if (ended === 'answered') return afterAnswer(pace, answer, timeoutMs);
  return ended === 'overloaded' ? afterOverload(pace, answer.version) : pace;
}

function noPlace(kind: CallKind, waitedMs: number): CallFailure {
  const text = `The ERP had no place for a further ${kind} within ${waitedMs / 1_000} s: it is given no more at once than it answers in time. It is tried again.`;
  return notSent(text, 'rate-limited', AGAIN_MS);
}
