import type { Redis } from 'ioredis';
import { laneTerms } from '../../src/marketplace/governor-lanes.ts';
import { QUOTA_SCRIPT } from '../../src/marketplace/governor-script.ts';
import type { Lane, QuotaHeaders } from '../../src/marketplace/quota.ts';

export interface Question {
  readonly lane: Lane;
  readonly caller: string;
  readonly patienceMs?: number;
  readonly behind?: number;
  /** The name of the call, where it matters. */
  readonly call?: string;
}

export interface Reply {
  readonly granted: boolean;
  readonly waitMs: number;
}

/** An answer without quota headers. */
export const SILENT: QuotaHeaders = {
  status: 200,
  retryAfterMs: null,
  limitPerMinute: null,
  remainingPerMinute: null,
  limitPerSecond: null,
  remainingPerSecond: null,
};

/** The script itself. A test asks it as any caller and at any time. */
export function quotaScript(redis: Redis, owner: string, limits: { perSecond: number; perMinute: number }) {
  const keys = ['log', 'open', 'state', 'waiting'].map((name) => `test:{${owner}}:${name}`);
  const run = (verb: string, nowMs: number, args: (string | number)[]) =>
    redis.eval(QUOTA_SCRIPT, keys.length, ...keys, verb, nowMs, limits.perSecond, limits.perMinute, '', ...args);
  let asked = 0;
  return {
    async ask(
      nowMs: number,
      { lane, caller, patienceMs = 600_000, behind = 0, call = `call ${asked++}` }: Question,
    ): Promise<Reply> {
      const { rank, reserve, kept, burst } = laneTerms(lane, limits.perMinute);
      const args = [call, rank, caller, patienceMs, reserve, kept, burst, behind];
      const [granted, waitMs] = (await run('ask', nowMs, args)) as [number, number];
      return { granted: granted === 1, waitMs };
    },
    usage: async (nowMs: number) =>
      (await run('usage', nowMs, [])) as [second: number[], minute: [limit: number, used: number, others: number]],
    unused: (nowMs: number, call: string) => run('unused', nowMs, [call]),
    async observe(nowMs: number, headers: Partial<QuotaHeaders> = {}): Promise<void> {
      const { status, retryAfterMs, ...rest } = { ...SILENT, ...headers };
      const { limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond } = rest;
      const figures = [status, retryAfterMs, limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond];
      await run('observe', nowMs, ['', ...figures.map((figure) => figure ?? '')]);
    },
    clear: () => redis.del(...keys),
    /** Begins with a known history: no call was made for a long time. */
    async rest(): Promise<void> {
      await redis.del(...keys);
      await redis.hset(`test:{${owner}}:state`, 'closed_at', 0);
    },
  };
}
