import { createChance } from './chance.ts';

/** For the sandbox's token servers. */
export const CLIENT = {
  id: 'sandbox-client',
  secret: 'sandbox-client-secret',
  refreshToken: 'sandbox-refresh-token',
} as const;

/** Grants tokens for client credentials and for refresh tokens, which work once. */
export function createTokenGrants({ lifeSeconds, nowMs }: { lifeSeconds: number; nowMs: () => number }) {
  const { uuid } = createChance(`tokens ${nowMs()}`);
  const goodUntilMs = new Map<string, number>();
  let refresh: string = CLIENT.refreshToken;
  const refuse = (status: number, error: string) => ({ status, body: { error } });

  return {
    /** A token request (RFC 6749): a form, with the client in it or in the header. */
    answer(text: string, authorization: string | undefined) {
      const form = new URLSearchParams(text);
      const [id, secret] = clientOf(form, authorization);
      if (id !== CLIENT.id || secret !== CLIENT.secret) return refuse(401, 'invalid_client');
      const grant = form.get('grant_type');
      const isRefresh = grant === 'refresh_token';
      if (!isRefresh && grant !== 'client_credentials') return refuse(400, 'unsupported_grant_type');
      if (isRefresh && form.get('refresh_token') !== refresh) return refuse(400, 'invalid_grant');
      if (isRefresh) refresh = `refresh-${uuid()}`;
      const token = `token-${uuid()}`;
      for (const [known, untilMs] of goodUntilMs) if (untilMs <= nowMs()) goodUntilMs.delete(known);
      goodUntilMs.set(token, nowMs() + lifeSeconds * 1_000);
      const body = { access_token: token, token_type: 'Bearer', expires_in: lifeSeconds };
      return { status: 200, body: isRefresh ? { ...body, refresh_token: refresh } : body };
    },
    /** Whether a token was granted and is valid. */
    knows: (token: string) => (goodUntilMs.get(token) ?? 0) > nowMs(),
    /** Revokes all tokens. */
    revoke: () => goodUntilMs.clear(),
  };
}

function clientOf(form: URLSearchParams, authorization: string | undefined): (string | null)[] {
  const [, basic] = /^Basic (\S+)$/i.exec(authorization ?? '') ?? [];
  if (basic === undefined) return [form.get('client_id'), form.get('client_secret')];
  const pair = Buffer.from(basic, 'base64').toString().split(':');
  return pair.map((part) => new URLSearchParams(`part=${part}`).get('part'));
}
