/**
 * Limits the concurrent calls of one kind to an ERP. AIMD with slow start, as in TCP Reno; slower answers count as
 * congestion, as in TCP Vegas. See `decisions/erp-pace.md`.
 */
export interface Pace {
  readonly limit: number;
  readonly least: number;
  readonly most: number;
  readonly because: Because;
  /** The slow start is over: the limit fell once, or doubling was too much. It now rises by one. */
  readonly isSteady: boolean;
  /** Grows with each change of the limit. A call is evidence only for the limit under which it began. */
  readonly version: number;
  /** The answers of the current round. A round has `limit` answers. */
  readonly round: Round;
  /** Rounds without congestion since the limit last changed. */
  readonly calmRounds: number;
  /** By configured operation: its duration without concurrent calls of its kind. */
  readonly usualMs: Readonly<Record<string, number>>;
}

interface Round {
  readonly answers: number;
  readonly slow: number;
  /** Whether calls used the full limit. If not, a higher limit would change nothing. */
  readonly isFull: boolean;
  readonly longestMs: number;
}

/**
 * Why the limit has its value:
 * - `beginning`: nothing is known yet.
 * - `fast`: answers are as fast as before.
 * - `slower`: more calls made answers slower.
 * - `overload`: calls timed out or were refused with 503.
 * - `time-out`: with more calls, the last one could time out.
 * - `most`: the configuration or the connections allow no more.
 */
export const BECAUSES = ['beginning', 'fast', 'slower', 'overload', 'time-out', 'most'] as const;
export type Because = (typeof BECAUSES)[number];

/** Reads and writes have separate limits, so a backlog of writes never blocks reads. */
export const CALL_KINDS = ['read', 'write'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export interface Answer {
  readonly operation: string;
  readonly tookMs: number;
  readonly version: number;
  /** No other call of its kind was running when the call began. */
  readonly isAlone: boolean;
  readonly isFull: boolean;
}

/** An answer is slow if it takes this many times the usual duration. */
const SLOWER = 1.5;
/** Answers faster than this are never slow: such differences come from the machine and the network. */
const FAST_MS = 100;
const WEIGHT = 0.25;
/** After slow start, the limit rises after this many rounds, so that the ERP is seldom overloaded. */
const CALM_ROUNDS = 10;

/** An overload counts as over after this many rounds, even if the calls need no higher limit. */
const CALM_AGAIN = 2;

const NO_ROUND: Round = { answers: 0, slow: 0, isFull: false, longestMs: 0 };

/** The initial and lowest limit. There are several lists to read, and one that hangs must not block the others. */
const LEAST: Readonly<Record<CallKind, number>> = { read: 4, write: 1 };

export function newPace(kind: CallKind, most: number): Pace {
  const least = Math.min(LEAST[kind], most);
  return {
    limit: least,
    least,
    most,
    because: 'beginning',
    isSteady: false,
    version: 0,
    round: NO_ROUND,
    calmRounds: 0,
    usualMs: {},
  };
}

/** @param timeoutMs the time-out of calls */
export function afterAnswer(pace: Pace, answer: Answer, timeoutMs: number): Pace {
  const { operation, tookMs, isAlone, isFull, version } = answer;
  const usual = pace.usualMs[operation];
  const learnt = usual === undefined ? tookMs : isAlone ? usual + (tookMs - usual) * WEIGHT : usual;
  const next = learnt === usual ? pace : { ...pace, usualMs: { ...pace.usualMs, [operation]: learnt } };
  if (version !== pace.version) return next;
  const isSlow = !isAlone && tookMs > Math.max(FAST_MS, learnt * SLOWER);
  const round = {
    answers: pace.round.answers + 1,
    slow: pace.round.slow + (isSlow ? 1 : 0),
    isFull: pace.round.isFull || isFull,
    longestMs: Math.max(pace.round.longestMs, tookMs),
  };
  return round.answers < pace.limit ? { ...next, round } : afterRound({ ...next, round }, timeoutMs);
}

/** Returns the pace after a time-out or an answer that asks for fewer calls, such as 429 or 503. */
export function afterOverload(pace: Pace, version: number): Pace {
  if (version !== pace.version) return pace;
  return fallen(pace, Math.floor(pace.limit / 2), 'overload');
}

function afterRound(pace: Pace, timeoutMs: number): Pace {
  const { limit, most, isSteady, round } = pace;
  if (round.slow * 2 >= round.answers) return fallen(pace, limit - Math.ceil(limit / 4), 'slower');
  const calmRounds = pace.calmRounds + 1;
  const because = pace.because === 'overload' && calmRounds >= CALM_AGAIN ? 'fast' : pace.because;
  const calm = { ...pace, because, round: NO_ROUND, calmRounds };
  if (!round.isFull) return calm;
  if (limit >= most) return { ...calm, because: 'most' };
  if (isSteady && calmRounds < CALM_ROUNDS) return calm;
  const higher = isSteady ? limit + 1 : Math.min(limit * 2, most);
  // If the ERP handles calls one by one, the last call takes this long.
  const longestMs = (round.longestMs * higher) / limit;
  if (longestMs >= timeoutMs) return { ...calm, because: 'time-out', isSteady: true };
  return changed(calm, higher, 'fast');
}

function fallen(pace: Pace, wanted: number, because: Because): Pace {
  const limit = Math.max(pace.least, wanted);
  // At the lower bound that is also the upper bound, the limit says nothing about the ERP's answers.
  return { ...changed(pace, limit, limit >= pace.most ? 'most' : because), isSteady: true };
}

function changed(pace: Pace, limit: number, because: Because): Pace {
  return { ...pace, limit, because, version: pace.version + 1, round: NO_ROUND, calmRounds: 0 };
}
