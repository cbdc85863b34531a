import { z } from 'zod';
import { expressionProblem } from '../../expressions/expression.ts';
import { resolveOAuth } from '../../settings/auth.ts';
import { doc, httpUrl, text } from '../../settings/scalars.ts';
import { type CredentialSource, commonKeys, commonSettings, connectorKind } from '../kind.ts';
import type { AuthSection } from './auth/schema.ts';
import { fieldsOf } from './row-rule.ts';
import { type Description, description, type FindSection, type ListSection } from './schema.ts';
import { ALWAYS } from './texts.ts';

const schema = z
  .strictObject({
    type: doc(z.literal('rest'), 'The ERP speaks JSON over HTTP, as it is described here: REST, GraphQL or JSON-RPC.'),
    extends: doc(
      text(300),
      'The description of a kind of ERP: the name of a shipped one, or a YAML file of yours. What is set here wins.',
    ).optional(),
    url: doc(httpUrl(), 'Where the ERP is; the paths of its calls are below it.'),
    ...description.shape,
    ...commonKeys,
  })
  // They are looked for even when another key is wrong, so that all errors come at once.
  .superRefine(readableMappings, { when: () => true });

type Mapped = Partial<Pick<ListSection, 'with' | 'each' | 'where' | 'row'>>;

/** What the expressions of a mapping know depends on what is read beside the rows. */
export function readableMappings(value: unknown, context: z.core.$RefinementCtx): void {
  const { lists = {}, finds = {} } = (value ?? {}) as Partial<Pick<Description, 'lists' | 'finds'>>;
  const beside = Object.values({ ...lists, ...finds }).flatMap((section) => Object.keys(section.with ?? {}));
  const names = [...ALWAYS, ...beside, 'row', 'from', 'as_of', 'reference', 'id', 'skus'];
  const look = (at: readonly string[], section: Mapped | ListSection | FindSection | undefined): void => {
    const texts = [
      { path: ['each'], text: section?.each },
      { path: ['where'], text: section?.where },
      ...(section?.row === undefined
        ? []
        : fieldsOf(section.row).map((field) => ({ path: ['row', ...field.path], text: field.text }))),
    ];
    for (const { path, text: written } of texts) {
      const problem = typeof written === 'string' ? expressionProblem(written, names) : null;
      if (problem !== null)
        context.addIssue({ code: 'custom', path: [...at, ...path], message: `is no JSONata expression: ${problem}` });
    }
  };
  for (const [name, section] of Object.entries(lists)) look(['lists', name], section);
  for (const [name, section] of Object.entries(finds)) look(['finds', name], section);
}

/** Any ERP with an interface in JSON over HTTP, by its description. */
export const restErp = connectorKind({
  type: 'rest',
  schema,
  mends: { down: 'is it up, and erp.url right?', credentials: 'check erp.auth' },
  settings(section: z.output<typeof schema>) {
    const { url, auth } = section;
    return {
      ...commonSettings(section),
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

function credentialsOf(auth: AuthSection | undefined): Record<string, CredentialSource> {
  const fixed = (secret: string): CredentialSource => ({ scheme: 'fixed', secret });
  switch (auth?.scheme) {
    case 'basic':
    case 'session':
      return { password: fixed(auth.password) };
    case 'bearer':
      return { token: fixed(auth.token) };
    case 'header':
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
