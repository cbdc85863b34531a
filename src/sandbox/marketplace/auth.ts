import type { Permission } from '../../marketplace/operations/operation.ts';
import { refuse } from './refusal.ts';

export interface Credential {
  readonly scheme: 'App' | 'Bearer';
  readonly secret: string;
  /** Rate limits are shared by all keys of one owner. */
  readonly owner: string;
  /** An absent permission is not granted (spec 1, Permissions). */
  readonly permissions: Readonly<Partial<Record<'Orders' | 'Products' | 'Customers', 'read' | 'write'>>>;
}

export const SANDBOX_KEY = 'sandbox-key';

export const FULL_ACCESS: Credential = {
  scheme: 'App',
  secret: SANDBOX_KEY,
  owner: 'brand',
  permissions: { Orders: 'write', Products: 'write', Customers: 'write' },
};

/** The key that an Authorization header shows: `App KEY` or `Bearer JWT`. null when it shows none that is known. */
export function findCredential(keys: readonly Credential[], header: string | undefined): Credential | null {
  const [, scheme, secret] = /^(\S+) (\S+)$/.exec(header ?? '') ?? [];
  return keys.find((key) => key.scheme === scheme && key.secret === secret) ?? null;
}

export function checkPermission(key: Credential, wanted: Permission | null, forbiddenStatus: 403 | 404): void {
  if (wanted === null) return;
  const granted = wanted.anyOf.map((resource) => key.permissions[resource]);
  if (granted.includes('write') || granted.includes(wanted.access)) return;
  throw refuse(
    forbiddenStatus,
    forbiddenStatus === 404 ? 'Not found.' : 'You do not have permission to perform this action.',
  );
}
