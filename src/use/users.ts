import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import type { FactStore } from '../store/reading.ts';
import { UsageError } from './faults.ts';

/** A screen user in the configuration. */
export interface ConfiguredUser {
  readonly name: string;
  readonly role: 'viewer' | 'operator';
  /** As made by `hashPassword`. Without it, the person sets the password by a link. */
  readonly password?: string | undefined;
}

/** A current screen user. */
export interface User extends Pick<ConfiguredUser, 'name' | 'role'> {
  /** null: not set yet. */
  readonly password: string | null;
  /** Whether the person sets the password, not the configuration. */
  readonly setsPassword: boolean;
}

const PASSWORD = 'password of ';

/** With the passwords they have set. */
export async function usersNow(
  configured: readonly ConfiguredUser[],
  facts: Pick<FactStore, 'startingWith'>,
): Promise<User[]> {
  const isEachConfigured = configured.every(({ password }) => password !== undefined);
  const rows = isEachConfigured ? [] : await facts.startingWith('', PASSWORD);
  const set = new Map(rows.map(({ name, value }) => [name.slice(PASSWORD.length), value]));
  return configured.map(({ name, role, password }) => {
    const setsPassword = password === undefined;
    return { name, role, password: password ?? set.get(name) ?? null, setsPassword };
  });
}

/** @param hash as made by `hashPassword` */
export function keepPassword(facts: Pick<FactStore, 'set'>, name: string, hash: string): Promise<void> {
  return facts.set('', PASSWORD + name, hash);
}

/**
 * Forgets passwords of users who no longer set one, since the name may be reused. Returns the names.
 * @param isMeant may this name be forgotten?
 */
export async function forgetFormerUsers(
  configured: readonly ConfiguredUser[],
  facts: Pick<FactStore, 'startingWith' | 'clear'>,
  isMeant: (name: string) => boolean,
): Promise<string[]> {
  const names = new Set(configured.flatMap(({ name, password }) => (password === undefined ? [PASSWORD + name] : [])));
  const kept = (await facts.startingWith('', PASSWORD)).map(({ name }) => name);
  const former = kept.filter((name) => !names.has(name) && isMeant(name.slice(PASSWORD.length)));
  for (const name of former) await facts.clear('', name);
  return former.map((name) => name.slice(PASSWORD.length));
}

/** null: a valid length. */
export function passwordProblem(password: string): string | null {
  if (password.length >= SHORTEST_PASSWORD && password.length <= LONGEST_PASSWORD) return null;
  return `the password needs ${SHORTEST_PASSWORD} to ${LONGEST_PASSWORD} characters`;
}

/** @throws UsageError for an invalid user name */
export function requireUserName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(name)) return;
  throw new UsageError(`"${name}" is no name: up to 64 letters, digits and . _ @ -`);
}

/** Memory-hard: 32 MiB and some 100 ms for each guess (RFC 7914). */
const COST = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 500;

/** For a configuration: `scrypt:N:r:p:SALT:KEY`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derived(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/** null: no match. An unknown name takes as long to check as a known one. */
export async function userOf(users: readonly User[], name: string, password: string): Promise<User | null> {
  const user = users.find((one) => one.name === name) ?? null;
  const hash = user?.password ?? null;
  const isRight = await fits(hash ?? NOBODYS, password);
  return isRight && hash !== null ? user : null;
}

const NOBODYS = `scrypt:${COST.N}:${COST.r}:${COST.p}:${'A'.repeat(22)}:${'A'.repeat(43)}`;

async function fits(hash: string, password: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split(':');
  const wanted = Buffer.from(key, 'base64url');
  const given = await derived(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function derived(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  // The same letters can be typed in several ways (Unicode normalization).
  const options = { ...cost, maxmem: 256 * 1024 * 1024 };
  scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
