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

/** The pace of one kind of calls, as others see it. */
export interface ShownPace {
  readonly limit: number;
  readonly inUse: number;
  readonly because: Because;
}

/** The paces of every open account. */
export type Paces = ReadonlyMap<string, ReadonlyMap<CallKind, ShownPace>>;

export type OnPace = (kind: CallKind, pace: ShownPace) => void;

/**
 * How a call ended. `answered`: with any answer that does not complain of the load. `overloaded`: not in time, or with an answer that
 * asks for fewer calls. `unheard`: in another way, which tells nothing of the load.
 */
export type Ended = 'answered' | 'overloaded' | 'unheard';

/** A place that a call has taken. */
export interface Place {
  /** Gives the place back. @param tookMs the time of the call, without the wait for the place */
  leave(ended: Ended, tookMs: number): void;
}

/** The places for the calls to one ERP. */
export interface Places {
  /**
   * Waits for a place, at most as long as the time-out of a call.
   * @throws CallFailure `not-applied`: `rate-limited` when none is free in that time, `unavailable` when the signal aborts
   */
  take(kind: CallKind, operation: string, signal: AbortSignal | undefined): Promise<Place>;
}

interface PlacesOptions {
  /** The most calls at once, reads and writes together. */
  readonly most: number;
  /** The most writes of them; as many when left out. */
  readonly mostWrites?: number | undefined;
  /** The time-out of a call. */
  readonly timeoutMs: number;
  readonly onPace?: OnPace | undefined;
}

interface Lane {
  readonly kind: CallKind;
  pace: Pace;
  inUse: number;
  /** Each starts its call with the place. */
  readonly waiting: (() => void)[];
}

const MAX_WAITING = 1_000;
/** A call that found no place comes again after this time. */
const AGAIN_MS = 1_000;

/** Gives places in the order of the requests. Where reads and writes wait for the same place, they take turns. */
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
      // The other kind comes first at the next place.
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
