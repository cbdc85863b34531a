import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

/**
 * Time that passes only on command. While the clock is installed, every timer and every question for the time in this process
 * uses it, without a change of the tested program.
 */
export interface Clock {
  nowMs(): number;
  /** Runs something of the world later, even if a program is killed or paused. */
  after(delayMs: number, run: () => unknown): void;
  program(): Program;
  /** Lets the next event happen, with its immediate consequences. False when no event is left. */
  step(untilMs: number): Promise<boolean>;
  /** Lets everything happen up to that moment. */
  advance(ms: number): Promise<void>;
  /** Time passes until the promise settles. @throws when it takes more than `limitMs` */
  until<T>(promise: Promise<T>, limitMs: number): Promise<T>;
  uninstall(): void;
}

/** A process that lives in this time. */
export interface Program {
  /** Runs `work` as part of the program: so all its timers and their consequences belong to the program. */
  run<Result>(work: () => Result): Result;
  /** Runs something that reaches the program later. A paused program gets it when it goes on, a killed program never. */
  after(delayMs: number, run: () => unknown): void;
  /** Kills the program: nothing that it waits for happens. */
  kill(): void;
  /** Pauses the program until it is resumed. Events that it waits for meanwhile happen then. */
  pause(): void;
  resume(): void;
  isPaused(): boolean;
  /** Settles when the program goes on. */
  resumed(): Promise<void>;
}

interface Process {
  isPaused: boolean;
  /** Called when the program goes on. */
  onResume: (() => void)[];
}

interface Waiting {
  readonly id: number;
  dueMs: number;
  readonly everyMs: number | null;
  readonly run: () => unknown;
  /** The program of the timer; null: the world, or no program. */
  readonly of: Process | null;
}

/** The most rounds of immediate consequences of one event. More rounds are a loop. */
const MAX_ROUNDS = 100_000;

export function installClock(startMs: number): Clock {
  const real = {
    setTimeout,
    setInterval,
    setImmediate,
    clearTimeout,
    clearInterval,
    clearImmediate,
    Date,
    promises: { ...timersPromises },
  };
  let nowMs = startMs;
  let lastId = 0;
  let waiting: Waiting[] = [];
  let immediates: { id: number; run: () => void; of: Process | null }[] = [];
  const running = new AsyncLocalStorage<Process>();
  const current = () => running.getStore() ?? null;
  const runAs = <Result>(of: Process | null, run: () => Result): Result => (of === null ? run() : running.run(of, run));

  const add = (delayMs: number, run: () => unknown, everyMs: number | null, of = current()): number => {
    lastId += 1;
    waiting.push({ id: lastId, dueMs: nowMs + Math.max(0, delayMs), everyMs, run, of });
    return lastId;
  };
  const addImmediate = (run: () => void): number => {
    lastId += 1;
    immediates.push({ id: lastId, run, of: current() });
    return lastId;
  };
  const drop = (handle: unknown): void => {
    const id = typeof handle === 'object' && handle !== null && 'id' in handle ? handle.id : handle;
    waiting = waiting.filter((one) => one.id !== id);
    immediates = immediates.filter((one) => one.id !== id);
  };
  const handle = (id: number) => {
    const self = { id, ref: () => self, unref: () => self, hasRef: () => true, [Symbol.toPrimitive]: () => id };
    return self;
  };
  const later = (delayMs: number | undefined, value: unknown, options?: { signal?: AbortSignal }): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      const stop = () => {
        drop(id);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted) return reject(signal.reason as Error);
      const id = add(
        delayMs ?? 1,
        () => {
          signal?.removeEventListener('abort', stop);
          resolve(value);
        },
        null,
      );
      signal?.addEventListener('abort', stop, { once: true });
    });

  class VirtualDate extends real.Date {
    constructor(...args: unknown[]) {
      super(...((args.length === 0 ? [nowMs] : args) as [number]));
    }
    static override now(): number {
      return nowMs;
    }
  }
  Object.assign(globalThis, {
    Date: VirtualDate,
    setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      handle(add(ms ?? 0, () => run(...args), null)),
    setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
      handle(add(ms ?? 1, () => run(...args), Math.max(1, ms ?? 1))),
    setImmediate: (run: (...args: unknown[]) => void, ...args: unknown[]) => handle(addImmediate(() => run(...args))),
    clearTimeout: drop,
    clearInterval: drop,
    clearImmediate: drop,
  });
  Object.defineProperty(performance, 'now', { configurable: true, writable: true, value: () => nowMs - startMs });
  Object.assign(timersPromises, {
    setTimeout: later,
    setImmediate: (value?: unknown) => new Promise((resolve) => void addImmediate(() => resolve(value))),
  });
  syncBuiltinESMExports();

  /** Runs promises first, then the work that was put off to the next turn, until neither is left. */
  const settle = async (): Promise<void> => {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      // Nothing here waits for the system, so a turn of the real loop is not needed: a tick comes when no promise is left.
      for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => process.nextTick(resolve));
      const now = immediates.filter(({ of }) => of?.isPaused !== true);
      if (now.length === 0) return;
      immediates = immediates.filter(({ of }) => of?.isPaused === true);
      for (const { run, of } of now) runAs(of, run);
    }
    throw new Error('the program does not come to rest');
  };

  const next = (): Waiting | undefined => {
    let first: Waiting | undefined;
    for (const one of waiting) {
      if (one.of?.isPaused !== true && (first === undefined || one.dueMs < first.dueMs)) first = one;
    }
    return first;
  };

  const clock: Clock = {
    nowMs: () => nowMs,
    after: (delayMs, run) => void add(delayMs, run, null, null),
    program() {
      const self: Process = { isPaused: false, onResume: [] };
      return {
        run: (work) => running.run(self, work),
        after: (delayMs, run) => void add(delayMs, run, null, self),
        kill() {
          waiting = waiting.filter(({ of }) => of !== self);
          immediates = immediates.filter(({ of }) => of !== self);
          Object.assign(self, { isPaused: false, onResume: [] });
        },
        pause: () => void (self.isPaused = true),
        resume() {
          const { onResume } = self;
          Object.assign(self, { isPaused: false, onResume: [] });
          for (const goOn of onResume) goOn();
        },
        isPaused: () => self.isPaused,
        resumed: () => new Promise((resolve) => void self.onResume.push(resolve)),
      };
    },
    async step(untilMs) {
      const first = next();
      if (first === undefined || first.dueMs > untilMs) return false;
      nowMs = Math.max(nowMs, first.dueMs);
      if (first.everyMs === null) waiting = waiting.filter((one) => one !== first);
      else {
        // The event goes behind the others that are due now.
        waiting = waiting.filter((one) => one !== first);
        first.dueMs = nowMs + first.everyMs;
        waiting.push(first);
      }
      runAs(first.of, first.run);
      await settle();
      return true;
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      while (await clock.step(untilMs));
      nowMs = untilMs;
    },
    async until(promise, limitMs) {
      const untilMs = nowMs + limitMs;
      const state = { settled: false };
      const done = promise.finally(() => {
        state.settled = true;
      });
      done.catch(() => {});
      await settle();
      for (let goesOn = true; goesOn && !state.settled; ) goesOn = await clock.step(untilMs);
      if (!state.settled) throw new Error(`it was not done within ${limitMs} ms`);
      return done;
    },
    uninstall() {
      const { promises, ...globals } = real;
      Object.assign(globalThis, globals);
      Object.assign(timersPromises, promises);
      syncBuiltinESMExports();
      Reflect.deleteProperty(performance, 'now');
    },
  };
  return clock;
}
