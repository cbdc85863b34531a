import { createHash, randomBytes } from 'node:crypto';
import type { SessionStore } from '../store/sessions.ts';
import { UsageError } from './faults.ts';
import type { Opened } from './open.ts';
import { screenAddress } from './screen-address.ts';
import { type User, usersNow } from './users.ts';

/** The most sessions and links of a person or token. */
const MOST = 200;
const LINK_LASTS_MS = 60 * 60_000;
const SECRET_BYTES = 32;
/** A prefix hashed with a link's code, so that no code works as a cookie. */
export const LINK = 'link ';

/** A digest stored instead of a secret. */
export function proofOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Changes with the user's password. */
export function proofOfUser({ name, password }: Pick<User, 'name' | 'password'>): string {
  return proofOf(`user ${name} ${password ?? ''}`);
}

/** Creates a secret for a proof, and stores only its digest. */
export async function keepSecret(
  store: Pick<SessionStore, 'begin'>,
  { proof, prefix, endsAtMs }: { readonly proof: string; readonly prefix: string; readonly endsAtMs: number },
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  await store.begin({ hash: proofOf(prefix + secret), proof, endsAtMs }, MOST);
  return secret;
}

/** The path of a link that logs in once, within an hour. */
export async function linkPath(store: Pick<SessionStore, 'begin'>, proof: string, nowMs: number): Promise<string> {
  const code = await keepSecret(store, { proof, prefix: LINK, endsAtMs: nowMs + LINK_LASTS_MS });
  return `/login/link?code=${code}`;
}

export interface LogInLink {
  readonly address: string;
  /** Whether the link sets the password, or only logs in. */
  readonly setsPassword: boolean;
}

/**
 * Creates a login link. The audit log records who did, but not the link.
 * @throws UsageError for an unknown user
 */
export async function linkFor({ config, store, by }: Opened, name: string, nowMs: number): Promise<LogInLink> {
  const user = (await usersNow(config.admin.users, store.facts)).find((one) => one.name === name);
  if (user === undefined)
    throw new UsageError(`the configuration names no user ${name}: put { name: ${name} } under admin.users first`);
  const path = await linkPath(store.sessions, proofOfUser(user), nowMs);
  await store.audit.add({ ...aboutUser(name), action: 'user.link', who: by });
  return { address: screenAddress(config.admin) + path, setsPassword: user.setsPassword };
}

export function aboutUser(name: string) {
  const nothing = { account: '', flow: '', key: '', before: null, after: null, resultOf: null };
  return { ...nothing, target: `user ${name}`, outcome: 'done' };
}
