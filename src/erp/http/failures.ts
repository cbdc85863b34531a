import { CallFailure, type FailureKind, type Outcome } from '../../domain/failure.ts';
import { withoutSecret } from '../../redaction.ts';
import type { Exchange, HttpReply } from './exchange.ts';
import { parseJson } from './json.ts';
import { errorAnswer } from './rows.ts';

/** What a failure's message needs to know of the call. */
export interface CallFacts {
  /** `https://erp.example`, without credentials. */
  readonly origin: string;
  readonly token: string;
  /** What the call was for, as in "when asked to {purpose}": `list the products`. */
  readonly purpose: string;
  readonly write: boolean;
  readonly timeoutMs: number;
}

const UNSURE = ' It may have been applied: it is looked up before anything is repeated.';
const MAX_QUOTE_LENGTH = 300;
const MAX_RETRY_AFTER_MS = 3_600_000;

/** The failure of an exchange that ended without an answer. */
export function withoutAnswer(exchange: Exclude<Exchange, { ended: 'answered' }>, call: CallFacts): CallFailure {
  const outcome: Outcome = call.write && exchange.sent ? 'unknown' : 'not-applied';
  const unsure = outcome === 'unknown' ? UNSURE : '';
  const asked = `when asked to ${call.purpose}`;
  const { status, cause } = exchange;
  const facts = { side: 'erp', outcome, status, ofRead: !call.write, cause: cause ?? undefined } as const;
  switch (exchange.ended) {
    case 'timed-out':
      return new CallFailure(
        `The ERP at ${call.origin} did not answer within ${call.timeoutMs / 1000} s ${asked}. Check that it is up.${unsure}`,
        { ...facts, kind: 'unavailable' },
      );
    case 'stopped':
      return new CallFailure(`The call to the ERP at ${call.origin} to ${call.purpose} was stopped.${unsure}`, {
        ...facts,
        kind: 'unavailable',
      });
    case 'too-large':
      return new CallFailure(
        `The ERP at ${call.origin} answered with more than is accepted in one answer ${asked}. Let it honour limit=.${unsure}`,
        { ...facts, kind: 'misfit', path: '' },
      );
    case 'failed': {
      const happened = exchange.sent ? 'broke the connection' : 'could not be reached';
      const mend = exchange.sent ? 'Check that it is up.' : 'Check erp.url and that it is up.';
      return new CallFailure(
        `The ERP at ${call.origin} ${happened} ${asked} (${code(exchange.cause)}). ${mend}${unsure}`,
        {
          ...facts,
          kind: 'unavailable',
        },
      );
    }
  }
}

/** The failure that an answer outside 2xx stands for. */
export function fromStatus(reply: HttpReply, call: CallFacts): CallFailure {
  const { kind, outcome, mend } = meaning(reply.status);
  const said = quote(errorText(reply), call.token);
  const unsure = call.write && outcome === 'unknown' ? UNSURE : '';
  return new CallFailure(
    `The ERP at ${call.origin} answered ${reply.status}${said} when asked to ${call.purpose}. ${mend}${unsure}`,
    {
      side: 'erp',
      kind,
      outcome: call.write ? outcome : 'not-applied',
      status: reply.status,
      ofRead: !call.write,
      retryAfterMs: retryAfterMs(reply.headers),
    },
  );
}

/** An answer in the 2xx that is not what the contract says. A write behind it was applied, as far as one can tell. */
export function misfitAnswer(status: number, issue: { path: string; message: string }, call: CallFacts): CallFailure {
  const where = issue.path === '' ? '' : ` at ${issue.path}`;
  return new CallFailure(
    `The answer of the ERP at ${call.origin} does not fit the contract${where} (${quoteText(issue.message, call.token)}) ` +
      `when asked to ${call.purpose}. Correct the ERP's answer.${call.write ? UNSURE : ''}`,
    {
      side: 'erp',
      kind: 'misfit',
      outcome: call.write ? 'unknown' : 'not-applied',
      status,
      path: issue.path,
      ofRead: !call.write,
    },
  );
}

/** The failure of a list that was wanted whole. */
export function incompleteAnswer(call: Omit<CallFacts, 'write'>): CallFailure {
  return new CallFailure(
    `The ERP at ${call.origin} does not say that its answer is complete, when asked to ${call.purpose}: there may be more. ` +
      'It is tried again. If this stays, let its last page say "complete": true.',
    { side: 'erp', kind: 'incomplete', outcome: 'not-applied', status: 200, path: 'complete', ofRead: true },
  );
}

/** The contract's `{"error": text}`, or null when the answer is something else (a proxy's page, say). */
export function errorText(reply: HttpReply): string | null {
  try {
    return errorAnswer.parse(parseJson(reply.body.toString('utf8'))).error;
  } catch {
    return null;
  }
}

function meaning(status: number): { kind: FailureKind; outcome: Outcome; mend: string } {
  const no = 'not-applied';
  if (status === 401) return { kind: 'credentials', outcome: no, mend: 'Check erp.token of this account.' };
  if (status === 403) return { kind: 'forbidden', outcome: no, mend: 'Give the token of this account that right.' };
  if (status === 404 || status === 405) {
    return { kind: 'not-found', outcome: no, mend: 'Check the record there, and erp.url.' };
  }
  if (status === 429)
    return { kind: 'rate-limited', outcome: no, mend: 'It is tried again after the time it asks for.' };
  // A proxy's 408 can come after the ERP has the request.
  if (status === 408) return { kind: 'unavailable', outcome: 'unknown', mend: 'It is tried again.' };
  if (status >= 500) return { kind: 'unavailable', outcome: 'unknown', mend: 'It is tried again.' };
  if (status >= 400) return { kind: 'refused', outcome: no, mend: 'Correct what it complains of.' };
  return { kind: 'refused', outcome: 'unknown', mend: 'Redirects are not followed: let erp.url name the ERP itself.' };
}

/** Seconds or an HTTP date (told from the answer's own `Date`). Bounded, and null when absent or unreadable. */
function retryAfterMs(headers: HttpReply['headers']): number | null {
  const value = single(headers['retry-after'])?.trim();
  if (value === undefined || value === '') return null;
  if (/^\d{1,9}$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS);
  const waitMs = Date.parse(value) - Date.parse(single(headers['date']) ?? '');
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function quote(text: string | null, token: string): string {
  return text === null || text === '' ? '' : ` ("${quoteText(text, token)}")`;
}

/** Somebody else's text, fit for a log: one line, bounded, and without the token in case it was echoed. */
function quoteText(text: string, token: string): string {
  const bare = withoutSecret(text, token);
  return bare.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_QUOTE_LENGTH);
}

function code(cause: Error | null): string {
  const known = cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : null;
  return known ?? cause?.name ?? 'no reason given';
}
