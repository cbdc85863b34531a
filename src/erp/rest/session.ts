import type { Given } from '../../expressions/bundle.ts';
import { compileExpression } from '../../expressions/expression.ts';
import type { Credential } from '../../http/credential.ts';
import type { Answered, Exchanged } from '../../http/exchange.ts';
import { durationMs } from '../../settings/scalars.ts';
import { notSent } from '../failure.ts';
import type { AuthSection } from './auth/schema.ts';
import type { Signature } from './auth/sign.ts';
import { compileRequest, type Outgoing } from './request.ts';
import { bodyOf, isPage } from './rules.ts';
import { ALWAYS } from './texts.ts';

type Section = Extract<AuthSection, { scheme: 'session' }>;

export interface Session {
  /** The session's credentials. Logs in if there is no session. */
  sign(): Promise<Signature>;
  /** Whether the answer says that the session has ended. */
  isOver(answer: Answered): Promise<boolean>;
}

export interface SessionParts {
  readonly auth: Section;
  readonly password: Credential;
  readonly given: Given;
  readonly nowMs: () => number;
  readonly send: (call: Outgoing, operation: string) => Promise<Exchanged>;
}

interface Held extends Pick<Signature, 'headers' | 'auth'> {
  readonly secrets: readonly string[];
  readonly untilMs: number;
}

/** The pause after a failed login, since an ERP may lock the account after a few. */
const REST_MS = 30_000;
const SHORTEST_SECRET = 8;

/** @throws ExpressionError for an invalid expression */
export function createSession({ auth, password, given, nowMs, send }: SessionParts): Session {
  const login = compileRequest(auth.login, ['user', 'password'], 'auth.login');
  const names = [...ALWAYS, 'headers', 'status'];
  const token = auth.token === undefined ? null : compileExpression(auth.token, names);
  const expired = auth.expired.body === undefined ? null : compileExpression(auth.expired.body, names);
  const lifeMs = auth.lifetime === undefined ? Number.POSITIVE_INFINITY : durationMs(auth.lifetime);
  let held: Held | null = null;
  let asking: Promise<Held> | null = null;
  let failed: { readonly error: unknown; readonly untilMs: number } | null = null;

  async function loggedIn(): Promise<Held> {
    const secret = await password.secret();
    const call = await login.make({ ...given, user: auth.user, password: secret });
    const answer = await send(call, login.operation);
    if (answer.kind === 'broken') {
      throw notSent(
        `The ERP could not be asked for a session (${answer.code}). Check that it is up, and erp.auth.login.`,
        'unavailable',
      );
    }
    const { status, headers } = answer;
    const known = { ...given, headers, status };
    if (status >= 500 || status === 429)
      throw notSent(`The ERP answered ${status} to the login. It is tried again.`, 'unavailable');
    if (status >= 400) {
      password.refused(secret);
      throw notSent(`The ERP answered ${status} to the login. Check erp.auth of this account.`, 'credentials');
    }
    const found = token === null ? cookiesOf(answer) : await token.evaluate((await bodyOf(answer)) ?? null, known);
    if (typeof found !== 'string' || !/^[\x20-\x7e]+$/.test(found)) {
      throw notSent(
        'The answer to the login holds no session. Check erp.auth of this account, and the expression that finds the session in the answer.',
        'credentials',
      );
    }
    return heldBy(auth, { found, secret, untilMs: nowMs() + lifeMs });
  }

  return {
    async sign() {
      if (held === null || nowMs() >= held.untilMs) {
        if (failed !== null && nowMs() < failed.untilMs) throw failed.error;
        asking ??= loggedIn().finally(() => {
          asking = null;
        });
        try {
          held = await asking;
          failed = null;
        } catch (error) {
          failed = { error, untilMs: nowMs() + REST_MS };
          throw error;
        }
      }
      const used = held;
      return {
        headers: used.headers,
        auth: used.auth,
        secrets: used.secrets,
        refused: () => {
          if (held === used) held = null;
        },
      };
    },
    async isOver(answer) {
      if (auth.expired.status.includes(answer.status) || (auth.expired.html && isPage(answer))) return true;
      const body = expired === null ? undefined : await bodyOf(answer);
      if (expired === null || body === undefined) return false;
      return (await expired.evaluate(body, { ...given, status: answer.status, headers: answer.headers })) === true;
    },
  };
}

function heldBy(
  auth: Section,
  { found, secret, untilMs }: { readonly found: string; readonly secret: string; readonly untilMs: number },
): Held {
  // A short token is a user number that may occur in any message.
  const secrets = found.length < SHORTEST_SECRET ? [secret] : [found, secret];
  if (auth.sent === 'call')
    return { headers: {}, auth: { user: auth.user, password: secret, token: found }, secrets, untilMs };
  const headers =
    auth.token === undefined ? { cookie: found } : { [auth.header.toLowerCase()]: `${auth.prefix}${found}` };
  return { headers, secrets, untilMs };
}

/** One cookie is a text, several are a list. */
function cookiesOf({ headers }: Answered): string {
  const set: readonly string[] = [headers['set-cookie'] ?? []].flat();
  return set.map((cookie) => cookie.split(';')[0]?.trim() ?? '').join('; ');
}
