import type { AccountConfig, Config } from './resolve.ts';

type Accounts = Pick<Config, 'accounts' | 'unusable'>;

const sellerOf = ({ marketplace: { baseUrl, sellerId } }: AccountConfig): string => `${baseUrl} ${sellerId}`;

/**
 * An account with unusable settings stays unchanged, and nobody may take over its seller: two accounts of one seller
 * would overwrite each other's stock.
 */
export function takenOver(before: readonly AccountConfig[], { accounts, unusable }: Accounts): Accounts {
  const wrong = new Set(unusable.map(({ account }) => account));
  const unchanged = before.filter(({ name }) => wrong.has(name));
  const usable = accounts.filter(({ name }) => !wrong.has(name));
  const owners = new Map(unchanged.map((account) => [sellerOf(account), account.name]));
  const taken = usable.flatMap(({ name, ...account }) => {
    const owner = owners.get(sellerOf({ name, ...account }));
    const problem = `accounts.${owner} is the same seller on the same marketplace, and goes on by its earlier configuration`;
    return owner === undefined ? [] : [{ account: name, problem }];
  });
  if (taken.length === 0) return { accounts: [...usable, ...unchanged], unusable };
  return takenOver(before, { accounts, unusable: [...unusable, ...taken] });
}
