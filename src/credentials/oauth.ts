import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { CallFailure, type FailureKind, type Side } from '../domain/failure.ts';
import type { Credential } from '../http/credential.ts';
import { createPool, type Exchanged, exchange } from '../http/exchange.ts';
import { type FailedCall, withoutDescriptor } from '../http/failure.ts';
import { readRetryAfter } from '../http/retry-after.ts';
import { withoutSecret } from '../logging/redaction.ts';
import type { OAuth } from '../settings/auth.ts';
import type { TokenPlace, TokenStore, Tokens } from '../store/tokens.ts';
import { type Granted, readGranted, refusalOf, type TokenRequest, tokenRequest } from './token-request.ts';

export interface OAuthParts {
  readonly account: string;
  readonly side: Side;
  readonly settings: () => OAuth;
  readonly tokens: TokenStore;
  /** Called with every token before its first use, so that no log shows it. */
  readonly hide: (secret: string) => void;
  readonly timeoutMs: number;
  readonly now: () => number;
}

/**
 * A token is renewed this long before it expires, or after four fifths of a short life, because a call may wait for the
 * quota.
 */
const EARLY_MS = 60_000;
/** A token refused this soon after it was granted is not renewed, because the next one would be refused too. */
const YOUNG_MS = 30_000;
/** The pause after a token server failed. */
const REST_MS = 10_000;
const LOOK_EVERY_MS = 250;
const MAX_ANSWER_BYTES = 256 * 1024;

/**
 * OAuth 2 (RFC 6749, RFC 7523): client credentials, signed assertions, or refresh tokens. One of the processes that
 * share the store requests the next token while the others wait. A token is committed before its first use, because a
 * refresh token works once.
 */
export function createOAuth(parts: OAuthParts): Credential {
  const { tokens, now, hide } = parts;
  let refused: string | null = null;
  let renewal: Promise<string> | null = null;
  let failed: { readonly error: CallFailure; readonly untilMs: number } | null = null;

  const usable = (known: Tokens | null): string | null => {
    if (known === null || known.accessToken === refused || isOver(known, now())) return null;
    hide(known.accessToken);
    return known.accessToken;
  };

  async function renewed(): Promise<string> {
    const settings = parts.settings();
    const place = placeOf(parts, settings);
    const holdMs = 2 * parts.timeoutMs;
    for (;;) {
      const stored = await tokens.get(place);
      const token = usable(stored.tokens);
      if (token !== null) return token;
      if (stored.tokens?.accessToken === refused && now() - stored.tokens.obtainedAtMs < YOUNG_MS) {
        throw failure(parts, 'credentials', `the token that ${hostOf(settings)} has just given is refused`);
      }
      // Otherwise another process is requesting. It either stores its tokens or loses its claim, so this loop ends.
      if (await tokens.claim(place, stored.version, holdMs)) {
        const next = await asked(parts, settings, stored.tokens, async () => tokens.release(place, stored.version));
        for (const secret of [next.accessToken, next.refreshToken]) if (secret !== null) hide(secret);
        await tokens.record(place, stored.version, next);
      } else await wait(LOOK_EVERY_MS);
    }
  }

  return {
    async secret() {
      const stored = await tokens.get(placeOf(parts, parts.settings()));
      const token = usable(stored.tokens);
      if (token !== null) return token;
      if (failed !== null && now() < failed.untilMs) throw failed.error;
      renewal ??= renewed().finally(() => {
        renewal = null;
      });
      try {
        return await renewal;
      } catch (error) {
        if (error instanceof CallFailure) failed = { error, untilMs: now() + REST_MS };
        throw error;
      }
    },
    refused(secret) {
      refused = secret;
    },
  };
}

function isOver({ obtainedAtMs, expiresAtMs }: Tokens, nowMs: number): boolean {
  if (expiresAtMs === null) return false;
  return nowMs >= expiresAtMs - Math.min(EARLY_MS, (expiresAtMs - obtainedAtMs) / 5);
}

