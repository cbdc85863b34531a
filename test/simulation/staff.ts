import type { Config } from '../../src/config/resolve.ts';
import type { Log } from '../../src/logging.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { Bridge, Receive } from './bridge.ts';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import type { createNetwork, Wire } from './network.ts';

/** Whoever works the account: one process alone, or several that share it. */
export interface Staff {
  start(): void;
  /** The work on the account; null: nobody works it now. */
  bridge(): Bridge | null;
  /** The status that a webhook is answered with; null when nobody is there. */
  readonly receive: (...delivery: Parameters<Receive>) => Promise<number | null>;
  /** Kills whoever works the account. */
  kill(): void;
  /** Kills the process that comes to the effect after so many. */
  killAfter(effects: number | null): void;
  /** From now on, only webhooks and passes tell it anything. */
  stopPolling(): void;
  wipeQueues(): void;
  /** Since when the calls that were made are known to whoever made them; null: to nobody. */
  knowsCallsSinceMs(): number | null;
}

export interface StaffParts {
  readonly clock: Clock;
  readonly config: Config;
  readonly disk: Disk;
  readonly luck: Chance;
  readonly network: ReturnType<typeof createNetwork>;
  readonly log: Log;
  readonly say: (line: string) => void;
  readonly strike: (fault: string) => void;
  /** Of one process. */
  readonly governor: () => Governor;
  /** What the work on an account hears, and is known of it. `isCurrent`: what is heard gets on the disk at once. */
  readonly wire: (isCurrent: () => boolean) => Pick<Wire, 'onSend' | 'onAnswered'>;
  readonly onKilled: () => void;
}
