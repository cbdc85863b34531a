/**
 * The accounts whose rows a transaction reads and writes; `all`: it may be any. Where several programs write to a database,
 * those whose scopes meet write one after the other, as all do on SQLite. `none`: its rows lock themselves.
 */
export type Scope = readonly string[] | 'all' | 'none';

/** The scope of a method by what it is called with: nearly each takes an account first, or something of one. */
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
