import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';

/** Somebody who may log in to the screen, as the configuration names them. */
export interface User {
  readonly name: string;
  readonly role: 'viewer' | 'operator';
  /** The hash of the password, as `hashPassword` makes it. */
  readonly password: string;
}

/** Memory-hard: 32 MiB and some 100 ms for each guess (RFC 7914). */
const COST = { N: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;
const SALT_BYTES = 16;
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 500;

/** A hash of a password that can stand in a configuration: `scrypt:N:r:p:SALT:KEY`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derived(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join(':');
}

/**
 * The user with this name and password; null: there is none. An unknown name takes as long to check as a known one.
 */
export async function userOf(users: readonly User[], name: string, password: string): Promise<User | null> {
  const user = users.find((one) => one.name === name) ?? null;
  const isRight = await fits(user?.password ?? NOBODYS, password);
  return isRight && user !== null ? user : null;
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
  // The same letters may be typed in several ways (Unicode normalization).
  const options = { ...cost, maxmem: 256 * 1024 * 1024 };
  scrypt(password.normalize('NFKC'), salt, KEY_BYTES, options, (error, key) =>
    error === null ? resolve(key) : reject(error),
  );
  return promise;
}
