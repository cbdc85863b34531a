import type { CallFailure } from '../../domain/failure.ts';
import type { Answered, Broken } from '../../http/exchange.ts';
import { callFailure, type Facts, type Meaning, MISFIT, meaningOfBreak, meaningOfStatus } from '../../http/failure.ts';
import { readRetryAfter } from '../../http/retry-after.ts';
import { withoutSecret } from '../../redaction.ts';

/** The call that failed, as messages show it. */
export interface Called {
  readonly origin: string;
  readonly secret: string;
  /** As in "when asked to {purpose}". */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
}

const DOUBT = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;

function failure({ write, secret }: Called, meaning: Meaning, text: string, facts: Facts = {}): CallFailure {
  return callFailure({ side: 'erp', isRead: !write, secret, doubt: DOUBT }, meaning, text, facts);
}

/** An exchange that ended without an answer. */
export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const { origin, purpose, timeoutMs } = called;
  const meaning = meaningOfBreak(broken);
  const facts = { status: broken.status, ...(meaning.kind === 'misfit' ? { path: '' } : {}) };
  const [tryton, asked] = [`Tryton at ${origin}`, `when asked to ${purpose}`];
  if (broken.code === 'STOPPED')
    return failure(called, meaning, `The call to ${tryton} to ${purpose} was stopped.`, facts);
  const why =
    broken.code === 'DEADLINE'
      ? `did not answer within ${timeoutMs / 1000} s ${asked}`
      : broken.sent
        ? `broke the connection ${asked} (${broken.code})`
        : `could not be reached ${asked} (${broken.code}); check erp.url`;
  return failure(called, meaning, `${tryton} ${why}. Check that it is up.`, facts);
}

/** An answer outside 2xx: none of a call that Tryton has begun, except from a server in front of it. */
export function statusFailure(called: Called, { status, headers }: Answered): CallFailure {
  const meaning = meaningOfStatus(status);
  const text = `Tryton at ${called.origin} answered ${status} when asked to ${called.purpose}. ${mend(status)}`;
  const maybeApplied = meaning.maybeApplied || status === 408;
  return failure(called, { ...meaning, maybeApplied }, text, {
    status,
    retryAfterMs: readRetryAfter(headers, Date.now()),
  });
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

/** Errors by which Tryton itself says that it has refused a call and rolled its transaction back. */
const REFUSALS: readonly unknown[] = ['UserError', 'UserWarning'];

/**
 * An error that came with the status 200: `["UserError", [text, description, ...]]` for a refusal, `[text, trace]` for a fault
 * of the program or a lost database. After a fault, nobody knows whether the transaction was committed.
 */
export function errorFailure(called: Called, error: unknown): CallFailure {
  const [name, details] = Array.isArray(error) ? (error as unknown[]) : [error];
  const refused = REFUSALS.includes(name);
  const concurrent = name === 'ConcurrencyException';
  const said = quoted(refused ? textsIn(details).join(' ') : String(name), called.secret);
  const text = `Tryton at ${called.origin} answered "${said}" when asked to ${called.purpose}.`;
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

/** An answer of success whose content does not fit. */
export function misfitFailure(called: Called, path: string, message: string): CallFailure {
  const where = path === '' ? '' : ` at ${path}`;
  const text =
    `The answer of Tryton at ${called.origin} is not understood${where} (${quoted(message, called.secret)}) ` +
    `when asked to ${called.purpose}. Check erp.url and the version of Tryton.`;
  return failure(called, MISFIT, text, { status: 200, path });
}

/** What the connector itself finds: a write that it does not begin, or one that has not done what it is for. */
export function answerFailure(called: Called, outcome: 'not-applied' | 'unknown', why: string): CallFailure {
  const text = `Tryton at ${called.origin} was asked to ${called.purpose}: ${why}`;
  return failure(called, { kind: 'refused', maybeApplied: outcome === 'unknown' }, text, { status: 200 });
}

/** A text of the other side, made fit for a log: one line, bounded, and without the password in case it was echoed. */
function quoted(text: string, secret: string): string {
  return withoutSecret(text, secret)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_QUOTE_LENGTH);
}
