import { z } from 'zod';
import { resolveOAuth } from '../../settings/auth.ts';
import { doc, httpUrl, text } from '../../settings/scalars.ts';
import { detailsNamedIn, type StatedCapabilities } from '../capabilities.ts';
import { ADDRESS_QUESTION, type CredentialSource, commonKeys, commonSettings, connectorKind } from '../kind.ts';
import type { AuthSection } from './auth/schema.ts';
import { readableMappings } from './readable.ts';
import { description } from './schema.ts';

const schema = z
  .strictObject({
    type: doc(z.literal('rest'), 'The ERP speaks JSON over HTTP, as it is described here: REST, GraphQL or JSON-RPC.'),
    extends: doc(
      text(300),
      'The description of a kind of ERP: the name of a shipped one, or a YAML file of yours. A key that is set here wins.',
    ).optional(),
    url: doc(httpUrl(), 'Where the ERP is; the paths of its calls are below it.'),
    ...description.shape,
    ...commonKeys,
  })
  .superRefine(...readableMappings);

/** Any ERP with JSON over HTTP, by its description. */
export const restErp = connectorKind({
  type: 'rest',
  schema,
  mends: { down: 'is it up, and erp.url right?', credentials: 'check erp.auth' },
  offers: {
    odoo: {
      about: 'Odoo 19',
      where: ADDRESS_QUESTION,
      secret: 'env:ODOO_KEY',
      settings: ['database', 'currency', 'customer'],
      described: null,
      section: ({ url, secret: token, settings }) => ({
        type: 'rest',
        extends: 'odoo',
        url,
        auth: { token },
        settings,
      }),
    },
    rest: {
      about: 'any other with an interface in JSON',
      where: ADDRESS_QUESTION,
      secret: null,
      settings: [],
      described: 'rest',
      section: ({ url, description: own }) => ({ ...own, type: 'rest', url }),
    },
  },
  settings(section: z.output<typeof schema>) {
    const { url, auth } = section;
    const common = commonSettings(section);
    return {
      ...common,
      capabilities: { ...statedBy(section), ...common.capabilities },
      credentials: credentialsOf(auth),
      addresses: { url, ...(auth?.scheme === 'oauth2' ? { 'auth.token_url': auth.token_url } : {}) },
    };
  },
  async open(section, parts) {
    const { createRestErp } = await import('./connector.ts');
    return createRestErp({
      ...parts,
      url: section.url,
      timeoutMs: commonSettings(section).timeoutMs,
      description: section,
    });
  },
});

/** The capabilities that follow from the description, if its ping states none. */
function statedBy({ ping, lists, writes }: z.output<typeof schema>): StatedCapabilities {
  if (ping?.capabilities !== undefined) return {};
  const access = (list: unknown, create: unknown) =>
    create !== undefined ? 'write' : list !== undefined ? 'read' : 'none';
  return {
    customers: access(lists?.customers, writes?.['customer-create']),
    payments: access(lists?.payments, writes?.['payment-create']),
    lots: lists?.lots !== undefined,
    products: writes?.['product-create'] !== undefined,
    ...detailsNamedIn(writes?.['order-create'], writes?.['order-update']),
  };
}

function credentialsOf(auth: AuthSection | undefined): Record<string, CredentialSource> {
  const fixed = (secret: string): CredentialSource => ({ scheme: 'fixed', secret });
  switch (auth?.scheme) {
    case 'basic':
    case 'session':
      return { password: fixed(auth.password) };
    case 'bearer':
      return { token: fixed(auth.token) };
    case 'header':
    case 'query':
      return { key: fixed(auth.key) };
    case 'oauth2':
      return { oauth2: resolveOAuth(auth) };
    case 'oauth1':
      return { consumer_secret: fixed(auth.consumer_secret), token_secret: fixed(auth.token_secret) };
    case 'none':
    case undefined:
      return {};
  }
}
