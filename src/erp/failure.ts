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

export interface Called {
  /** The ERP inside a sentence, without credentials: `the ERP at https://erp.example`. */
  readonly erp: string;
  /** As in "when asked to {purpose}": `list the products`. */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
  /** Texts that are removed from every message. */
  readonly secrets: readonly string[];
}

const DOUBT = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;

/** Makes every failure of an ERP. A write that may have been applied has the outcome `unknown`. */
export function failure(called: Called, meaning: Meaning, text: string, facts: Facts = {}): CallFailure {
  const hidden = called.secrets.slice(1).reduce(withoutSecret, text);
  return callFailure(callOf(called), meaning, hidden, facts);
}

function callOf({ write, secrets: [secret = ''] }: Called): FailedCall {
  return { side: 'erp', isRead: !write, secret, doubt: DOUBT };
}

/** The failure of a call that found no free file descriptor; null: another cause. */
export function descriptorFailure(called: Called, code: string): CallFailure | null {
  return withoutDescriptor(callOf(called), code);
}

export function notSent(text: string, kind: FailureKind = 'refused', retryAfterMs: number | null = null): CallFailure {
  return new CallFailure(text, { side: 'erp', kind, outcome: 'not-applied', retryAfterMs });
}

/** The message without the daemon's promise to try again, for a caller that makes one call. */
export function withoutRetryPromise(message: string): string {
  return message.replaceAll(/ It is tried again(?:\.| after the time it asks for\.)/g, '');
}

/** The ERP's name at the start of a sentence. */
export function subjectOf({ erp }: Called): string {
  return erp.charAt(0).toUpperCase() + erp.slice(1);
}

/** The ERP's text for a log: one line, bounded, without secrets. */
export function quoted(text: string, { secrets }: Called): string {
  return secrets
    .reduce(withoutSecret, text)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_QUOTE_LENGTH);
}

/** An HTTP exchange that ended without an answer. */
export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const lacking = broken.sent ? null : descriptorFailure(called, broken.code);
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

/** The timeout sentence without its full stop, for the caller to continue. */
export function lateText(called: Called): string {
  return `${subjectOf(called)} did not answer within ${called.timeoutMs / 1_000} s when asked to ${called.purpose}`;
}

export function meaningOf(status: number): Meaning {
  if (status < 300) return { kind: 'refused', maybeApplied: true };
  const meaning = meaningOfStatus(status);
  // A proxy may return 408 after the ERP received the request.
  return { ...meaning, maybeApplied: meaning.maybeApplied || status === 408 };
}

/** A refused call. @param said the ERP's own words, if any */
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

/** A successful answer with invalid content. @param fits the name of the rules: `the contract` */
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

/** A list that had to be complete. */
export function incompleteFailure(called: Called): CallFailure {
  const text =
    `${subjectOf(called)} does not say that its answer is complete, when asked to ${called.purpose}: there may be more. ` +
    'It is tried again. If this stays, let its last page say "complete": true.';
  return failure(called, { kind: 'incomplete', maybeApplied: false }, text, { status: 200, path: 'complete' });
}
