import type { OAuth } from '../settings/auth.ts';
import { signedAssertion } from './assertion.ts';

/** A token request (RFC 6749, 4.4 and 6; RFC 7523), without its address. */
export interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Texts of the request that no message may contain. */
  readonly secrets: readonly string[];
}

const JWT_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const JWT_CLIENT = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/**
 * @param refreshToken null: the client asks for itself, by its credentials or a signed assertion
 * @param nowMs when an assertion is signed
 */
export function tokenRequest(settings: OAuth, refreshToken: string | null, nowMs: number): TokenRequest {
  const { clientId, clientSecret, clientAuth, grant, scope, assertion } = settings;
  const signed = assertion === null ? '' : signedAssertion(assertion, nowMs);
  const byGrant =
    grant === 'jwt-bearer' ? { grant_type: JWT_GRANT, assertion: signed } : { grant_type: 'client_credentials' };
  const fields = new URLSearchParams(
    refreshToken === null ? byGrant : { grant_type: 'refresh_token', refresh_token: refreshToken },
  );
  if (scope !== null) fields.set('scope', scope);
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  };
  switch (clientAuth) {
    case 'basic': {
      const pair = [clientId, clientSecret ?? ''].map(formEncoded).join(':');
      headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
      break;
    }
    case 'body':
      fields.set('client_id', clientId);
      fields.set('client_secret', clientSecret ?? '');
      break;
    case 'assertion':
      fields.set('client_id', clientId);
      fields.set('client_assertion_type', JWT_CLIENT);
      fields.set('client_assertion', signed);
      break;
    case 'none':
      fields.set('client_id', clientId);
  }
  const secrets = [clientSecret, refreshToken, signed].filter((text) => text !== null && text !== '');
  return { headers, body: fields.toString(), secrets: secrets as string[] };
}

/** RFC 6749, 2.3.1: id and secret are form-encoded in the header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

export interface Granted {
  readonly accessToken: string;
  /** null: the used refresh token stays valid. */
  readonly refreshToken: string | null;
  /** null: the server does not tell. */
  readonly expiresInMs: number | null;
}

/** A longer token fits no header. */
const LONGEST_TOKEN = 16_000;
/** A token with a longer life is renewed after a year. */
const LONGEST_LIFE_MS = 365 * 24 * 60 * 60_000;

/** The tokens of an answer (RFC 6749, 5.1), or what is invalid. */
export function readGranted(answer: unknown): Granted | string {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = fieldsOf(answer);
  if (typeof access !== 'string' || !/^[\x21-\x7e]+$/.test(access)) return 'it has no access_token that fits a header';
  const longest = Math.max(access.length, typeof refresh === 'string' ? refresh.length : 0);
  if (longest > LONGEST_TOKEN) return `it has a token of more than ${LONGEST_TOKEN} characters`;
  const expiresInMs = Math.min(Math.ceil(Number(seconds) * 1_000), LONGEST_LIFE_MS);
  return {
    accessToken: access,
    refreshToken: typeof refresh === 'string' && refresh !== '' ? refresh : null,
    expiresInMs: seconds === undefined || seconds === null || !(expiresInMs > 0) ? null : expiresInMs,
  };
}

/** The error code of a refusal (RFC 6749, 5.2) with its description; empty: none. */
export function refusalOf(answer: unknown): string {
  const { error, error_description: description } = fieldsOf(answer);
  return [error, description].filter((text) => typeof text === 'string').join(': ');
}

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
}
