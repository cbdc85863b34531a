export interface Shared {
  readonly name: string;
  /** Names of the daemons that may work the account. null: any. */
  readonly daemons: readonly string[] | null;
}

/** A running daemon that takes accounts. Several daemons may have the same name. */
export interface Peer {
  readonly id: string;
  readonly name: string;
  /** The daemon started recently. It may replace one that died and whose leases have not expired. */
  readonly isNew: boolean;
}

/**
 * Assigns accounts to daemons: daemon ids by account name. Equal inputs give equal results in every daemon. An account
 * moves only if its daemon has at least two accounts more than another eligible one. A new daemon gets free accounts
 * only, so a daemon that restarts gets its own accounts back. An account without an eligible daemon is omitted.
 * @param holders the current daemon ids by account name
 */
export function spread(
  accounts: readonly Shared[],
  peers: readonly Peer[],
  holders: ReadonlyMap<string, string>,
): Map<string, string> {
  const places = new Map(accounts.map((account) => [account.name, placesOf(account, peers)] as const));
  const newcomers = new Set(peers.flatMap(({ id, isNew }) => (isNew ? [id] : [])));
  // Accounts with the fewest eligible daemons are placed first.
  const names = [...places.keys()]
    .toSorted()
    .toSorted((a, b) => (places.get(a)?.length ?? 0) - (places.get(b)?.length ?? 0));
  const target = new Map<string, string>();
  const loads = new Map<string, number>();
  const loadOf = (id: string) => loads.get(id) ?? 0;
  const put = (name: string, id: string): void => {
    const before = target.get(name);
    if (before !== undefined) loads.set(before, loadOf(before) - 1);
    target.set(name, id);
    loads.set(id, loadOf(id) + 1);
  };
  const idlest = (ids: readonly string[] = []) =>
    ids.reduce<string | null>((best, id) => (best === null || loadOf(id) < loadOf(best) ? id : best), null);

  const held = new Set<string>();
  for (const name of names) {
    const holder = holders.get(name);
    if (holder === undefined || !places.get(name)?.includes(holder)) continue;
    held.add(name);
    put(name, holder);
  }
  for (const name of names) {
    const id = held.has(name) ? null : idlest(places.get(name));
    if (id !== null) put(name, id);
  }
  // Each move makes two daemons more equal, so the loop ends.
  for (;;) {
    let widest: { readonly gap: number; readonly name: string; readonly to: string } | null = null;
    for (const [name, from] of target) {
      const to = idlest(places.get(name)?.filter((id) => !(held.has(name) && newcomers.has(id))));
      const gap = to === null ? 0 : loadOf(from) - loadOf(to);
      if (to !== null && gap > (widest?.gap ?? 1)) widest = { gap, name, to };
    }
    if (widest === null) return target;
    put(widest.name, widest.to);
  }
}

/** Sorted. */
function placesOf({ daemons }: Shared, peers: readonly Peer[]): string[] {
  return peers
    .filter(({ name }) => daemons === null || daemons.includes(name))
    .map(({ id }) => id)
    .toSorted();
}
