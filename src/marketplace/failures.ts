import { CallFailure, type FailureKind, type Outcome } from '../domain/failure.ts';
import { withoutSecret } from '../redaction.ts';
import { type Operation, permissionText } from './operations/operation.ts';
import { refusalText } from './refusal.ts';
import type { Exchanged } from './transport.ts';

/** The call that failed, as its failure tells of it. */
export interface Called {
  readonly operation: Operation;
  /** Without the query, which may hold what people searched for. */
  readonly url: string;
  /** True when the path is the table's guess and the configuration does not override it. */
  readonly assumed: boolean;
  /** The key or token, which no message may show even when the other side repeats it. */
  readonly secret: string;
  /** It asked for the first page of a list, where the documents say the list is. */
  readonly firstPage: boolean;
}

type Answered = Extract<Exchanged, { kind: 'answer' }>;
type Broken = Extract<Exchanged, { kind: 'broken' }>;
interface Facts {
  readonly kind: FailureKind;
  /** May the marketplace have acted on the request? */
  readonly maybeApplied: boolean;
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  readonly path?: string;
}

function failure(called: Called, text: string, facts: Facts): CallFailure {
  const { operation, url, secret } = called;
  const outcome: Outcome = facts.maybeApplied && operation.effect !== 'none' ? 'unknown' : 'not-applied';
  const doubt = outcome === 'unknown' ? ' Whether it was applied is unknown: look it up before repeating it.' : '';
  const message = `marketplace ${operation.id} (${operation.method} ${url}): ${text}${doubt}`;
  const { maybeApplied: _, ...rest } = facts;
  const ofRead = operation.effect === 'none';
  return new CallFailure(withoutSecret(message, secret), { side: 'marketplace', outcome, ofRead, ...rest });
}

/** A call that was given up before anything was sent: stopped, or without a place in the quota. */
export function notSent(called: Called, text: string): CallFailure {
  return failure(called, `${text} Nothing was sent.`, { kind: 'unavailable', maybeApplied: false });
}

const AFTER_STANDSTILL_MS = 1_000;

/** Grants of the quota were over before the call could leave. */
export function tooLate(called: Called, grants: number): CallFailure {
  const text = `${grants} times its place in the quota was over before it could be sent: this program stands still at times. Is the machine too busy, or its disk too slow? Nothing was sent; it is worth trying again in ${AFTER_STANDSTILL_MS} ms.`;
  return failure(called, text, { kind: 'rate-limited', maybeApplied: false, retryAfterMs: AFTER_STANDSTILL_MS });
}

/** An exchange that ended without a whole answer. */
export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const { sent, status, code, message } = broken;
  if (code === 'TOO_LONG') {
    const text = `${message}. Ask for fewer entries at once.`;
    return failure(called, text, { kind: 'misfit', maybeApplied: true, status, path: '' });
  }
  const kind = code === 'UND_ERR_INVALID_ARG' ? 'refused' : 'unavailable';
  const text = sent ? `${inFlight(code, message)} (${code}).` : `${unconnected(code, message)} Nothing was sent.`;
  return failure(called, text, { kind, maybeApplied: sent, status });
}

const NAME_UNKNOWN = /^(ENOTFOUND|EAI_)/;
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO)|CERT|SELF_SIGNED|^UNABLE_TO_/;
const TOO_SLOW = /^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT|DEADLINE)$/;

function unconnected(code: string, message: string): string {
  if (code === 'STOPPED') return 'the call was stopped.';
  if (code === 'ECONNREFUSED') return 'the connection was refused. Is the marketplace up, and base_url right?';
  if (NAME_UNKNOWN.test(code)) return `the host's name could not be resolved (${code}). Is base_url right, and DNS up?`;
  if (TLS.test(code)) return `no secure connection (${code}: ${message}). Check base_url and the certificate.`;
  if (TOO_SLOW.test(code)) return `no connection in time (${code}). Is the marketplace reachable from here?`;
  return `no connection (${code}: ${message}). Check base_url and the network.`;
}

function inFlight(code: string, message: string): string {
  if (code === 'STOPPED') return 'the call was stopped while the answer was awaited';
  if (code === 'DEADLINE') return message;
  if (/^HPE_|^HTTPParserError$/.test(code)) return `the answer is not HTTP: ${message}. Is base_url right?`;
  return `the connection broke before the whole answer came: ${message}`;
}

/** An answer with a status outside 2xx (spec 1, Errors). */
export function statusFailure(called: Called, answer: Answered, retryAfterMs: number | null): CallFailure {
  const { status } = answer;
  const { kind, text, maybeApplied = false } = judge(called, answer);
  // Before it is cut, or half a key might stay.
  const said = refusalText(withoutSecret(answer.body.toString(), called.secret));
  const says = said === '' ? '' : ` The marketplace says: ${said}`;
  return failure(called, `${status}: ${text}${says}`, { kind, maybeApplied, status, retryAfterMs });
}

interface Judgement {
  readonly kind: FailureKind;
  readonly text: string;
  readonly maybeApplied?: boolean;
}

function judge(called: Called, answer: Answered): Judgement {
  const { operation } = called;
  const { status } = answer;
  if (status >= 500) return { kind: 'unavailable', text: 'the marketplace is in trouble.', maybeApplied: true };
  if (status === 401) {
    return { kind: 'credentials', text: 'the credentials are not accepted. Check marketplace.auth: scheme and key.' };
  }
  if (status === 403) {
    const needs =
      operation.permission === null ? 'one that the spec does not show' : `"${permissionText(operation.permission)}"`;
    return { kind: 'forbidden', text: `the key lacks a permission. ${operation.id} needs ${needs}.` };
  }
  if (status === 404) return { kind: 'not-found', text: notFound(called) };
  if (status === 405) {
    const text = `${operation.method} is not allowed there.${whereAssumed(called)}`;
    return { kind: called.assumed ? 'not-found' : 'refused', text };
  }
  if (status === 408) return { kind: 'unavailable', text: 'the request did not arrive in time.' };
  if (status === 429) return { kind: 'rate-limited', text: 'the quota is used up.' };
  if (status < 400) return redirected(answer);
  return { kind: 'refused', text: 'the request was refused; repeating it does not help.' };
}

function notFound(called: Called): string {
  const { paging } = called.operation;
  if ((paging === 'page' || paging === 'offset') && !called.assumed) {
    return 'no such page: it is beyond the last, or page_size is not 1 to 500; or base_url is wrong.';
  }
  return `there is nothing there.${whereAssumed(called)}`;
}

function whereAssumed(called: Called): string {
  if (!called.assumed) return '';
  const { id } = called.operation;
  return ` The path is assumed, not documented; name yours in the configuration: marketplace.operations.${id}: { method, path }.`;
}

/** Redirects are not followed: the credentials would go wherever the answer says, and a write would lose its body. */
function redirected(answer: Answered): Judgement {
  const where = answer.headers.location?.replace(/[?#].*$/s, '').slice(0, 200);
  const to = where === undefined ? '' : ` to ${where}`;
  const text = `redirected${to}, which is not followed. Correct base_url, or the slash at the end of the path.`;
  // 302 and 303 may also mean "done, see there".
  return { kind: 'refused', text, maybeApplied: answer.status === 302 || answer.status === 303 };
}

/** A 2xx answer that does not fit the documented shape. */
export function misfitFailure(called: Called, status: number, path: string, message: string): CallFailure {
  const where = path === '' ? 'the answer' : `the answer's ${path}`;
  const text = `${where} does not fit: ${message}.`;
  return failure(called, text, { kind: 'misfit', maybeApplied: true, status, path });
}
