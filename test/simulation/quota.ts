import type { Redis } from 'ioredis';
import type { Config } from '../../src/config/resolve.ts';
import { openGovernor } from '../../src/core/sides.ts';
import { LOST } from '../../src/marketplace/governor-script.ts';
import { type Governor, LANES } from '../../src/marketplace/quota.ts';
import { quotaModel } from '../marketplace/governor-model.ts';
import type { Quota } from './world.ts';

/** Redis for the governor: decides like the governor's script, by the model that another test compares with the script. */
export function createSimulatedQuota(quota: Quota) {
  let model = quotaModel(quota);
  let isWiped = false;
  const evaluate = async (...all: (string | number)[]): Promise<unknown> => {
    const [verb, , , , known, ...rest] = all.slice(6);
    if (known !== '' && !model.knows(String(known))) return LOST;
    isWiped = false;
    const [call, ...args] = rest.slice(0, 8);
    restore(rest.slice(8));
    if (verb === 'unused') return model.unused(Date.now(), String(call));
    if (verb === 'ask') {
      const [rank, caller, patienceMs, , , , behind] = args;
      const lane = LANES[Number(rank)] ?? 'backfill';
      const who = { lane, caller: String(caller), call: String(call) };
      const { granted, waitMs } = model.ask(Date.now(), {
        ...who,
        patienceMs: Number(patienceMs),
        behind: Number(behind),
      });
      return [granted ? 1 : 0, waitMs];
    }
    const [status, ...figures] = args.map((figure) => (figure === '' ? null : Number(figure)));
    const [retryAfterMs = null, limitPerMinute = null, remainingPerMinute = null, ...perSecond] = figures;
    const [limitPerSecond = null, remainingPerSecond = null] = perSecond;
    const said = { retryAfterMs, limitPerMinute, remainingPerMinute, limitPerSecond, remainingPerSecond };
    return model.observe(Date.now(), { status: status ?? 0, ...said });
  };
  const restore = (said: readonly (string | number)[]) => {
    const calls = [];
    for (let at = 0; at < said.length; at += 3) {
      const [call, ageMs, open] = said.slice(at, at + 3);
      calls.push({ call: String(call), date: Date.now() - Number(ageMs), open: open === 1 });
    }
    model.restore(calls.toReversed());
  };
  const redis = { status: 'ready', eval: evaluate } as unknown as Redis;

  return {
    /** The governor of one process. */
    governor({ accounts: [account] }: Config): Governor {
      if (account === undefined) throw new Error('no account');
      return openGovernor(account, redis, { kind: 'private' });
    },
    /** Redis was wiped, and no process has noticed it yet. */
    isWiped: () => isWiped,
    wipe(): void {
      isWiped = true;
      model = quotaModel(quota);
    },
  };
}
