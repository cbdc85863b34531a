import { withLeaseGuard } from '../../src/core/accounts.ts';
import type { Begin } from '../../src/daemon/account-leases.ts';
import { type OwnedAccounts, shareAccounts } from '../../src/daemon/owned-accounts.ts';
import type { Job } from '../../src/daemon/queue/queue.ts';
import { startPruning } from '../../src/daemon/worker/housekeeping.ts';
import type { Governor } from '../../src/marketplace/quota.ts';
import { PostgresError } from '../../src/store/postgres/postgres-error.ts';
import { createStore } from '../../src/store/sql/store.ts';
import { type Bridge, openReceiver, type Receive, startBridge } from './bridge.ts';
import type { Program } from './clock.ts';
import { connect } from './disk.ts';
import type { createLeaseLaw } from './lease-law.ts';
import type { Running } from './running.ts';
import type { StaffParts } from './staff.ts';

/** The time that work in progress has when a daemon ends. */
const STOP_LIMIT_MS = 5_000;
/** A daemon that cannot reach the database gives up its query after this time (src/store/postgres/commit-engine.ts). */
const UNREACHED_LIMIT_MS = 7_000;
const LOOK_EVERY_MS = 100;
const UNREACHED = { message: 'it does not answer', code: null };

export interface DaemonParts extends StaffParts {
  readonly name: string;
  /** The id of this life of the daemon. */
  readonly id: string;
  /** The number of the next connection. Each life has several connections. */
  readonly nextConnection: () => number;
  readonly law: ReturnType<typeof createLeaseLaw>;
  /** Called when the daemon comes to an effect. */
  readonly onEffect: (daemon: Daemon) => void;
  /** Puts a job on the account's queue. Any daemon may work it. */
  readonly nudge: (job: Job) => void;
  readonly isPolling: () => boolean;
  /** Called when this life is over, killed or not. */
  readonly onEnd: () => void;
}

/** One life of a daemon among those that share the account. */
export interface Daemon {
  readonly name: string;
  readonly program: Program;
  /** The work on the account that has begun and not ended; null: none. Its lease may be over. */
  work(): { readonly bridge: Bridge; holds(): boolean } | null;
  readonly receive: Receive;
  /** The daemon cannot reach its database until then. */
  cut(untilMs: number): void;
  isCut(): boolean;
  kill(): void;
  /** Hands the account over, and ends. */
  leave(): void;
}

export function startDaemon(parts: DaemonParts): Daemon {
  const { clock, config, disk, log, name, law, say } = parts;
  const program = clock.program();
  let isAlive = true;
  let cutUntilMs = 0;
  let owned: Promise<OwnedAccounts> | null = null;
  let work: { readonly bridge: Bridge; holds(): boolean } | null = null;
  let governor: Governor;

  const isCut = () => clock.nowMs() < cutUntilMs;
  const running: Running = {
    program,
    alive: () => isAlive,
    effect: () => void (isAlive && parts.onEffect(self)),
    reached: () => (isCut() ? reached(isCut) : null),
  };
  const open = (onCommit = () => {}) => connect(disk, parts.nextConnection(), running, { isAlone: false, onCommit });
  const end = (how: string): void => {
    if (!isAlive) return;
    isAlive = false;
    work = null;
    program.kill();
    say(`${name} ${how}`);
    parts.onEnd();
  };
  const begin: Begin = async (account, { fence, holds }) => {
    if (fence === null) throw new Error('nobody else can have it');
    if (account === '') {
      const store = createStore(open(), Date.now, { account, fence });
      const pruning = startPruning(config, { store, giveBackSpace: () => {} }, log);
      return { stop: async () => pruning.stop() };
    }
    const store = createStore(
      open(() => law.committed(fence)),
      Date.now,
      { account, fence },
    );
    const { onSend, onAnswered } = parts.wire(() => isAlive && holds() && !program.isPaused() && !isCut());
    const wire: ReturnType<StaffParts['wire']> = {
      onSend(side, request) {
        if (request.method !== 'GET') law.sent(fence, request);
        return onSend(side, request);
      },
      onAnswered,
    };
    const bridge = startBridge({
      ...parts,
      running,
      store,
      maySend: holds,
      wire,
      governor: withLeaseGuard(governor, holds),
    });
    if (!parts.isPolling()) bridge.stopPolling();
    const mine = { bridge, holds };
    work = mine;
    say(`${name} works the account under lease ${fence}`);
    return {
      async stop(limitMs) {
        await bridge.stop(limitMs);
        if (work === mine) work = null;
      },
    };
  };

  const store = createStore(open(), Date.now);
  const receive = program.run(() => openReceiver({ config, store, log, nudge: parts.nudge }));
  const self: Daemon = {
    name,
    program,
    work: () => work,
    receive: (...delivery) => program.run(() => receive(...delivery)),
    cut(untilMs) {
      cutUntilMs = untilMs;
    },
    isCut,
    kill: () => end('is killed'),
    leave() {
      say(`${name} is told to end`);
      const stop = async () => (await owned)?.stop(STOP_LIMIT_MS);
      void program.run(stop).then(() => end('has ended'));
    },
  };
  program.run(() => {
    governor = parts.governor();
    const { leases } = createStore(open(), Date.now);
    const accounts = () => [{ name: 'main', daemons: null, settings: 'the only one', problem: null }];
    owned = shareAccounts({ id: parts.id, leases, name, accounts, begin, log });
  });
  say(`${name} starts`);
  return self;
}

async function reached(isCut: () => boolean): Promise<void> {
  for (let waitedMs = 0; isCut(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= UNREACHED_LIMIT_MS) throw new PostgresError(UNREACHED, null);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
