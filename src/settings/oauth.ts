import { z } from 'zod';
import { doc, httpUrl, secret, text } from './scalars.ts';

/** OAuth 2 as it is configured, for either side. */

/** The keys of a section that asks a token server. */
export const oauthKeys = {
  token_url: doc(httpUrl(), 'Where tokens are asked for.'),
  client_id: doc(text(200), 'The id of this client there.'),
  client_secret: doc(secret(), 'The secret of this client there.'),
  client_auth: doc(
    z.enum(['basic', 'body']).prefault('basic'),
    'Where id and secret are sent: in the header "Authorization: Basic", or in the body.',
  ),
  scope: doc(text(500), 'The scope that is asked for, where one is needed.').optional(),
  refresh_token: doc(
    secret(),
    'The first refresh token. Later ones are kept in the database. Without it, the grant is client_credentials.',
  ).optional(),
} as const;

export interface OAuthFile {
  readonly token_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly client_auth: 'basic' | 'body';
  readonly scope?: string | undefined;
  readonly refresh_token?: string | undefined;
}

/** Tokens come from a token server; with a first refresh token, each one is got with the last one's. */
export interface OAuth {
  readonly scheme: 'oauth2';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientAuth: 'basic' | 'body';
  readonly scope: string | null;
  readonly refreshToken: string | null;
}

export function resolveOAuth(file: OAuthFile): OAuth {
  return {
    scheme: 'oauth2',
    tokenUrl: file.token_url,
    clientId: file.client_id,
    clientSecret: file.client_secret,
    clientAuth: file.client_auth,
    scope: file.scope ?? null,
    refreshToken: file.refresh_token ?? null,
  };
}
