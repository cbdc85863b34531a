import type { AccountConfig, Config } from '../config/resolve.ts';
import { didYouMean } from '../config/suggest.ts';
import { AccountUnusable, UnknownAccount, UsageError } from './faults.ts';
import type { Opened } from './open.ts';

/**
 * The account of `--account`, or all.
 * @throws UnknownAccount, or AccountUnusable for an unusable configuration
 */
export function accountsFor({ accounts, unusable }: Config, name: string | undefined): readonly AccountConfig[] {
  if (name === undefined) return accounts;
  const found = accounts.filter((account) => account.name === name);
  if (found.length > 0) return found;
  const leftOut = unusable.find(({ account }) => account === name);
  if (leftOut !== undefined) throw new AccountUnusable(`account ${name} cannot be used: ${leftOut.problem}`);
  const names = accounts.map((account) => account.name);
  const hint = didYouMean(name, names) || '.';
  throw new UnknownAccount(`there is no account "${name}"${hint} The configuration has: ${names.join(', ')}`);
}

/** @throws UsageError for an unknown account */
export function requireAccount(config: Config, { account }: { readonly account?: unknown }): void {
  if (typeof account === 'string') accountsFor(config, account);
}

/**
 * Includes accounts with an unusable configuration, whose records can still be read.
 * @throws UsageError for an unknown name
 */
export function accountNames(config: Config, name: string | undefined): string[] {
  const leftOut = leftOutNames(config);
  if (name !== undefined && leftOut.includes(name)) return [name];
  return [...accountsFor(config, name).map((account) => account.name), ...(name === undefined ? leftOut : [])];
}

/** Accounts with an unusable configuration. */
export function leftOutNames({ accounts, unusable }: Config): string[] {
  const usable = new Set(accounts.map(({ name }) => name));
  const names = unusable.map(({ account }) => account).filter((name) => name !== '' && !usable.has(name));
  return [...new Set(names)];
}

/** Takes the accounts from the records, when the configuration has none that is usable. */
export async function withRecorded({ config, store }: Pick<Opened, 'config' | 'store'>): Promise<Config> {
  const { configured, inForce } = await store.leases.list();
  const named = [...configured, ...inForce, ...(await store.work.counts())].map(({ account }) => account);
  const known = new Set(['', ...leftOutNames(config)]);
  const whole = config.unusable.find(({ account }) => account === '');
  const problem = whole?.problem ?? 'the configuration does not have it';
  const more = [...new Set(named)].filter((name) => !known.has(name)).map((account) => ({ account, problem }));
  return { ...config, unusable: [...config.unusable, ...more] };
}

/**
 * Keeps the account of `--account`, or all.
 * @throws UsageError for an unknown name
 */
export function onlyAccount(config: Config, name: string | undefined): Config {
  return { ...config, accounts: [...accountsFor(config, name)] };
}

/** For verbs that only read records: the account's configuration may be unusable. */
export function onlyRecords(config: Config, name: string | undefined): Config {
  if (name === undefined || !leftOutNames(config).includes(name)) return onlyAccount(config, name);
  return { ...config, accounts: [], unusable: config.unusable.filter(({ account }) => account === name) };
}

/**
 * The account of `--account`, or the only one.
 * @throws UsageError when it must be named
 */
export function accountFor(config: Config, name: string | undefined): AccountConfig {
  return only(accountsFor(config, name), (one) => one.name);
}

/** For verbs that only read records: the account's configuration may be unusable. */
export function accountNameFor(config: Config, name: string | undefined): string {
  return only(accountNames(config, name), (one) => one);
}

function only<T>([one, ...others]: readonly T[], nameOf: (one: T) => string): T {
  if (one !== undefined && others.length === 0) return one;
  const names = (one === undefined ? [] : [one, ...others]).map(nameOf);
  throw new UsageError(`name the account with --account: ${names.join(', ')}`);
}
