import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Remote } from '../bench/support/rpc.ts';
import type { SidesApi } from './sides-process.ts';

export interface Breakable {
  readonly sides: Remote<SidesApi>;
  /** A connection to the daemon's private Redis. */
  readonly redis: Redis;
  readonly dataDir: string;
  /** The size of the disk of the data folder; null when it cannot be filled without harm to others. */
  readonly diskBytes: number | null;
}

export interface SoakFault {
  readonly name: string;
  strike(on: Breakable): Promise<void>;
  /** Ends a fault that does not end by itself, after `lastsMs`. */
  mend?(on: Breakable): Promise<void>;
  readonly lastsMs: number;
}

const marketplace = (
  name: string,
  fault: Parameters<SidesApi['breakMarketplace']>[0],
  lastsMs = 10_000,
): SoakFault => ({
  name,
  lastsMs,
  strike: ({ sides }) => sides.breakMarketplace(fault),
  mend: ({ sides }) => sides.mend(),
});

const erp = (name: string, fault: Parameters<SidesApi['breakErp']>[0], lastsMs = 10_000): SoakFault => ({
  name,
  lastsMs,
  strike: ({ sides }) => sides.breakErp({ times: null, ...fault }),
  mend: ({ sides }) => sides.mend(),
});

const STRIKE_LIMIT_MS = 10_000;
const STRIKE_RETRY_MS = 200;

const BALLAST = 'ballast';

/** Fills the rest of the disk, for a moment. */
const diskFull: SoakFault = {
  name: 'disk full',
  lastsMs: 4_000,
  async strike({ dataDir, diskBytes }) {
    for (let bytes = diskBytes ?? 0, part = 0; bytes > 4_096; part += 1) {
      try {
        writeFileSync(join(dataDir, `${BALLAST}-${part}`), Buffer.alloc(bytes));
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
  },
  async mend({ dataDir }) {
    for (let part = 0; part < 64; part += 1) rmSync(join(dataDir, `${BALLAST}-${part}`), { force: true });
  },
};

/** The faults in the order in which they strike, over and over. */
export const SOAK_FAULTS: readonly SoakFault[] = [
  marketplace('marketplace 503', { kind: 'status-before', status: 503, chance: 0.6 }),
  {
    name: 'Redis killed',
    lastsMs: 0,
    async strike({ redis }) {
      const pid = /process_id:(\d+)/.exec(await redis.info('server'))?.[1];
      if (pid === undefined) throw new Error('Redis does not tell its process id');
      process.kill(Number(pid), 'SIGKILL');
    },
  },
  marketplace('marketplace answers lost', { kind: 'reset-after', chance: 0.3 }),
  erp('ERP away', { kind: 'status', status: 503 }),
  marketplace('webhooks lost', { kind: 'webhook-lost' }, 20_000),
  { name: 'Redis flushed', lastsMs: 0, strike: async ({ redis }) => void (await redis.flushall()) },
  marketplace('marketplace slow', { kind: 'delay-before', ms: 2_500, chance: 0.3 }),
  erp('ERP answers lost', { kind: 'lose-answer' }, 5_000),
  marketplace('webhooks doubled', { kind: 'webhook-doubled' }, 20_000),
  diskFull,
  marketplace('marketplace 429', { kind: 'rate-limit', retryAfterSeconds: 1, chance: 0.2 }),
  erp('ERP slow', { kind: 'slow-answer', delayMs: 2_500 }),
  marketplace('marketplace answers torn', { kind: 'truncate-body', chance: 0.3 }),
  marketplace('webhooks late', { kind: 'webhook-late', ms: 5_000 }, 20_000),
];

/** Returns whether the fault struck. Its victim may be about to restart, so the fault is tried for some seconds. */
export async function strikes(
  fault: SoakFault,
  on: Breakable,
  over: AbortSignal,
  tell: (line: string) => void,
): Promise<boolean> {
  for (const deadline = Date.now() + STRIKE_LIMIT_MS; ; await sleep(STRIKE_RETRY_MS)) {
    try {
      await fault.strike(on);
      return true;
    } catch (error) {
      if (Date.now() < deadline && !over.aborted) continue;
      tell(`${fault.name} did not strike: ${String(error)}`);
      return false;
    }
  }
}
