import type { OAuth } from '../settings/oauth.ts';

/** A token request (RFC 6749, 4.4 and 6), below its address. */
export interface TokenRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** @param refreshToken null: the client asks for itself */
export function tokenRequest(settings: OAuth, refreshToken: string | null): TokenRequest {
  const { clientId, clientSecret, clientAuth, scope } = settings;
  const fields = new URLSearchParams(
    refreshToken === null
      ? { grant_type: 'client_credentials' }
      : { grant_type: 'refresh_token', refresh_token: refreshToken },
  );
  if (scope !== null) fields.set('scope', scope);
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  if (clientAuth === 'body') {
    fields.set('client_id', clientId);
    fields.set('client_secret', clientSecret);
    return { headers, body: fields.toString() };
  }
  const pair = [clientId, clientSecret].map(formEncoded).join(':');
  return {
    headers: { ...headers, authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: fields.toString(),
  };
}

/** RFC 6749, 2.3.1: id and secret are encoded as in a form before they go into the header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

export interface Granted {
  readonly accessToken: string;
  /** null: the one that was used stays. */
  readonly refreshToken: string | null;
  /** null: the server does not say. */
  readonly expiresInMs: number | null;
}

/** The tokens of an answer (RFC 6749, 5.1), or what does not fit in it. */
export function readGranted(answer: unknown): Granted | string {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = fieldsOf(answer);
  if (typeof access !== 'string' || !/^[\x21-\x7e]+$/.test(access)) return 'it has no access_token that fits a header';
  const expiresInMs = Number(seconds) * 1_000;
  return {
    accessToken: access,
    refreshToken: typeof refresh === 'string' && refresh !== '' ? refresh : null,
    expiresInMs: seconds === undefined || seconds === null || !(expiresInMs > 0) ? null : expiresInMs,
  };
}

/** The error code of a refusal (RFC 6749, 5.2), with its description; empty where there is none. */
export function refusalOf(answer: unknown): string {
  const { error, error_description: description } = fieldsOf(answer);
  return [error, description].filter((text) => typeof text === 'string').join(': ');
}

function fieldsOf(answer: unknown): Readonly<Record<string, unknown>> {
  return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
}
