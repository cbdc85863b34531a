import type { Config } from '../../src/config/resolve.ts';
import { withLeaseGuard } from '../../src/core/accounts.ts';
import { HAND_OVER_MS } from '../../src/daemon/owned-accounts.ts';
import { startPruning } from '../../src/daemon/worker/housekeeping.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { type Bridge, openReceiver, type Receive, startBridge } from './bridge.ts';
import { connect } from './disk.ts';
import type { Running } from './running.ts';
import type { Staff, StaffParts } from './staff.ts';

/** How long the program is away after it was killed. */
export const MAX_DOWN_MS = 1_500;

interface Life {
  bridge: Bridge;
  readonly receive: Receive;
  readonly sinceMs: number;
  /** Ends the work, and begins it under the settings that are in force now. */
  beginAnew(): void;
  kill(): void;
}

/** One process that works the account alone, and is started again whenever it was killed. */
export function workAlone(parts: StaffParts): Staff & {
  /** Ends the program, and starts it again after `work`. */
  whileAway<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Puts other settings in force: the work on the account begins anew under them, in this process or in the next one. */
  workUnder(config: Config, how: 'told' | 'killed'): void;
} {
  const { clock, disk, luck, log, say } = parts;
  const program = clock.program();
  let { config } = parts;
  let life: Life | null = null;
  let lives = 0;
  let killAfter: number | null = null;
  let polling = true;
  let isAway = false;

  const start = (): void => {
    if (isAway || life !== null) return;
    program.run(() => begin());
    say('the program starts');
  };
  const begin = (): void => {
    let isAlive = true;
    const kill = (): void => {
      if (!isAlive) return;
      isAlive = false;
      killAfter = null;
      life = null;
      parts.onKilled();
      program.kill();
      say('the program is killed');
      clock.after(luck.whole(10, MAX_DOWN_MS), start);
    };
    const running: Running = {
      program,
      alive: () => isAlive,
      effect() {
        if (!isAlive || killAfter === null || (killAfter -= 1) >= 0) return;
        parts.strike('killed at an effect');
        kill();
      },
      reached: () => null,
    };
    const store = createStore(connect(disk, lives, running, { isAlone: true, onCommit: () => {} }), Date.now);
    const wire = parts.wire(() => isAlive);
    const work = () => {
      let isOver = false;
      const maySend = () => !isOver;
      const governor = withLeaseGuard(parts.governor(), maySend);
      const bridge = startBridge({ ...parts, config, running, store, maySend, wire, governor });
      if (!polling) bridge.stopPolling();
      const stop = async () => {
        await bridge.stop(HAND_OVER_MS);
        isOver = true;
      };
      return { bridge, stop };
    };
    let now = work();
    startPruning(config, { store, giveBackSpace: () => {} }, log);
    const receive = openReceiver({ config, store, log, nudge: (job) => void now.bridge.queue.enqueue([job]) });
    // One work ends before the next one begins.
    let turns = Promise.resolve();
    const beginAnew = () => {
      turns = turns.then(async () => {
        await now.stop();
        now = work();
        mine.bridge = now.bridge;
      });
    };
    const mine = { bridge: now.bridge, receive, sinceMs: clock.nowMs(), beginAnew, kill };
    life = mine;
    lives += 1;
  };

  return {
    start,
    bridge: () => life?.bridge ?? null,
    receive: async (...delivery) => {
      const now = life;
      return now === null ? null : program.run(() => now.receive(...delivery));
    },
    kill: () => life?.kill(),
    killAfter(effects) {
      killAfter = effects;
    },
    stopPolling() {
      polling = false;
      life?.bridge.stopPolling();
    },
    wipeQueues: () => life?.bridge.queue.wipe(),
    knowsCallsSinceMs: () => life?.sinceMs ?? null,
    workUnder(next, how) {
      config = next;
      if (how === 'killed') life?.kill();
      else program.run(() => life?.beginAnew());
    },
    async whileAway(work) {
      isAway = true;
      life?.kill();
      const result = await work();
      isAway = false;
      start();
      return result;
    },
  };
}
