import type { CallFailure } from '../../domain/failure.ts';
import type { Answered } from '../../http/exchange.ts';
import { answerFailure, type Called, failure, meaningOf, quoted, subjectOf } from '../failure.ts';
import type { Verdict } from './rules.ts';

/** Words of messages to the author of the configuration. */
export interface Words {
  /** The rules for answers: `the contract`. */
  readonly fits: string;
  /** Advice for an answer that does not fit: "Correct the ERP's answer." */
  readonly mend: string;
  /** Advice for rejected credentials: "Check erp.token of this account." */
  readonly credentials: string;
  /** Advice for a missing right: "Give the token of this account that right." */
  readonly right: string;
}

/**
 * An answer outside 2xx, or one that a rule declares an error.
 * @param verdict the rule that fits; null: none
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

/** A successful answer to a write that had no effect. */
export function ignoredFailure(called: Called, what: string, maybeApplied: boolean): CallFailure {
  const text = `${subjectOf(called)} answered as if it had done it when asked to ${called.purpose}, and ${what}.`;
  return failure(called, { kind: 'refused', maybeApplied }, text, { status: 200 });
}

/** A change of a record that the ERP does not have. Nothing was written. */
export function absentFailure(called: Called): CallFailure {
  const text = `${subjectOf(called)} does not find it when asked to ${called.purpose}. Check the record there, and erp.url.`;
  return failure(called, { kind: 'not-found', maybeApplied: false }, text);
}

/** A write whose session had ended. */
export function sessionFailure(called: Called, status: number): CallFailure {
  const text = `The session at ${called.erp} was over when it was asked to ${called.purpose}. It is tried again.`;
  return failure(called, { kind: 'unavailable', maybeApplied: false }, text, { status });
}

/** A write that lacks something in the ERP. @param why the description's reason, if it is a text */
export function impossibleFailure(called: Called, step: string, why: unknown): CallFailure {
  const said = typeof why === 'string' && why !== '' ? why : 'it does not find what it needs';
  const text = `${subjectOf(called)} cannot be asked to ${called.purpose}: ${quoted(said, called)} (its step ${step}). Correct it there.`;
  return failure(called, { kind: 'refused', maybeApplied: false }, text);
}
