/** The facts of a daemon's log about its work, in the order of its lines. */
export interface StatedCapabilities {
  /** Accounts that it began to work, with the numbers of their leases. */
  readonly takes: readonly { readonly account: string; readonly lease: number }[];
  /** Ids of the journal's entries that the daemon made. */
  readonly entries: readonly number[];
}

const TAKES = 'this daemon works the account';

/** @param text whole lines of a log in JSON; other lines are left out */
export function statedIn(text: string): StatedCapabilities {
  const takes: { account: string; lease: number }[] = [];
  const entries: number[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('{') || !line.endsWith('}')) continue;
    const { msg, account, lease, entry } = JSON.parse(line) as Record<string, unknown>;
    if (msg === TAKES && typeof lease === 'number') takes.push({ account: String(account), lease });
    if (typeof entry === 'number') entries.push(entry);
  }
  return { takes, entries };
}

export interface JournalLine {
  readonly id: number;
  readonly account: string;
}

/**
 * Accounts that two daemons worked at the same time. Along the journal, the daemons that made the entries must follow each
 * other in the order of their leases, and no daemon may come back without a new lease. An entry in no log is from a daemon
 * that died before it wrote the line.
 * @param journal in the order of its ids
 * @param said by daemon
 */
export function workedByTwo(journal: readonly JournalLine[], said: ReadonlyMap<string, StatedCapabilities>): string[] {
  const makers = new Map([...said].flatMap(([daemon, { entries }]) => entries.map((id) => [id, daemon] as const)));
  const takes = [...said].flatMap(([daemon, one]) => one.takes.map((take) => ({ daemon, ...take })));
  const found: string[] = [];
  for (const [account, lines] of Map.groupBy(journal, (line) => line.account)) {
    const leases = takes.filter((take) => take.account === account).toSorted((a, b) => a.lease - b.lease);
    let at = 0;
    for (const { id } of lines) {
      const maker = makers.get(id);
      if (maker === undefined) continue;
      const next = leases.findIndex(({ daemon }, index) => index >= at && daemon === maker);
      if (next === -1) {
        found.push(
          `${account}: entry ${id} of the journal is of ${maker}, after lease ${leases[at]?.lease} of ${leases[at]?.daemon}`,
        );
        break;
      }
      at = next;
    }
  }
  return found;
}
