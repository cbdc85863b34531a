import type { Chance } from '../../src/sandbox/chance.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { createLeaseLaw } from './lease-law.ts';
import type { Staff, StaffParts } from './staff.ts';

const NAMES = ['first', 'second'] as const;
/** How long a daemon is away, stands still or is cut off: shorter and longer than a lease. */
const AWAY_MS = [100, 1_500, 12_000] as const;
const STILL_MS = [400, 3_000, 7_500, 9_500, 12_000, 20_000] as const;
export const LONGEST_STILL_MS = 20_000;

/** The fate of the daemon that comes to the effect after so many. */
interface Doom {
  effects: number;
  befalls(daemon: Daemon): void;
}

/** Two daemons that share a database, and the account between them. */
export interface Together extends Staff {
  /** Lets a daemon stand still for a while, and then go on as if nothing had happened. Returns the words for it. */
  pause(luck: Chance): string;
  /** The same for the next daemon that comes to an effect. */
  pauseWithin(luck: Chance): string;
  /** Cuts a daemon off from the database for a while. */
  cut(luck: Chance): string;
  /** Tells a daemon to end. */
  leave(luck: Chance): string;
}

export function workTogether(parts: StaffParts, broken: string[]): Together {
  const { clock, luck, say, strike } = parts;
  const daemons = new Map<string, Daemon>();
  const law = createLeaseLaw(parts.disk, broken);
  let connections = 0;
  let lives = 0;
  let polling = true;
  let doom: Doom | null = null;

  const start = (name: string): void => {
    if (daemons.has(name)) return;
    lives += 1;
    const daemon = startDaemon({
      ...parts,
      name,
      id: `${name} ${lives}`,
      law,
      nextConnection: () => connections++,
      isPolling: () => polling,
      onEffect(at) {
        if (doom === null) return;
        doom.effects -= 1;
        if (doom.effects >= 0) return;
        const { befalls } = doom;
        doom = null;
        befalls(at);
      },
      // The queue is in Redis, so it is there without any daemon.
      nudge(job) {
        for (const { program, work } of daemons.values()) program.run(() => void work()?.bridge.queue.enqueue([job]));
      },
      onEnd() {
        daemons.delete(name);
        parts.onKilled();
        clock.after(luck.pick(AWAY_MS), () => start(name));
      },
    });
    daemons.set(name, daemon);
  };
  const still = (daemon: Daemon, forMs: number): void => {
    daemon.program.pause();
    clock.after(forMs, () => daemon.program.resume());
  };
  const working = () => [...daemons.values()].find((one) => one.work()?.holds() === true) ?? null;
  /** The victim is mostly the daemon that works the account. */
  const victim = (of: Chance): Daemon | null => {
    const all = [...daemons.values()].filter(({ program }) => !program.isPaused());
    const by = working();
    return by !== null && all.includes(by) && of.whole(1, 4) > 1 ? by : (all[0] ?? null);
  };
  const befall = (of: Chance, fault: string, how: (daemon: Daemon) => string): string => {
    const daemon = victim(of);
    if (daemon === null) return 'nobody is there';
    strike(fault);
    return `${daemon.name} ${how(daemon)}`;
  };

  return {
    start: () => NAMES.forEach(start),
    bridge: () => working()?.work()?.bridge ?? null,
    async receive(...delivery) {
      const [one, ...rest] = [...daemons.values()].filter(({ program, isCut }) => !program.isPaused() && !isCut());
      return one === undefined ? null : luck.pick([one, ...rest]).receive(...delivery);
    },
    kill: () => working()?.kill(),
    killAfter(effects) {
      const kill = (daemon: Daemon) => {
        strike('killed at an effect');
        daemon.kill();
      };
      doom = effects === null ? null : { effects, befalls: kill };
    },
    stopPolling() {
      polling = false;
      for (const { work } of daemons.values()) work()?.bridge.stopPolling();
    },
    wipeQueues() {
      for (const { work } of daemons.values()) work()?.bridge.queue.wipe();
    },
    knowsCallsSinceMs: () => null,
    pause: (of) =>
      befall(of, 'daemon stood still', (daemon) => {
        const forMs = of.pick(STILL_MS);
        still(daemon, forMs);
        return `stands still for ${forMs} ms`;
      }),
    pauseWithin(of) {
      const forMs = of.pick(STILL_MS);
      const effects = of.whole(0, 12);
      doom = {
        effects,
        befalls(daemon) {
          strike('daemon stood still at an effect');
          say(`${daemon.name} stands still for ${forMs} ms`);
          still(daemon, forMs);
        },
      };
      return `one will stand still after ${effects} effects`;
    },
    cut: (of) =>
      befall(of, 'daemon cut off from the database', (daemon) => {
        const forMs = of.pick(STILL_MS);
        daemon.cut(clock.nowMs() + forMs);
        return `is cut off from the database for ${forMs} ms`;
      }),
    leave: (of) =>
      befall(of, 'daemon told to end', (daemon) => {
        daemon.leave();
        return 'has to end';
      }),
  };
}
