import type { CallFailure } from '../../domain/failure.ts';
import type { Answered } from '../../http/exchange.ts';
import { answerFailure, type Called, failure, meaningOf, quoted, subjectOf } from '../failure.ts';
import type { Verdict } from './rules.ts';

/** The words of messages to the person who wrote the configuration. */
export interface Words {
  /** The rules that answers have to fit: `the contract`. */
  readonly fits: string;
  /** The mend for an answer that does not fit: "Correct the ERP's answer." */
  readonly mend: string;
  /** The mend when the ERP does not accept the credentials: "Check erp.token of this account." */
  readonly credentials: string;
  /** The mend when a right is missing: "Give the token of this account that right." */
  readonly right: string;
}

/**
 * The failure for an answer outside 2xx, or for an answer that a rule declares an error.
 * @param verdict the rule that fits the answer; null where none fits
 */
export function statusFailure(
  called: Called,
  answer: Answered,
  verdict: Verdict | null,
  words: Pick<Words, 'credentials' | 'right'>,
): CallFailure {
  const { rule, said = null, waitsFor = null } = verdict ?? {};
  const byStatus = meaningOf(answer.status);
  const kind = rule?.kind ?? byStatus.kind;
  const byKind = kind === 'refused-for-now' ? false : byStatus.maybeApplied;
  const maybeApplied = rule?.applied === undefined ? byKind : rule.applied !== 'no';
  const told = { said, mend: mend(answer.status, kind, words), waitsFor };
  return answerFailure(called, answer, { kind, maybeApplied }, told);
}

function mend(status: number, kind: CallFailure['kind'], words: Pick<Words, 'credentials' | 'right'>): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed: let erp.url name the ERP itself.';
  switch (kind) {
    case 'unavailable':
    case 'incomplete':
      return 'It is tried again.';
    case 'credentials':
      return words.credentials;
    case 'forbidden':
      return words.right;
    case 'not-found':
      return 'Check the record there, and erp.url.';
    case 'refused-for-now':
      return '';
    case 'rate-limited':
      return 'It is tried again after the time it asks for.';
    default:
      return 'Correct what it complains of.';
  }
}

/** The failure for a write that was answered with success and had no effect. */
export function ignoredFailure(called: Called, what: string, maybeApplied: boolean): CallFailure {
  const text = `${subjectOf(called)} answered as if it had done it when asked to ${called.purpose}, and ${what}.`;
  return failure(called, { kind: 'refused', maybeApplied }, text, { status: 200 });
}

/** The failure for a change of a record that the ERP does not have. Nothing was written. */
export function absentFailure(called: Called): CallFailure {
  const text = `${subjectOf(called)} does not find it when asked to ${called.purpose}. Check the record there, and erp.url.`;
  return failure(called, { kind: 'not-found', maybeApplied: false }, text);
}

/** The failure for a write whose session was over. */
export function sessionFailure(called: Called, status: number): CallFailure {
  const text = `The session at ${called.erp} was over when it was asked to ${called.purpose}. It is tried again.`;
  return failure(called, { kind: 'unavailable', maybeApplied: false }, text, { status });
}

/** The failure for a write that lacks something in the ERP. @param why the reason, where the description gives one as text */
export function impossibleFailure(called: Called, step: string, why: unknown): CallFailure {
  const said = typeof why === 'string' && why !== '' ? why : 'it does not find what it needs';
  const text = `${subjectOf(called)} cannot be asked to ${called.purpose}: ${quoted(said, called)} (its step ${step}). Correct it there.`;
  return failure(called, { kind: 'refused', maybeApplied: false }, text);
}
