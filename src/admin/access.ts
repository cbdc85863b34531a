import { createHash, timingSafeEqual } from 'node:crypto';

/** A viewer looks, an operator acts as well. */
export type Role = 'viewer' | 'operator';

/** Who asks. The audit log names them so. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}

export interface AdminTokens {
  readonly operator: string | null;
  readonly viewer: string | null;
}

/**
 * Who a bearer token stands for; null: nobody. Digests are compared, so that neither time nor length reveals anything of a
 * token.
 */
export function callerOf(header: string | undefined, { operator, viewer }: AdminTokens): Caller | null {
  // The scheme may be spelt in any case (RFC 9110, 11.1).
  const given = digest((header ?? '').replace(/^bearer +/i, 'Bearer '));
  const is = (token: string | null) =>
    token !== null && token !== '' && timingSafeEqual(given, digest(`Bearer ${token}`));
  // Both are compared, whichever it is.
  const [isOperator, isViewer] = [is(operator), is(viewer)];
  if (isOperator) return { name: 'operator token', role: 'operator' };
  return isViewer ? { name: 'viewer token', role: 'viewer' } : null;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
