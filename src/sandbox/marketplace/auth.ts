import { z } from 'zod';
import type { Permission } from '../../marketplace/operations/operation.ts';
import { createTokenGrants } from '../token-grants.ts';
import { refuse } from './wire-values.ts';

const access = z.enum(['read', 'write']);

/** A key has full access by default. */
export const keySchema = z.strictObject({
  scheme: z.enum(['App', 'Bearer']).default('App'),
  secret: z.string().regex(/^[\x21-\x7e]+$/),
  /** All keys of an owner share rate limits. */
  owner: z.string().min(1).default('brand'),
  /** A missing permission is not granted (spec 1, Permissions). */
  permissions: z
    .strictObject({ Orders: access, Products: access, Customers: access })
    .partial()
    .default({ Orders: 'write', Products: 'write', Customers: 'write' }),
});
export type Credential = Readonly<z.infer<typeof keySchema>>;

export const FULL_ACCESS: Credential = keySchema.parse({ secret: 'sandbox-key' });

const TOKEN_LIFE_SECONDS = 3_600;

/** The keys, and the tokens of the token server, which have full access. */
export function createKeys(first: readonly Credential[], nowMs: () => number) {
  let keys = [...first];
  const grants = createTokenGrants({ lifeSeconds: TOKEN_LIFE_SECONDS, nowMs });
  return {
    all: (): readonly Credential[] => keys,
    /** Reads `App KEY` or `Bearer JWT`; null: unknown. */
    find(header: string | undefined): Credential | null {
      const [, scheme, secret = ''] = /^(\S+) (\S+)$/.exec(header ?? '') ?? [];
      if (scheme === 'Bearer' && grants.knows(secret)) return { ...FULL_ACCESS, scheme, secret };
      return keys.find((key) => key.scheme === scheme && key.secret === secret) ?? null;
    },
    /** Adds or replaces a key. */
    issue(key: Credential): Credential {
      keys = [...keys.filter(({ secret }) => secret !== key.secret), key];
      return key;
    },
    /** Without a secret, revokes all tokens. */
    revoke(secret: string | null): void {
      if (secret === null) grants.revoke();
      keys = keys.filter((key) => key.secret !== secret);
    },
    grant: grants.answer,
  };
}

export type Keys = ReturnType<typeof createKeys>;

export function checkPermission(key: Credential, wanted: Permission | null, forbiddenStatus: 403 | 404): void {
  if (wanted === null) return;
  const granted = wanted.anyOf.map((resource) => key.permissions[resource]);
  if (granted.includes('write') || granted.includes(wanted.access)) return;
  throw refuse(
    forbiddenStatus,
    forbiddenStatus === 404 ? 'Not found.' : 'You do not have permission to perform this action.',
  );
}
