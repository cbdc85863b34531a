import { z } from 'zod';
import { bearerSection, oauth2Section, resolveOAuth } from '../settings/auth.ts';
import { doc, headerSecret } from '../settings/scalars.ts';

export const marketplaceAuth = z.discriminatedUnion('scheme', [
  z.strictObject({
    scheme: doc(z.literal('app'), 'Application key: sent as "Authorization: App KEY".'),
    key: doc(headerSecret(), 'The application key, for the scheme app.'),
  }),
  bearerSection,
  oauth2Section,
]);

export function resolveMarketplaceAuth(file: z.output<typeof marketplaceAuth>) {
  return file.scheme === 'oauth2' ? resolveOAuth(file) : file;
}
