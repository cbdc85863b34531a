import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Chance } from '../../support/chance.ts';
import type { TestRedis } from '../../support/redis.ts';
import type { Daemons, Machine } from './daemons.ts';
import type { Line } from './line.ts';
import type { Replicated } from './replicated.ts';
import type { Takeovers } from './takeovers.ts';

export interface Breakable {
  readonly daemons: Daemons;
  /** Of each daemon to PostgreSQL. */
  readonly lines: ReadonlyMap<string, Line>;
  readonly postgres: Replicated;
  readonly redis: Pick<TestRedis, 'kill' | 'revive'> & { readonly connection: Redis };
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

/** One daemon is as good as dead for longer than its leases. */
async function lost(on: Breakable, fault: string, stop: (machine: Machine) => void, goOn: (machine: Machine) => void) {
  const machine = anyOf(on);
  await on.takeovers.expect(fault, machine.daemon.process.pid ?? 0);
  stop(machine);
  await sleep(on.luck.whole(...PAST_LEASE_MS));
  goOn(machine);
}

/** Each strikes once before any strikes again. */
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
      await redis.kill();
      await sleep(SHORTLY_MS);
      await redis.revive();
    },
  },
  { name: 'Redis wiped', strike: async ({ redis }) => void (await redis.connection.flushall()) },
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
