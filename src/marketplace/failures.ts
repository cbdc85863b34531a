import type { CallFailure } from '../domain/failure.ts';
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
import { withoutSecret } from '../logging/redaction.ts';
import { permissionText } from './operations/operation.ts';
import { refusalText } from './refusal.ts';
import type { Deployed } from './request.ts';

export interface Called {
  readonly operation: Deployed;
  /** Without the query, which may contain search texts of people. */
  readonly url: string;
  /** The path is the table's assumption, and the configuration does not override it. */
  readonly assumed: boolean;
  /** The key or token. No message may contain it, even if the other side repeats it. */
  readonly secret: string;
  /** The call asked for the first page of a list, at a documented path. */
  readonly firstPage: boolean;
  /** The setting with the credentials: `marketplace.auth`. */
  readonly authAt: string;
}

const DOUBT = ' Whether it was applied is unknown: look it up before repeating it.';

function failure(called: Called, meaning: Meaning, text: string, facts?: Facts): CallFailure {
  const { operation, url } = called;
  return callFailure(
    callOf(called),
    meaning,
    `marketplace ${operation.id} (${operation.method} ${url}): ${text}`,
    facts,
  );
}

function callOf({ operation, secret }: Called): FailedCall {
  return { side: 'marketplace', isRead: operation.effect === 'none', secret, doubt: DOUBT };
}

/** The call was cancelled, or the quota had no room: nothing was sent. */
export function notSent(called: Called, text: string): CallFailure {
  return failure(called, { kind: 'unavailable', maybeApplied: false }, `${text} Nothing was sent.`);
}

const AFTER_STANDSTILL_MS = 1_000;

export function expiredGrant(called: Called, grants: number): CallFailure {
  const text = `${grants} times its place in the quota was over before it could be sent: this program stands still at times. Is the machine too busy, or its disk too slow? Nothing was sent; it is worth trying again in ${AFTER_STANDSTILL_MS} ms.`;
  return failure(called, { kind: 'rate-limited', maybeApplied: false }, text, { retryAfterMs: AFTER_STANDSTILL_MS });
}

export function brokenFailure(called: Called, broken: Broken): CallFailure {
  const { sent, status, code, message } = broken;
  const lacking = sent ? null : withoutDescriptor(callOf(called), code);
  if (lacking !== null) return lacking;
  const meaning = meaningOfBreak(broken);
  if (meaning.kind === 'invalid-answer') {
    return failure(called, meaning, `${message}. Ask for fewer entries at once.`, { status, path: '' });
  }
  const text = sent ? `${inFlight(code, message)} (${code}).` : `${unconnected(code, message)} Nothing was sent.`;
  return failure(called, meaning, text, { status });
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

/** Spec 1, Errors. */
export function statusFailure(called: Called, answer: Answered, retryAfterMs: number | null): CallFailure {
  const { status } = answer;
  const meaning = meaningOfStatus(status);
  // At a documented path, a forbidden method means a refusal, not a missing entity.
  const kind = status === 405 && !called.assumed ? 'refused' : meaning.kind;
  // The key is removed before the text is cut, because half a key would not be recognised.
  const reason = refusalText(withoutSecret(answer.body.toString(), called.secret));
  const says = reason === '' ? '' : ` The marketplace says: ${reason}`;
  const text = `${status}: ${explain(called, answer, retryAfterMs)}${says}`;
  return failure(called, { ...meaning, kind }, text, { status, retryAfterMs });
}

function explain(called: Called, answer: Answered, retryAfterMs: number | null): string {
  const { id, method, permission } = called.operation;
  const { status } = answer;
  if (status >= 500) return 'the marketplace is in trouble.';
  if (status < 400) return redirected(answer);
  switch (status) {
    case 401:
      return `the credentials are not accepted. Check ${called.authAt}: scheme and key.`;
    case 403: {
      const needs = permission === null ? 'one that the spec does not show' : `"${permissionText(permission)}"`;
      return `the key lacks a permission. ${id} needs ${needs}.`;
    }
    case 404:
      return notFound(called);
    case 405:
      return `${method} is not allowed there.${whereAssumed(called)}`;
    case 408:
      return 'the request did not arrive in time.';
    case 429:
      return `the quota is used up.${retryAfterMs === null ? '' : ` Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`}`;
    default:
      return 'the request was refused; repeating it does not help.';
  }
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

/** Redirects are not followed: they would send the credentials to any address, and a write would lose its body. */
function redirected(answer: Answered): string {
  const where = answer.headers.location?.replace(/[?#].*$/s, '').slice(0, 200);
  const to = where === undefined ? '' : ` to ${where}`;
  return `redirected${to}, which is not followed. Correct base_url, or the slash at the end of the path.`;
}

export function invalidAnswer(called: Called, status: number, { path, message }: ShapeIssue): CallFailure {
  const where = path === '' ? 'the answer' : `the answer's ${path}`;
  return failure(called, INVALID_ANSWER, `${where} does not fit: ${message}.`, { status, path });
}
