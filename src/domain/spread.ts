/** An account that daemons share out among them. */
export interface Shared {
  readonly name: string;
  /** The names of the daemons that may work the account; null: every daemon may. */
  readonly daemons: readonly string[] | null;
}

/** A daemon that lives and takes accounts. Several daemons may have the same name. */
export interface Peer {
  readonly id: string;
  readonly name: string;
  /** It came so lately that it may be in the place of one that died and whose leases have not run out. */
  readonly isNew: boolean;
}

/**
 * Shares the accounts out among the daemons: ids of daemons by names of accounts. Daemons that know the same facts come to the
 * same answer. An account stays with its daemon, unless that daemon has two accounts more than another daemon that may have it.
 * A new daemon gets free accounts only: a daemon that died and was started again gets its own accounts back once they are free,
 * and no other account moves. An account that no living daemon may work is left out.
 * @param holders the daemons that work the accounts now: ids of daemons by names of accounts
 */
export function spread(
  accounts: readonly Shared[],
  peers: readonly Peer[],
  holders: ReadonlyMap<string, string>,
): Map<string, string> {
  const places = new Map(accounts.map((account) => [account.name, placesOf(account, peers)] as const));
  const newcomers = new Set(peers.flatMap(({ id, isNew }) => (isNew ? [id] : [])));
  // The accounts that the fewest daemons may work are placed first.
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
  // Accounts move from the daemon with most to the daemon with fewest. Each move makes two daemons more equal, so the loop ends.
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

/** The ids of the daemons that may work the account, in order. */
function placesOf({ daemons }: Shared, peers: readonly Peer[]): string[] {
  return peers
    .filter(({ name }) => daemons === null || daemons.includes(name))
    .map(({ id }) => id)
    .toSorted();
}
