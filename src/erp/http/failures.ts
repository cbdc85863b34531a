import type { CallFailure } from '../../domain/failure.ts';
import type { Answered, Broken } from '../../http/exchange.ts';
import { callFailure, type Facts, type Meaning, MISFIT, meaningOfBreak, meaningOfStatus } from '../../http/failure.ts';
import { parseJson } from '../../http/json.ts';
import type { ShapeIssue } from '../../http/misfit.ts';
import { readRetryAfter } from '../../http/retry-after.ts';
import { withoutSecret } from '../../redaction.ts';
import { errorAnswer } from './answers.ts';

/** The call that failed, as messages show it. */
export interface Called {
  /** `https://erp.example`, without credentials. */
  readonly origin: string;
  readonly token: string;
  /** As in "when asked to {purpose}": `list the products`. */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
}

const DOUBT = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;

function failure({ write, token }: Called, meaning: Meaning, text: string, facts: Facts): CallFailure {
  return callFailure({ side: 'erp', isRead: !write, secret: token, doubt: DOUBT }, meaning, text, facts);
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
    return `${erp} answered with more than is accepted in one answer ${asked}. Let it honour limit=.`;
  }
  if (sent) return `${erp} broke the connection ${asked} (${code}). Check that it is up.`;
  return `${erp} could not be reached ${asked} (${code}). Check erp.url and that it is up.`;
}

/** An answer outside 2xx. */
export function statusFailure(called: Called, answer: Answered): CallFailure {
  const { status, headers } = answer;
  const meaning = meaningOfStatus(status);
  // A 408 of a proxy can come after the ERP has the request.
  const maybeApplied = meaning.maybeApplied || status === 408;
  const said = errorText(answer);
  const quote = said === null || said === '' ? '' : ` ("${quoted(said, called.token)}")`;
  const text = `The ERP at ${called.origin} answered ${status}${quote} when asked to ${called.purpose}. ${mend(status)}`;
  return failure(called, { ...meaning, maybeApplied }, text, {
    status,
    retryAfterMs: readRetryAfter(headers, Date.now()),
  });
}

function mend(status: number): string {
  if (status >= 500 || status === 408) return 'It is tried again.';
  if (status < 400) return 'Redirects are not followed: let erp.url name the ERP itself.';
  switch (status) {
    case 401:
      return 'Check erp.token of this account.';
    case 403:
      return 'Give the token of this account that right.';
    case 404:
    case 405:
      return 'Check the record there, and erp.url.';
    case 429:
      return 'It is tried again after the time it asks for.';
    default:
      return 'Correct what it complains of.';
  }
}

/** An answer in 2xx that does not fit the contract. */
export function misfitFailure(called: Called, status: number, { path, message }: ShapeIssue): CallFailure {
  const where = path === '' ? '' : ` at ${path}`;
  const text =
    `The answer of the ERP at ${called.origin} does not fit the contract${where} (${quoted(message, called.token)}) ` +
    `when asked to ${called.purpose}. Correct the ERP's answer.`;
  return failure(called, MISFIT, text, { status, path });
}

/** The failure of a list that had to be complete. */
export function incompleteFailure(called: Called): CallFailure {
  const text =
    `The ERP at ${called.origin} does not say that its answer is complete, when asked to ${called.purpose}: there may be more. ` +
    'It is tried again. If this stays, let its last page say "complete": true.';
  return failure(called, { kind: 'incomplete', maybeApplied: false }, text, { status: 200, path: 'complete' });
}

/** The contract's `{"error": text}`, or null when the answer is something else (a proxy's page, say). */
export function errorText({ body }: Answered): string | null {
  try {
    return errorAnswer.parse(parseJson(body.toString())).error;
  } catch {
    return null;
  }
}

/** A text of the other side, made fit for a log: one line, bounded, and without the token in case it was echoed. */
function quoted(text: string, token: string): string {
  return withoutSecret(text, token)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_QUOTE_LENGTH);
}
