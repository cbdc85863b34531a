import { z } from 'zod';
import { oauthSection, resolveOAuth } from '../../settings/auth.ts';
import { doc, headerSecret, httpUrl } from '../../settings/scalars.ts';
import { ADDRESS_QUESTION, commonKeys, commonSettings, connectorKind } from '../kind.ts';

const schema = z
  .strictObject({
    type: doc(z.literal('http'), 'The ERP speaks the ERP HTTP contract, version 1.'),
    url: doc(httpUrl(), 'Where the ERP is; its calls are at {url}/v1.'),
    token: doc(headerSecret(), 'Sent as "Authorization: Bearer TOKEN". Either this or oauth is needed.').optional(),
    oauth: doc(
      oauthSection,
      'OAuth 2 in place of a token: tokens are asked for, and sent as "Authorization: Bearer TOKEN".',
    ).optional(),
    ...commonKeys,
    totals: doc(
      z.enum(['stored', 'computed']),
      'The same as capabilities.totals. Without both, the ERP says so itself.',
    ).optional(),
  })
  // It also runs when another key is wrong, so that all errors are reported together.
  .superRefine(oneCredential, { when: () => true });

function oneCredential(value: unknown, context: z.core.$RefinementCtx): void {
  const { token, oauth } = (value ?? {}) as Record<string, unknown>;
  const report = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
  if (token === undefined && oauth === undefined) report('token', 'is missing; give token, or oauth');
  if (token !== undefined && oauth !== undefined) report('oauth', 'token is given as well: leave one of them out');
}

/** The ERP HTTP contract, version 1: the preset `contract` of `type: rest` with its own keys. */
export const contractErp = connectorKind({
  type: 'http',
  schema,
  mends: { down: 'is it up, and erp.url right?', credentials: 'check erp.token or erp.oauth' },
  offers: {
    http: {
      about: 'it speaks the ERP HTTP contract',
      where: ADDRESS_QUESTION,
      secret: 'env:ERP_TOKEN',
      settings: [],
      described: null,
      section: ({ url, secret: token }) => ({ type: 'http', url, token }),
    },
  },
  settings(section: z.output<typeof schema>) {
    const { url, token = '', oauth, totals } = section;
    const common = commonSettings(section);
    return {
      ...common,
      capabilities: { ...(totals === undefined ? {} : { totals }), ...common.capabilities },
      credentials: { token: oauth === undefined ? { scheme: 'fixed', secret: token } : resolveOAuth(oauth) },
      addresses: { url, ...(oauth === undefined ? {} : { 'oauth.token_url': oauth.token_url }) },
    };
  },
  async open(section, { credential, onCall, onPace, wire }) {
    const { createContractErp } = await import('./connector.ts');
    const { timeoutMs } = commonSettings(section);
    return createContractErp({ url: section.url, token: credential('token'), timeoutMs, onCall, onPace, wire });
  },
});
