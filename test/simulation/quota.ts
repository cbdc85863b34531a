import type { Redis } from 'ioredis';
import type { Config } from '../../src/config/resolve.ts';
import type { Governor, Lane } from '../../src/marketplace/quota.ts';
import { openGovernor } from '../../src/sides.ts';
import { quotaModel } from '../marketplace/governor-model.ts';
import type { Quota } from './world.ts';

const LANES: readonly Lane[] = ['operator', 'webhook', 'poll', 'backfill'];

/** Redis as far as the governor knows it: what its script decides, by the model that is compared with the script elsewhere. */
export function createSimulatedQuota(quota: Quota) {
  let model = quotaModel(quota);
  const evaluate = async (...all: (string | number)[]): Promise<unknown> => {
    const [verb, , , , ...args] = all.slice(6);
    if (verb === 'ask') {
      const [rank, caller, patienceMs, , , behind] = args;
      const lane = LANES[Number(rank)] ?? 'backfill';
      const question = { lane, caller: String(caller), patienceMs: Number(patienceMs), behind: Number(behind) };
      const { granted, waitMs } = model.ask(Date.now(), question);
      return [granted ? 1 : 0, waitMs];
    }
    const [status, ...figures] = args.map((figure) => (figure === '' ? null : Number(figure)));
    const [retryAfterMs = null, limitPerMinute = null, remainingPerMinute = null, ...rest] = figures;
    const [limitPerSecond = null, remainingPerSecond = null] = rest;
    const said = { retryAfterMs, limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond };
    return model.observe(Date.now(), { status: status ?? 0, ...said });
  };
  const redis = { status: 'ready', eval: evaluate } as unknown as Redis;

  return {
    /** One process's part of it. */
    governor({ accounts: [account] }: Config): Governor {
      if (account === undefined) throw new Error('no account');
      return openGovernor(account, redis);
    },
    wipe(): void {
      model = quotaModel(quota);
    },
  };
}
