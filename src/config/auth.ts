import { z } from 'zod';
import { oauthKeys, resolveOAuth } from '../settings/oauth.ts';
import { doc, headerSecret } from '../settings/scalars.ts';

/** How the marketplace knows us: a key, a token, or OAuth 2. */
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
    ...oauthKeys,
  }),
]);

export function resolveMarketplaceAuth(file: z.output<typeof marketplaceAuth>) {
  return file.scheme === 'oauth2' ? resolveOAuth(file) : file;
}
