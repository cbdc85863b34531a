import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../../support/chance.ts';
import type { RedisNode, startSentinels } from '../../support/redis-nodes.ts';
import type { Daemons, Machine } from './daemons.ts';
import type { Line } from './lines.ts';
import type { Replicated } from './replicated.ts';
import type { Takeovers } from './takeovers.ts';

export interface Breakable {
  readonly daemons: Daemons;
  /** The line of each daemon to PostgreSQL. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly postgres: Replicated;
  readonly redis: Awaited<ReturnType<typeof startSentinels>>;
  readonly takeovers: Takeovers;
  readonly luck: Chance;
}

export interface Fault {
  readonly name: string;
  /** Breaks something, and mends it. */
  strike(on: Breakable): Promise<void>;
}

/** Longer than a lease. */
const PAST_LEASE_MS = [12_000, 16_000] as const;
const SHORTLY_MS = 2_000;

const anyOf = ({ daemons, luck }: Breakable): Machine => {
  const machine = luck.pick(daemons.all);
  if (machine === undefined) throw new Error('there is no daemon');
  return machine;
};

/** One daemon is out of action for longer than its leases. */
async function lost(
  on: Breakable,
  fault: string,
  stop: (machine: Machine) => unknown,
  goOn: (machine: Machine) => unknown,
) {
  const machine = anyOf(on);
  await on.takeovers.expect(fault, machine.daemon.process.pid ?? 0);
  await stop(machine);
  await sleep(on.luck.whole(...PAST_LEASE_MS));
  await goOn(machine);
}

/** The primary of Redis is gone until the sentinels have promoted its replica. */
async function failOver(
  { redis }: Breakable,
  stop: (primary: RedisNode) => unknown,
  goOn: (primary: RedisNode) => unknown,
): Promise<void> {
  const primary = await redis.primary();
  await stop(primary);
  await redis.promotedAfter(primary);
  await goOn(primary);
  await redis.followsAgain(primary);
}

/** Each fault strikes once before any fault strikes again. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'daemon killed',
    async strike(on) {
      const machine = anyOf(on);
      await on.takeovers.expect('daemon killed', machine.daemon.process.pid ?? 0);
      await machine.daemon.kill();
      await sleep(on.luck.pick([0, SHORTLY_MS, PAST_LEASE_MS[0]]) ?? 0);
      on.daemons.start(machine);
    },
  },
  {
    name: 'daemon stopped and continued',
    strike: (on) =>
      lost(
        on,
        'daemon stopped and continued',
        ({ daemon }) => daemon.process.kill('SIGSTOP'),
        ({ daemon }) => daemon.process.kill('SIGCONT'),
      ),
  },
  {
    name: 'daemon cut off from PostgreSQL',
    strike: (on) =>
      lost(
        on,
        'daemon cut off from PostgreSQL',
        ({ name }) => on.lines.get(name)?.cut(),
        ({ name }) => on.lines.get(name)?.mend(),
      ),
  },
  { name: 'PostgreSQL killed and started', strike: ({ postgres }) => postgres.restart() },
  { name: 'connections to PostgreSQL cut', strike: async ({ postgres }) => void (await postgres.cutConnections()) },
  { name: 'primary lost, replica promoted', strike: ({ postgres }) => postgres.promote() },
  {
    name: 'Redis killed and started',
    async strike({ redis }) {
      const primary = await redis.primary();
      await primary.kill();
      await sleep(SHORTLY_MS);
      await primary.revive();
    },
  },
  { name: 'Redis wiped', strike: async ({ redis }) => void (await (await redis.primary()).client.flushall()) },
  {
    name: 'primary of Redis lost, replica promoted',
    strike: (on) =>
      failOver(
        on,
        (primary) => primary.kill(),
        (primary) => primary.revive(),
      ),
  },
  {
    name: 'primary of Redis hangs, replica promoted',
    strike: (on) =>
      failOver(
        on,
        (primary) => primary.freeze(),
        (primary) => primary.thaw(),
      ),
  },
  {
    name: 'rolling restart',
    async strike({ daemons, takeovers }) {
      for (const machine of daemons.all) {
        await takeovers.expect('rolling restart', machine.daemon.process.pid ?? 0);
        await machine.daemon.terminate();
        daemons.start(machine);
        await daemons.untilStarted(machine);
      }
    },
  },
];
