import type { AccountConfig, Config } from '../config/resolve.ts';
import { didYouMean } from '../config/suggest.ts';
import { AccountUnusable, UnknownAccount, UsageError } from './faults.ts';
import type { Opened } from './open.ts';

/**
 * The account that `--account` names, or all of them.
 * @throws UnknownAccount when there is none of that name, AccountUnusable when its configuration cannot be used
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

/** @throws UsageError when a request names an account that the configuration does not have */
export function requireAccount(config: Config, { account }: { readonly account?: unknown }): void {
  if (typeof account === 'string') accountsFor(config, account);
}

/**
 * The names of these accounts, with those that are left out: what is on record of them can be looked at all the same.
 * @throws UsageError when there is none of that name
 */
export function accountNames(config: Config, name: string | undefined): string[] {
  const leftOut = leftOutNames(config);
  if (name !== undefined && leftOut.includes(name)) return [name];
  return [...accountsFor(config, name).map((account) => account.name), ...(name === undefined ? leftOut : [])];
}

/** The names of the accounts whose configuration cannot be used here. */
export function leftOutNames({ accounts, unusable }: Config): string[] {
  const usable = new Set(accounts.map(({ name }) => name));
  const names = unusable.map(({ account }) => account).filter((name) => name !== '' && !usable.has(name));
  return [...new Set(names)];
}

/** The configuration, in which no account can be used, with the accounts that the records know. */
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
 * The configuration with only the account that `--account` names, or with all of them.
 * @throws UsageError when there is none of that name
 */
export function onlyAccount(config: Config, name: string | undefined): Config {
  return { ...config, accounts: [...accountsFor(config, name)] };
}

/** The same for looking at records: the account may be one that is left out. */
export function onlyRecords(config: Config, name: string | undefined): Config {
  if (name === undefined || !leftOutNames(config).includes(name)) return onlyAccount(config, name);
  return { ...config, accounts: [], unusable: config.unusable.filter(({ account }) => account === name) };
}

/**
 * The account that `--account` names, or the only one.
 * @throws UsageError when it has to be named
 */
export function accountFor(config: Config, name: string | undefined): AccountConfig {
  return only(accountsFor(config, name), (one) => one.name);
}

/** The same for looking at records: the name of the account, which may be one that is left out. */
export function accountNameFor(config: Config, name: string | undefined): string {
  return only(accountNames(config, name), (one) => one);
}

function only<T>([one, ...others]: readonly T[], nameOf: (one: T) => string): T {
  if (one !== undefined && others.length === 0) return one;
  const names = (one === undefined ? [] : [one, ...others]).map(nameOf);
  throw new UsageError(`name the account with --account: ${names.join(', ')}`);
}
