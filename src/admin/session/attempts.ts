import { isIP } from 'node:net';

/** So many wrong attempts are answered at once: of an address, and of an account. */
const FREE = 10;
/** So many wrong attempts on an account must come from an address before the count of the account holds it back. */
const OWN = 3;
/** Then the next attempt waits, and each further one twice as long as the one before. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Wrong attempts are forgotten this long after the last one. */
const FORGOTTEN_AFTER_MS = 60 * 60_000;
/** The most addresses, the most accounts and the most pairs of both that are kept. Above it, the ones that were seen longest ago are forgotten. */
const MOST_KEPT = 10_000;

/** The account of everybody who comes with a token. */
export const BY_TOKEN = '';

export interface Attempts {
  /** How long the next attempt from this address on this account has to wait; 0: not at all. */
  waitMs(address: string, account: string): number;
  /** An attempt begins, and holds others back until its outcome is told. Else many at once would all be tried. */
  begin(address: string, account: string): (isRight: boolean) => void;
  /** The number of addresses, accounts and pairs of both in memory. */
  kept(): number;
}

interface Count {
  readonly wrong: number;
  readonly underway: number;
  /** The moment of the last wrong one. */
  readonly atMs: number;
}

const NONE: Count = { wrong: 0, underway: 0, atMs: 0 };

/**
 * Counts wrong attempts to log in, by address and by account. The count of an account holds back only addresses that were wrong
 * there several times themselves: nobody can lock a person out from elsewhere. A right attempt takes back the wrong ones of its
 * address on its account: they were typing errors. Those on other accounts stay, else an account of one's own would pay for guesses
 * at others. Each process counts its own attempts.
 * @param nowMs a clock that is never set
 */
export function createAttempts(nowMs: () => number): Attempts {
  const addresses = new Map<string, Count>();
  const accounts = new Map<string, Count>();
  const pairs = new Map<string, Count>();

  const countOf = (counts: Map<string, Count>, key: string): Count => {
    const found = counts.get(key) ?? NONE;
    return nowMs() - found.atMs >= FORGOTTEN_AFTER_MS ? { ...found, wrong: 0 } : found;
  };
  const change = (counts: Map<string, Count>, key: string, wrong: number, underway: number): void => {
    const count = countOf(counts, key);
    counts.delete(key);
    const next = {
      wrong: Math.max(0, count.wrong + wrong),
      underway: Math.max(0, count.underway + underway),
      atMs: wrong > 0 ? nowMs() : count.atMs,
    };
    if (next.wrong + next.underway > 0) counts.set(key, next);
    const [oldest] = counts.keys();
    if (counts.size > MOST_KEPT && oldest !== undefined) counts.delete(oldest);
  };
  const waitFor = ({ wrong, underway, atMs }: Count): number => {
    const leftMs = wrong < FREE ? 0 : atMs + Math.min(FIRST_WAIT_MS * 2 ** (wrong - FREE), LONGEST_WAIT_MS) - nowMs();
    const isFull = underway > 0 && wrong + underway >= FREE;
    return Math.max(0, leftMs, isFull ? FIRST_WAIT_MS : 0);
  };

  return {
    waitMs(address, account) {
      const network = networkOf(address);
      const own = countOf(pairs, pairOf(network, account));
      const isHeld = own.wrong + own.underway >= OWN;
      return Math.max(waitFor(countOf(addresses, network)), isHeld ? waitFor(countOf(accounts, account)) : 0);
    },
    begin(address, account) {
      const network = networkOf(address);
      const pair = pairOf(network, account);
      const changeAll = (wrong: number, underway: number): void => {
        change(addresses, network, wrong, underway);
        change(accounts, account, wrong, underway);
        change(pairs, pair, wrong, underway);
      };
      changeAll(0, 1);
      return (isRight) => changeAll(isRight ? -countOf(pairs, pair).wrong : 1, -1);
    },
    kept: () => addresses.size + accounts.size + pairs.size,
  };
}

function pairOf(network: string, account: string): string {
  return `${network} ${account}`;
}

/** An IPv4 address; of an IPv6 address the first 64 bits, since one machine may have all the addresses behind them. */
function networkOf(address: string): string {
  const four = address.replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIP(four) !== 6) return isIP(four) === 4 ? four : 'unknown';
  const [head = '', tail = ''] = (address.split('%')[0] ?? '').split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - groups(tail).length) }, () => '0');
  const all = address.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(head);
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