/** Another client, token server or first refresh token has tokens of its own. */
function placeOf({ account, side }: OAuthParts, settings: OAuth): TokenPlace {
  const { tokenUrl, clientId, scope, refreshToken, grant, assertion } = settings;
  const signed = assertion === null ? [] : [grant, assertion.issuer, assertion.subject];
  const source = JSON.stringify([tokenUrl, clientId, scope, refreshToken, ...signed]);
  return { account, side, source: createHash('sha256').update(source).digest('hex').slice(0, 16) };
}

/** Asks the token server once. Any failure releases the claim. */
async function asked(
  parts: OAuthParts,
  settings: OAuth,
  known: Tokens | null,
  giveUp: () => Promise<void>,
): Promise<Tokens> {
  const refreshToken = settings.refreshToken === null ? null : (known?.refreshToken ?? settings.refreshToken);
  try {
    const request = tokenRequest(settings, refreshToken, parts.now());
    const granted = grantedBy(parts, settings, request.secrets, await ask(parts, settings, request));
    const obtainedAtMs = parts.now();
    return {
      accessToken: granted.accessToken,
      refreshToken: refreshToken === null ? null : (granted.refreshToken ?? refreshToken),
      obtainedAtMs,
      expiresAtMs: granted.expiresInMs === null ? null : obtainedAtMs + granted.expiresInMs,
    };
  } catch (error) {
    await giveUp();
    throw error;
  }
}

async function ask({ timeoutMs }: OAuthParts, settings: OAuth, { headers, body }: TokenRequest): Promise<Exchanged> {
  const { origin, pathname } = new URL(settings.tokenUrl);
  const request = { origin, method: 'POST' as const, target: pathname, headers, body };
  const pool = createPool(origin, { connections: 1, connectTimeoutMs: timeoutMs });
  try {
    return await exchange(pool, request, { timeoutMs, maxBodyBytes: MAX_ANSWER_BYTES });
  } finally {
    await pool.destroy();
  }
}

/** @throws CallFailure for any answer without tokens */
function grantedBy(parts: OAuthParts, settings: OAuth, secrets: readonly string[], exchanged: Exchanged): Granted {
  const host = hostOf(settings);
  const hidden = (text: string) => secrets.reduce(withoutSecret, text);
  if (exchanged.kind === 'broken') {
    const lacking = exchanged.sent ? null : withoutDescriptor(callOf(parts), exchanged.code);
    if (lacking !== null) throw lacking;
    throw failure(
      parts,
      'unavailable',
      `${host} gives no token (${exchanged.code}): check that it is up, and token_url`,
    );
  }
  const { status, headers, body } = exchanged;
  const answer = jsonOf(body);
  if (status >= 200 && status < 300) {
    const granted = readGranted(answer);
    if (typeof granted !== 'string') return granted;
    throw failure(parts, 'credentials', `the answer of ${host} is no token: ${granted}; is token_url right?`, {
      status,
    });
  }
  const kind: FailureKind = status === 429 ? 'rate-limited' : status >= 500 ? 'unavailable' : 'credentials';
  const reason = hidden(refusalOf(answer))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, 300);
  const mend = mendOf(settings);
  const text = `${host} answers ${status}${reason === '' ? '' : ` (${reason})`} when asked for a token: ${mend}`;
  throw failure(parts, kind, text, { status, retryAfterMs: readRetryAfter(headers, parts.now()) });
}

/** Tokens are requested before the call itself, so nothing that changes anything was sent. */
function callOf({ side }: OAuthParts): FailedCall {
  return { side, isRead: true, secret: '', doubt: '' };
}

function mendOf({ refreshToken, assertion }: OAuth): string {
  if (refreshToken !== null) return 'check the client, or give a new refresh_token';
  if (assertion === null) return 'check client_id and client_secret';
  return 'check client_id, the key and the audience of assertion, and the clock of this machine';
}

function failure(
  { side }: OAuthParts,
  kind: FailureKind,
  text: string,
  facts: { status?: number; retryAfterMs?: number | null } = {},
): CallFailure {
  // The side itself was not called.
  return new CallFailure(`OAuth: ${text}.`, { side, kind, outcome: 'not-applied', ...facts });
}

function hostOf({ tokenUrl }: OAuth): string {
  return new URL(tokenUrl).host;
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
