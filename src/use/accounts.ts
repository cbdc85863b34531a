import type { AccountConfig, Config } from '../config/resolve.ts';
import { didYouMean } from '../config/suggest.ts';
import { AccountUnusable, UsageError } from './faults.ts';

/**
 * The account that `--account` names, or all of them.
 * @throws UsageError when there is none of that name, AccountUnusable when its configuration cannot be used
 */
export function accountsFor({ accounts, unusable }: Config, name: string | undefined): readonly AccountConfig[] {
  if (name === undefined) return accounts;
  const found = accounts.filter((account) => account.name === name);
  if (found.length > 0) return found;
  const leftOut = unusable.find(({ account }) => account === name);
  if (leftOut !== undefined) throw new AccountUnusable(`account ${name} cannot be used: ${leftOut.problem}`);
  const names = accounts.map((account) => account.name);
  const hint = didYouMean(name, names) || '.';
  throw new UsageError(`there is no account "${name}"${hint} The configuration has: ${names.join(', ')}`);
}

/** @throws UsageError when a request names an account that the configuration does not have */
export function requireAccount(config: Config, { account }: { readonly account?: unknown }): void {
  if (typeof account === 'string') accountsFor(config, account);
}

/** The names of these accounts. @throws UsageError when there is none of that name */
export function accountNames(config: Config, name: string | undefined): string[] {
  return accountsFor(config, name).map((account) => account.name);
}

/**
 * The configuration with only the account that `--account` names, or with all of them.
 * @throws UsageError when there is none of that name
 */
export function onlyAccount(config: Config, name: string | undefined): Config {
  return { ...config, accounts: [...accountsFor(config, name)] };
}

/**
 * The account that `--account` names, or the only one.
 * @throws UsageError when it has to be named
 */
export function accountFor(config: Config, name: string | undefined): AccountConfig {
  const [account, another] = accountsFor(config, name);
  if (account !== undefined && another === undefined) return account;
  const names = config.accounts.map((one) => one.name);
  throw new UsageError(`name the account with --account: ${names.join(', ')}`);
}
