import type { CallFailure } from '../../domain/failure.ts';
import type { Answered } from '../../http/exchange.ts';
import { answerFailure, type Called, failure, invalidAnswer, meaningOf, quoted } from '../failure.ts';

/** An answer outside 2xx. Tryton sends it only for a call that it did not begin. */
export function statusFailure(called: Called, answer: Answered): CallFailure {
  return answerFailure(called, answer, meaningOf(answer.status), { said: null, mend: mend(answer.status) });
}

function mend(status: number): string {
  if (status >= 500 || status === 408) return 'It is tried again.';
  switch (status) {
    case 401:
      return 'Check erp.user and erp.password of this account.';
    case 403:
      return 'Activate the modules that the guide names, and check erp.url.';
    case 404:
      return 'Check erp.database and erp.url.';
    case 429:
      return 'It is tried again after a while: somebody has given it wrong passwords.';
    default:
      return 'Check erp.url.';
  }
}

/** Tryton refused the call and rolled back. */
const REFUSALS: readonly unknown[] = ['UserError', 'UserWarning'];

/**
 * An error with status 200: `["UserError", [text, description, ...]]` for a refusal, `[text, trace]` for a fault or a
 * lost database. After a fault, the transaction may have been committed.
 */
export function errorFailure(called: Called, error: unknown): CallFailure {
  const [name, details] = Array.isArray(error) ? (error as unknown[]) : [error];
  const refused = REFUSALS.includes(name);
  const concurrent = name === 'ConcurrencyException';
  const said = quoted(refused ? textsIn(details).join(' ') : String(name), called);
  const text = `${called.erp} answered "${said}" when asked to ${called.purpose}.`;
  if (refused) {
    const denied = /\bnot allowed\b/.test(said);
    const advice = denied ? ' Give its user that right, as the guide lists them.' : ' Correct what it complains of.';
    return failure(called, { kind: 'refused', maybeApplied: false }, text + advice, { status: 200 });
  }
  return failure(called, { kind: 'unavailable', maybeApplied: !concurrent }, `${text} It is tried again.`, {
    status: 200,
  });
}

function textsIn(details: unknown): string[] {
  const all = Array.isArray(details) ? (details as unknown[]) : [details];
  return all.filter((one) => typeof one === 'string' && one !== '').map(String);
}

/** A successful answer with invalid content. */
export function unreadFailure(called: Called, path: string, message: string): CallFailure {
  const said = { fits: 'what is known of Tryton', mend: 'Check erp.url and the version of Tryton.' };
  return invalidAnswer(called, { path, message }, said);
}

/** A write that was not begun, or had no effect. */
export function foundFailure(called: Called, outcome: 'not-applied' | 'unknown', why: string): CallFailure {
  const text = `${called.erp} was asked to ${called.purpose}: ${why}`;
  return failure(called, { kind: 'refused', maybeApplied: outcome === 'unknown' }, text, { status: 200 });
}
