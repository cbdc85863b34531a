import { CallFailure, type FailureKind, type WaitsFor } from '../domain/failure.ts';
import type { Answered, Broken } from '../http/exchange.ts';
import {
  callFailure,
  type Facts,
  type FailedCall,
  INVALID_ANSWER,
  type Meaning,
  meaningOfBreak,
  meaningOfStatus,
  withoutDescriptor,
} from '../http/failure.ts';
import type { ShapeIssue } from '../http/issues.ts';
import { readRetryAfter } from '../http/retry-after.ts';
import { withoutSecret } from '../logging/redaction.ts';

/** A call to an ERP, as the message of its failure shows it. */
export interface Called {
  /** The ERP as the inside of a sentence names it, without credentials: `the ERP at https://erp.example`. */
  readonly erp: string;
  /** As in "when asked to {purpose}": `list the products`. */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
  /** Texts that no message shows, even when the ERP repeats them. */
  readonly secrets: readonly string[];
}

const DOUBT = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;

/** Every failure of an ERP is made here. A write that may have been applied has the outcome `unknown`. */
export function failure(called: Called, meaning: Meaning, text: string, facts: Facts = {}): CallFailure {
  const hidden = called.secrets.slice(1).reduce(withoutSecret, text);
  return callFailure(callOf(called), meaning, hidden, facts);
}

function callOf({ write, secrets: [secret = ''] }: Called): FailedCall {
  return { side: 'erp', isRead: !write, secret, doubt: DOUBT };
}

/** A call that was not made for want of a file descriptor; null: it ended in another way. */
export function lackingDescriptor(called: Called, code: string): CallFailure | null {
  return withoutDescriptor(callOf(called), code);
}

/** The failure of a call that was not sent. */
export function notSent(text: string, kind: FailureKind = 'refused', retryAfterMs: number | null = null): CallFailure {
  return new CallFailure(text, { side: 'erp', kind, outcome: 'not-applied', retryAfterMs });
}

/**
 * A message without the promise to try again, for a caller that makes a single call. The sentence belongs to the daemon, whose
 * messages say it in these words.
 */
export function ofSingleCall(message: string): string {
  return message.replaceAll(/ It is tried again(?:\.| after the time it asks for\.)/g, '');
}

/** The name of the ERP at the beginning of a sentence. */
export function subjectOf({ erp }: Called): string {
  return erp.charAt(0).toUpperCase() + erp.slice(1);
}

/** A text of the ERP, made fit for a log: one line, bounded, and without the secrets that the ERP may have repeated. */
export function quoted(text: string, { secrets }: Called): string {
  return secrets
    .reduce(withoutSecret, text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_QUOTE_LENGTH);
}

/** An HTTP exchange that ended without an answer. */
export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const lacking = broken.sent ? null : lackingDescriptor(called, broken.code);
  if (lacking !== null) return lacking;
  const meaning = meaningOfBreak(broken);
  const facts = { status: broken.status, ...(meaning.kind === 'invalid-answer' ? { path: '' } : {}) };
  return failure(called, meaning, whyBroken(called, broken), facts);
}

function whyBroken(called: Called, { code, sent }: Broken): string {
  const [erp, asked] = [subjectOf(called), `when asked to ${called.purpose}`];
  if (code === 'STOPPED') return stoppedText(called);
  if (code === 'DEADLINE') return `${lateText(called)}. Check that it is up.`;
  if (code === 'TOO_LONG') {
    return `${erp} answered with more than is accepted in one answer ${asked}. Let it answer in pages of the size that it is asked for.`;
  }
  if (sent) return `${erp} broke the connection ${asked} (${code}). Check that it is up.`;
  return `${erp} could not be reached ${asked} (${code}). Check erp.url and that it is up.`;
}

export function stoppedText({ erp, purpose }: Called): string {
  return `The call to ${erp} to ${purpose} was stopped.`;
}

/** The sentence about a call that took too long, without its end: the caller adds more. */
export function lateText(called: Called): string {
  return `${subjectOf(called)} did not answer within ${called.timeoutMs / 1_000} s when asked to ${called.purpose}`;
}

/** The meaning of an HTTP status alone, without regard to the body. */
export function meaningOf(status: number): Meaning {
  if (status < 300) return { kind: 'refused', maybeApplied: true };
  const meaning = meaningOfStatus(status);
  // A proxy may answer 408 after the ERP has received the request.
  return { ...meaning, maybeApplied: meaning.maybeApplied || status === 408 };
}

/** The failure for an answer that refuses the call. @param said the ERP's own words, where it has any */
export function answerFailure(
  called: Called,
  { status, headers }: Answered,
  meaning: Meaning,
  {
    said,
    mend,
    waitsFor = null,
  }: { readonly said: string | null; readonly mend: string; readonly waitsFor?: WaitsFor | null },
): CallFailure {
  const quote = said === null || said === '' ? '' : ` ("${quoted(said, called)}")`;
  const text = `${subjectOf(called)} answered ${status}${quote} when asked to ${called.purpose}. ${mend}`.trimEnd();
  return failure(called, meaning, text, { status, waitsFor, retryAfterMs: readRetryAfter(headers, Date.now()) });
}

/** The failure for an answer of success whose content does not fit. @param fits the name of the rules: `the contract` */
export function invalidAnswer(
  called: Called,
  { path, message }: ShapeIssue,
  { status = 200, fits, mend }: { readonly status?: number; readonly fits: string; readonly mend: string },
): CallFailure {
  const where = path === '' ? '' : ` at ${path}`;
  const text =
    `The answer of ${called.erp} does not fit ${fits}${where} (${quoted(message, called)}) ` +
    `when asked to ${called.purpose}. ${mend}`;
  return failure(called, INVALID_ANSWER, text, { status, path });
}

/** The failure of a list that had to be complete. */
export function incompleteFailure(called: Called): CallFailure {
  const text =
    `${subjectOf(called)} does not say that its answer is complete, when asked to ${called.purpose}: there may be more. ` +
    'It is tried again. If this stays, let its last page say "complete": true.';
  return failure(called, { kind: 'incomplete', maybeApplied: false }, text, { status: 200, path: 'complete' });
}
