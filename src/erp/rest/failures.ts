import type { CallFailure } from '../../domain/failure.ts';
import type { Answered, Broken } from '../../http/exchange.ts';
import { callFailure, type Facts, type Meaning, MISFIT, meaningOfBreak, meaningOfStatus } from '../../http/failure.ts';
import type { ShapeIssue } from '../../http/misfit.ts';
import { readRetryAfter } from '../../http/retry-after.ts';
import { withoutSecret } from '../../redaction.ts';
import type { ErrorRule } from './schema.ts';

/** The call that failed, as messages show it. */
export interface Called {
  /** `https://erp.example`, without credentials. */
  readonly origin: string;
  readonly secrets: readonly string[];
  /** As in "when asked to {purpose}": `list the products`. */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
}

const DOUBT = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;

function failure({ write, secrets }: Called, meaning: Meaning, text: string, facts: Facts): CallFailure {
  const [secret = '', ...others] = secrets;
  const hidden = others.reduce(withoutSecret, text);
  return callFailure({ side: 'erp', isRead: !write, secret, doubt: DOUBT }, meaning, hidden, facts);
}

/** An exchange that ended without an answer. */
export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const meaning = meaningOfBreak(broken);
  const facts = { status: broken.status, ...(meaning.kind === 'misfit' ? { path: '' } : {}) };
  return failure(called, meaning, whyBroken(called, broken), facts);
}

function whyBroken({ origin, purpose, timeoutMs }: Called, { code, sent }: Broken): string {
  const [erp, asked] = [`The ERP at ${origin}`, `when asked to ${purpose}`];
  if (code === 'STOPPED') return `The call to the ERP at ${origin} to ${purpose} was stopped.`;
  if (code === 'DEADLINE') return `${erp} did not answer within ${timeoutMs / 1000} s ${asked}. Check that it is up.`;
  if (code === 'TOO_LONG') {
    return `${erp} answered with more than is accepted in one answer ${asked}. Let it answer in smaller pages.`;
  }
  if (sent) return `${erp} broke the connection ${asked} (${code}). Check that it is up.`;
  return `${erp} could not be reached ${asked} (${code}). Check erp.url and that it is up.`;
}

/** An answer outside 2xx, or one that a rule tells to be an error. */
export function statusFailure(
  called: Called,
  answer: Answered,
  rule: ErrorRule | null,
  said: string | null,
): CallFailure {
  const { status, headers } = answer;
  const byStatus = meaningOf(status);
  const kind = rule?.kind ?? byStatus.kind;
  const maybeApplied = rule?.applied === undefined ? byStatus.maybeApplied : rule.applied !== 'no';
  const quote = said === null || said === '' ? '' : ` ("${quoted(said, called)}")`;
  const text = `The ERP at ${called.origin} answered ${status}${quote} when asked to ${called.purpose}. ${mend(status, kind)}`;
  return failure(called, { kind, maybeApplied }, text, { status, retryAfterMs: readRetryAfter(headers, Date.now()) });
}

function meaningOf(status: number): Meaning {
  if (status < 300) return { kind: 'refused', maybeApplied: true };
  const meaning = meaningOfStatus(status);
  // A 408 of a proxy can come after the ERP has the request.
  return { ...meaning, maybeApplied: meaning.maybeApplied || status === 408 };
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

/** An answer in 2xx that does not fit. @param fits what it does not fit: `the contract` */
export function misfitFailure(
  called: Called,
  status: number,
  { path, message }: ShapeIssue,
  fits: string,
): CallFailure {
  const where = path === '' ? '' : ` at ${path}`;
  const text =
    `The answer of the ERP at ${called.origin} does not fit ${fits}${where} (${quoted(message, called)}) ` +
    `when asked to ${called.purpose}. Correct the ERP's answer${fits === 'the contract' ? '' : ', or its description'}.`;
  return failure(called, MISFIT, text, { status, path });
}

/** The failure of a list that had to be complete. */
export function incompleteFailure(called: Called): CallFailure {
  const text =
    `The ERP at ${called.origin} does not say that its answer is complete, when asked to ${called.purpose}: there may be more. ` +
    'It is tried again. If this stays, let its last page say "complete": true.';
  return failure(called, { kind: 'incomplete', maybeApplied: false }, text, { status: 200, path: 'complete' });
}

/** A write that the ERP took without a word and did not do. */
export function ignoredFailure(called: Called, what: string, maybeApplied: boolean): CallFailure {
  const text = `The ERP at ${called.origin} answered as if it had done it when asked to ${called.purpose}, and ${what}.`;
  return failure(called, { kind: 'refused', maybeApplied }, text, { status: 200 });
}

/** A session that is over while a write was asked for. */
export function sessionFailure(called: Called, status: number): CallFailure {
  const text = `The session at the ERP at ${called.origin} was over when it was asked to ${called.purpose}. It is tried again.`;
  return failure(called, { kind: 'unavailable', maybeApplied: false }, text, { status });
}

/** A text of the other side, made fit for a log: one line, bounded, and without secrets in case they were echoed. */
function quoted(text: string, { secrets }: Called): string {
  return secrets
    .reduce(withoutSecret, text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_QUOTE_LENGTH);
}
