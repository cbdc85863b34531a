import { randomBytes, scrypt } from 'node:crypto';
import type { SecretSetting } from '../config/secrets.ts';
import type { Store } from '../store/store.ts';

/** Fact: the secrets of the program that works the account, by origin and fingerprint. */
const FACT = 'secrets-held';
const SALT_BYTES = 16;
/** Short on purpose: many texts share a fingerprint, so it confirms no guess. */
const PRINT_BYTES = 4;
const COST = { N: 1024 };

type Facts = { readonly store: Pick<Store, 'facts'>; readonly account: string };
type Origin = Pick<SecretSetting, 'path' | 'from' | 'server'>;
type Held = Origin & { readonly print: string };

interface HeldSecrets {
  /** The machine and the process. */
  readonly by: string;
  readonly salt: string;
  readonly secrets: readonly Held[];
}

/** Records which secrets a program has, never the secrets themselves. */
export async function noteSecrets(
  { store, account }: Facts,
  by: string,
  secrets: readonly SecretSetting[],
): Promise<void> {
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const held: Held[] = [];
  for (const { value, ...origin } of secrets) held.push({ ...origin, print: await printOf(value, salt) });
  await store.facts.set(account, FACT, JSON.stringify({ by, salt, secrets: held } satisfies HeldSecrets));
}

export async function heldSecrets({ store, account }: Facts): Promise<HeldSecrets | null> {
  const text = await store.facts.get(account, FACT);
  return text === null ? null : (JSON.parse(text) as HeldSecrets);
}

export async function differingSecrets(
  { salt, secrets }: HeldSecrets,
  own: readonly SecretSetting[],
): Promise<Origin[]> {
  const values = new Map(own.map(({ path, value }) => [path, value]));
  const differences: Origin[] = [];
  for (const { print, ...origin } of secrets) {
    const value = values.get(origin.path);
    if (value !== undefined && (await printOf(value, salt)) !== print) differences.push(origin);
  }
  return differences;
}

/** How a new value takes effect: a running process never sees a changed environment. */
export function effectOf({ from }: Pick<Origin, 'from'>): 'restart' | 'reread' {
  return from.some((written) => written.startsWith('${env:')) ? 'restart' : 'reread';
}

export const EFFECTS = {
  restart: 'a new value takes effect when the daemon is restarted with it in its environment',
  reread: 'a new value takes effect on SIGHUP, or by itself once the side refuses the present one',
} as const;

/** `marketplace.auth.key comes from ${env:KEY}`. */
export function originText({ path, from, server }: Origin): string {
  const asks = server === null ? '' : `, with which ${server} is asked for tokens,`;
  return `${path}${asks} comes from ${from.length === 0 ? 'the configuration' : from.join(' and ')}`;
}

function printOf(value: string, salt: string): Promise<string> {
  return new Promise((done, failed) => {
    scrypt(value, salt, PRINT_BYTES, COST, (error, print) => {
      if (error === null) done(print.toString('hex'));
      else failed(error);
    });
  });
}
