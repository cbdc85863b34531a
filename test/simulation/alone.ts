import { startPruning } from '../../src/daemon/worker/housekeeping.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { type Bridge, openReceiver, type Receive, startBridge } from './bridge.ts';
import { connect } from './disk.ts';
import type { Running } from './running.ts';
import type { Staff, StaffParts } from './staff.ts';

/** How long the program is away after it was killed. */
export const MAX_DOWN_MS = 1_500;

/** One process that works the account alone, and is started again whenever it was killed. */
export function workAlone(parts: StaffParts): Staff & {
  /** Ends the program, and starts it again after `work`. */
  whileAway<Result>(work: () => Promise<Result>): Promise<Result>;
} {
  const { clock, config, disk, luck, log, say } = parts;
  const program = clock.program();
  let life: { readonly bridge: Bridge; readonly receive: Receive; readonly sinceMs: number; kill(): void } | null =
    null;
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
    const bridge = startBridge({ ...parts, running, store, maySend: () => true, wire, governor: parts.governor() });
    startPruning(config, { store, giveBackSpace: () => {} }, log);
    const receive = openReceiver({ config, store, log, nudge: (job) => void bridge.queue.enqueue([job]) });
    life = { bridge, receive, sinceMs: clock.nowMs(), kill };
    lives += 1;
    if (!polling) bridge.stopPolling();
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
