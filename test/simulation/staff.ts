import type { Config } from '../../src/config/resolve.ts';
import type { Log } from '../../src/logging/logging.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import type { Chance } from '../../src/sandbox/chance.ts';
import type { Bridge, Receive } from './bridge.ts';
import type { Clock } from './clock.ts';
import type { Disk } from './disk.ts';
import type { createNetwork, Wire } from './network.ts';

/** The processes that work the account: one alone, or several that share it. */
export interface Staff {
  start(): void;
  /** The work on the account; null: no process works it now. */
  bridge(): Bridge | null;
  /** The status of the answer to a webhook; null when no process is running. */
  readonly receive: (...delivery: Parameters<Receive>) => Promise<number | null>;
  /** Kills the process that works the account. */
  kill(): void;
  /** Kills the process that comes to the effect after so many. */
  killAfter(effects: number | null): void;
  /** From now on, the program reads only because of webhooks and in passes. */
  stopPolling(): void;
  wipeQueues(): void;
  /** The time since which the processes know their own calls; null: they know none. */
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
  /** The governor of one process. */
  readonly governor: () => Governor;
  /** The answers that the work on an account gets, noted for the laws. `isCurrent`: answers get on the disk at once. */
  readonly wire: (isCurrent: () => boolean) => Pick<Wire, 'onSend' | 'onAnswered'>;
  readonly onKilled: () => void;
}
