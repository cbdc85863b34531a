import { createHash } from 'node:crypto';
import type { AnswerStore } from '../../store/answers.ts';
import { type Problem, problemOf } from './problem.ts';

/** The answer of a call, before it is sent. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/** An act that is asked for under a key of the caller's own. */
export interface Keyed {
  readonly key: string;
  readonly who: string;
  /** The method, the path and the body. */
  readonly request: readonly unknown[];
}

const MOST = 1_000;

/**
 * Does an act once for a key. Asked for again, it is answered as it was the first time. When that answer is not known, nothing is
 * done either: the process may have ended after the act and before its answer.
 */
export async function once(
  answers: AnswerStore,
  { key, who, request }: Keyed,
  act: () => Promise<Answered>,
): Promise<Answered & { readonly isRepeated?: true }> {
  const noted = { hash: digest([who, key]), requestHash: digest(request) };
  const known = await answers.begin(noted, { most: MOST });
  if (known === null) {
    const answered = await act();
    if (isUndone(answered.status)) await answers.forget(noted.hash);
    else await answers.end(noted.hash, JSON.stringify(answered));
    return answered;
  }
  if (known.requestHash !== noted.requestHash) return asAnswered(problemOf('other-request', OTHER_REQUEST));
  if (known.answer === null) return asAnswered(problemOf('not-answered', NOT_ANSWERED));
  return { ...(JSON.parse(known.answer) as Answered), isRepeated: true };
}

const OTHER_REQUEST = 'This Idempotency-Key was sent with another request. Use a new key for each act.';
const NOT_ANSWERED =
  'An act with this Idempotency-Key is running, or its answer was lost. Send the request again in a moment. If this stays, check whether the act was done, and use a new key.';

/** A request that is refused or comes too early has changed nothing. */
function isUndone(status: number): boolean {
  return status === 503 || (status >= 400 && status < 500);
}

function asAnswered(told: Problem): Answered {
  return { status: told.status, body: told };
}

function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
