/**
 * How many calls of one kind an ERP is given at once. The rule is AIMD with a slow start, as in TCP Reno, and answers that become
 * slower count as a sign of congestion, as in TCP Vegas: see `decisions/erp-pace.md`.
 */
export interface Pace {
  /** The calls that may run at once. */
  readonly limit: number;
  /** The limit never falls below this one, and never rises above the other. */
  readonly least: number;
  readonly most: number;
  readonly because: Because;
  /** The limit has fallen once, or a doubling was too much: from now on it rises by one. */
  readonly isSteady: boolean;
  /** Grows with each change of the limit. A call tells only of the limit under which it began. */
  readonly version: number;
  /** The answers of this round. A round has as many answers as calls may run at once. */
  readonly round: Round;
  /** Rounds without a sign of congestion since the limit last changed. */
  readonly calmRounds: number;
  /** How long each operation takes when no other call of its kind runs. The operations come from the configuration. */
  readonly usualMs: Readonly<Record<string, number>>;
}

interface Round {
  readonly answers: number;
  readonly slow: number;
  /** Did calls find every place taken? If not, a higher limit would change nothing. */
  readonly isFull: boolean;
  readonly longestMs: number;
}

/**
 * Why the limit is as it is. `beginning`: nothing is known yet. `fast`: answers are as fast as before. `slower`: more calls made
 * answers slower. `overload`: calls got no answer in time, or were refused with 503. `time-out`: with more calls the last one could
 * reach its time-out. `most`: the configuration or the connections allow no more.
 */
export const BECAUSES = ['beginning', 'fast', 'slower', 'overload', 'time-out', 'most'] as const;
export type Because = (typeof BECAUSES)[number];

/** Reads and writes each have a pace, so no backlog of writes takes a call from the reads. */
export const CALL_KINDS = ['read', 'write'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

export interface Answer {
  readonly operation: string;
  readonly tookMs: number;
  /** The version of the pace when the call began. */
  readonly version: number;
  /** No other call of its kind ran when the call began. */
  readonly isAlone: boolean;
  /** The call took the last place. */
  readonly isFull: boolean;
}

/** An answer is slow when it takes so many times as long as usual. */
const SLOWER = 1.5;
/** No answer is slow that takes less than this: such differences come from the machine and the network. */
const FAST_MS = 100;
/** The weight of the newest answer in what is usual. */
const WEIGHT = 0.25;
/** A steady limit rises after so many rounds, so that the ERP is seldom tried beyond what it takes. */
const CALM_ROUNDS = 10;

/** After so many rounds, an overload counts as over, although the calls need no higher limit. */
const CALM_AGAIN = 2;

const NO_ROUND: Round = { answers: 0, slow: 0, isFull: false, longestMs: 0 };

/**
 * The limit at the beginning, and the lowest one. Reads are cheap, and there are several lists: one that hangs keeps no other back.
 */
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

/** The pace after an answer that says nothing of congestion but by its time. @param timeoutMs the time-out of calls */
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

/** The pace after a call without an answer in time, or with an answer that asks for fewer calls: 429, 503 and their like. */
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
  // An ERP that makes one call after another would take this long for the last of them.
  const longestMs = (round.longestMs * higher) / limit;
  if (longestMs >= timeoutMs) return { ...calm, because: 'time-out', isSteady: true };
  return changed(calm, higher, 'fast');
}

function fallen(pace: Pace, wanted: number, because: Because): Pace {
  const limit = Math.max(pace.least, wanted);
  // Where no fewer may be asked than the most that are allowed, the limit is no sign of how the ERP answers.
  return { ...changed(pace, limit, limit >= pace.most ? 'most' : because), isSteady: true };
}

function changed(pace: Pace, limit: number, because: Because): Pace {
  return { ...pace, limit, because, version: pace.version + 1, round: NO_ROUND, calmRounds: 0 };
}
