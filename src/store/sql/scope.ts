/**
 * The accounts whose rows a transaction reads and writes. `all`: it may be any account. `none`: the rows lock themselves. When
 * several programs write to a database, transactions with an account in common run one after the other. On SQLite all
 * transactions do.
 */
export type Scope = readonly string[] | 'all' | 'none';

/** The scope of a method by its arguments. Nearly every method takes an account, or something with an account, first. */
export function scopeOf(args: readonly unknown[]): Scope {
  const [first] = args;
  if (typeof first === 'string') return [first];
  const accounts = (Array.isArray(first) ? first : [first]).map(accountOf);
  return accounts.every((account) => account !== null) ? [...new Set(accounts)].toSorted() : 'all';
}

function accountOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('account' in value)) return null;
  return typeof value.account === 'string' ? value.account : null;
}
