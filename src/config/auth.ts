import { z } from 'zod';
import * as check from './contradictions.ts';
import { doc, duration, headerSecret, httpUrl, secret, text } from './scalars.ts';

/** How the two sides know us: a key, a token, or OAuth 2. */

const oauth = {
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

export const marketplaceAuth = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: doc(z.literal('app'), 'Application key: sent as "Authorization: App KEY".'),
    key: doc(headerSecret(), 'The application key, for the scheme app.'),
  }),
  z.strictObject({
    scheme: doc(z.literal('bearer'), 'Bearer token: sent as "Authorization: Bearer TOKEN".'),
    token: doc(headerSecret(), 'The token (a JWT), for the scheme bearer.'),
  }),
  z.strictObject({
    scheme: doc(z.literal('oauth2'), 'OAuth 2: tokens are asked for, and sent as "Authorization: Bearer TOKEN".'),
    ...oauth,
  }),
]);

export const erp = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: doc(z.literal('http'), 'The ERP speaks the ERP HTTP contract, version 1.'),
      url: doc(httpUrl(), 'Where the ERP is; its calls are at {url}/v1.'),
      token: doc(headerSecret(), 'Sent as "Authorization: Bearer TOKEN". Either this or oauth is needed.').optional(),
      oauth: doc(
        z.strictObject(oauth),
        'OAuth 2 in place of a token: tokens are asked for, and sent as "Authorization: Bearer TOKEN".',
      ).optional(),
      poll: doc(duration('100ms').prefault('15s'), 'How often changes are read.'),
      timeout: doc(duration('100ms').prefault('30s'), 'How long a call may take.'),
      totals: doc(
        z.enum(['stored', 'computed']),
        'Whether the ERP keeps the totals of orders as they are sent, or computes them with its own rounding. Without it, the ERP says so itself.',
      ).optional(),
    })
    .superRefine(check.erpAuth, { when: check.always }),
]);

interface OAuthFile {
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

export function resolveMarketplaceAuth(file: z.output<typeof marketplaceAuth>) {
  return file.scheme === 'oauth2' ? resolveOAuth(file) : file;
}

export type ErpAuth = { readonly scheme: 'bearer'; readonly token: string } | OAuth;

export function resolveErpAuth({ token, oauth: settings }: z.output<typeof erp>): ErpAuth {
  return settings === undefined ? { scheme: 'bearer', token: token ?? '' } : resolveOAuth(settings);
}

function resolveOAuth(file: OAuthFile): OAuth {
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
