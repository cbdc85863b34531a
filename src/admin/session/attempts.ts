/** The most wrong attempts within a minute: from one address, and from all. After that, the next attempt has to wait. */
const OF_ADDRESS = 10;
const OF_ALL = 50;
const WINDOW_MS = 60_000;

export interface Attempts {
  /** How long the next attempt from this address has to wait; 0: not at all. */
  waitMs(address: string): number;
  /** Counts an attempt as wrong, until `succeeded` takes it back. */
  failed(address: string): void;
  succeeded(address: string): void;
}

/** Counts wrong attempts to log in. Each process counts its own attempts, and forgets them after a minute. */
export function createAttempts(nowMs: () => number): Attempts {
  let recent: { readonly address: string; readonly atMs: number }[] = [];
  return {
    waitMs(address) {
      const now = nowMs();
      recent = recent.filter(({ atMs }) => atMs > now - WINDOW_MS && atMs <= now);
      const own = recent.filter((one) => one.address === address);
      const first = own.length >= OF_ADDRESS ? own[0] : recent.length >= OF_ALL ? recent[0] : undefined;
      return first === undefined ? 0 : first.atMs + WINDOW_MS - now;
    },
    failed(address) {
      recent.push({ address, atMs: nowMs() });
    },
    succeeded(address) {
      const last = recent.findLastIndex((one) => one.address === address);
      recent = recent.filter((_one, at) => at !== last);
    },
  };
}
