import type { CallFailure } from '../../domain/failure.ts';
import type { Answered } from '../../http/exchange.ts';
import { answerFailure, type Called, failure, meaningOf, subjectOf } from '../failure.ts';
import type { ErrorRule } from './schema.ts';

/** An answer outside 2xx, or one that a rule tells to be an error. */
export function statusFailure(
  called: Called,
  answer: Answered,
  rule: ErrorRule | null,
  said: string | null,
): CallFailure {
  const byStatus = meaningOf(answer.status);
  const kind = rule?.kind ?? byStatus.kind;
  const maybeApplied = rule?.applied === undefined ? byStatus.maybeApplied : rule.applied !== 'no';
  return answerFailure(called, answer, { kind, maybeApplied }, { said, mend: mend(answer.status, kind) });
}

function mend(status: number, kind: CallFailure['kind']): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed: let erp.url name the ERP itself.';
  switch (kind) {
    case 'unavailable':
    case 'incomplete':
      return 'It is tried again.';
    case 'credentials':
      return 'Check the credentials below erp of this account.';
    case 'forbidden':
      return 'Give the credentials of this account that right.';
    case 'not-found':
      return 'Check the record there, and erp.url.';
    case 'rate-limited':
      return 'It is tried again after the time it asks for.';
    default:
      return 'Correct what it complains of.';
  }
}

/** A write that the ERP took without a word and did not do. */
export function ignoredFailure(called: Called, what: string, maybeApplied: boolean): CallFailure {
  const text = `${subjectOf(called)} answered as if it had done it when asked to ${called.purpose}, and ${what}.`;
  return failure(called, { kind: 'refused', maybeApplied }, text, { status: 200 });
}

/** A session that is over while a write was asked for. */
export function sessionFailure(called: Called, status: number): CallFailure {
  const text = `The session at ${called.erp} was over when it was asked to ${called.purpose}. It is tried again.`;
  return failure(called, { kind: 'unavailable', maybeApplied: false }, text, { status });
}
