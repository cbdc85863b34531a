/** What the log of a daemon says of its work, in the order of its lines. */
export interface Said {
  /** Accounts that it began to work, with the numbers of their leases. */
  readonly takes: readonly { readonly account: string; readonly lease: number }[];
  /** Ids of the entries of the journal that it made. */
  readonly entries: readonly number[];
}

const TAKES = 'this daemon works the account';

/** @param text whole lines of a log in JSON; others are left out */
export function saidIn(text: string): Said {
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
 * Accounts that two daemons worked at one time: along the journal, the daemons that made its entries follow each other as they
 * took the leases, and none comes back without a new one. Entries that no log names are of a daemon that died before it said so.
 * @param journal in the order of its ids
 * @param said by daemon
 */
export function workedByTwo(journal: readonly JournalLine[], said: ReadonlyMap<string, Said>): string[] {
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
