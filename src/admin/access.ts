import { timingSafeEqual } from 'node:crypto';
import { proofOf, proofOfUser } from '../use/log-in-links.ts';
import type { ConfiguredUser, User } from '../use/users.ts';

/** A viewer looks, an operator acts as well. */
type Role = 'viewer' | 'operator';

/** The person or program behind a request, by the name that the audit log shows. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
}

/** Everything that lets somebody in, as the configuration has it. */
export interface ConfiguredKeys {
  readonly operator: string | null;
  readonly viewer: string | null;
  readonly users: readonly ConfiguredUser[];
}

/** Everything that lets somebody in now. */
export interface AdminKeys extends Omit<ConfiguredKeys, 'users'> {
  readonly users: readonly User[];
}

/** Somebody who may be let in. */
export interface Known extends Caller {
  /** A digest of the token or of the password's hash. A session holds it, and ends when it is not in force any more. */
  readonly proof: string;
}

/** Everybody whom these keys let in. */
export function known({ operator, viewer, users }: AdminKeys): Known[] {
  const ofToken = (name: string, role: Role, token: string | null): Known[] =>
    token === null || token === '' ? [] : [{ name, role, proof: proofOf(`Bearer ${token}`) }];
  return [
    ...ofToken('operator token', 'operator', operator),
    ...ofToken('viewer token', 'viewer', viewer),
    ...users.map(knownUser),
  ];
}

export function knownUser(user: User): Known {
  return { name: user.name, role: user.role, proof: proofOfUser(user) };
}

/** Is it a bearer token, right or wrong? */
export function isBearer(header: string | undefined): header is string {
  return /^bearer /i.test(header ?? '');
}

/**
 * The caller that a bearer token stands for; null: nobody. Digests are compared: neither the time that this takes nor the length
 * reveals anything of a token.
 */
export function callerOf(header: string | undefined, keys: AdminKeys): Known | null {
  // The scheme may be spelt in any case (RFC 9110, 11.1).
  return withProof(proofOf((header ?? '').replace(/^bearer +/i, 'Bearer ')), keys);
}

/** The caller who was let in with this proof, if the proof is still in force. */
export function withProof(proof: string, keys: AdminKeys): Known | null {
  const given = Buffer.from(proof);
  // Every proof is compared, also after a match: the time then says nothing.
  const found = known(keys).filter((one) => isSame(given, Buffer.from(one.proof)));
  return found[0] ?? null;
}

function isSame(given: Buffer, proof: Buffer): boolean {
  return given.length === proof.length && timingSafeEqual(given, proof);
}
