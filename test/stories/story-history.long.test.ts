import { expect, test, vi } from 'vitest';
import type { AccountConfig } from '../../src/config/resolve.ts';
import { STRATEGY_LETTERS } from '../../src/config/schema.ts';
import { ZERO } from '../../src/domain/decimal.ts';
import { replayHistory } from '../../src/use/replay-history.ts';
import type * as Disks from '../simulation/disk.ts';
import { openBeside } from '../simulation/disk.ts';
import { playStory } from '../simulation/story.ts';
import { IN_UNITS } from '../support/units.ts';

/* The records of simulated stories, with people, faults and crashes, are played again as `plan --history` does. */

const disks = vi.hoisted(() => [] as Disks.Disk[]);

vi.mock('../simulation/disk.ts', async (original) => {
  const real = await original<typeof Disks>();
  const openDisk = () => {
    const disk = real.openDisk();
    disks.push(disk);
    return disk;
  };
  return { ...real, openDisk };
});

async function replayOf(seed: number) {
  const { variant } = await playStory(seed);
  const [disk] = disks.splice(0);
  if (disk === undefined) throw new Error('the story had no disk');
  const config = {
    inventory: {
      strategy: STRATEGY_LETTERS[variant.strategy],
      write: variant.write,
      buffer: ZERO,
    },
    units: IN_UNITS,
    orders: { exportFrom: null },
  } as unknown as AccountConfig;
  const { store } = openBeside(disk);
  return replayHistory({ account: 'main', config, store }, new AbortController().signal, () => {});
}

const SEEDS = 24;

test("plan --history finds that the ledger never oversells in the stories, and that pushing the ERP's available stock does", async () => {
  const pushed = new Map<string, number>();
  let orders = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const report = await replayOf(seed);
    if (report === null) throw new Error(`seed ${seed} recorded nothing`);
    orders += report.orders;
    for (const { strategy, write, ledger, oversold } of report.ways) {
      const name = `${strategy} ${write}`;
      if (ledger) expect([seed, name, oversold.worst]).toEqual([seed, name, []]);
      else pushed.set(name, (pushed.get(name) ?? 0) + oversold.times);
    }
  }
  expect(orders).toBeGreaterThan(SEEDS);
  expect(pushed.get('submitted-available available_inventory')).toBeGreaterThan(0);
});
