import type { Log } from '../logging.ts';

/** Work that comes again and again, each time after `everyMs`, unless the last time has not ended. */
export interface Repeated {
  /** As the log names it. */
  readonly task: string;
  readonly everyMs: number;
  readonly atOnce?: () => Promise<unknown>;
  readonly work: () => Promise<unknown>;
}

/**
 * Repeats tasks beside each other. One that fails is told and tried again at its next time. What is under way at the stop fails
 * because its parts are closed under it, which nobody is told.
 */
export function repeat(log: Log, facts: { readonly account?: string }, tasks: readonly Repeated[]): { stop(): void } {
  let over = false;
  const timers = tasks.map(({ task, everyMs, atOnce, work }) => {
    let running = false;
    const begin = async (run: () => Promise<unknown>): Promise<void> => {
      if (running) return;
      running = true;
      await run()
        .catch((error: unknown) => {
          if (!over) log.warn({ ...facts, task, err: error }, 'a task did not succeed');
        })
        .finally(() => {
          running = false;
        });
    };
    if (atOnce !== undefined) void begin(atOnce);
    return setInterval(() => void begin(work), everyMs);
  });
  return {
    stop() {
      over = true;
      for (const timer of timers) clearInterval(timer);
    },
  };
}
