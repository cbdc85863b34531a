import type { Log } from '../logging/logging.ts';

/** Work that is repeated every `everyMs`. A time is left out while the previous run has not ended. */
interface Repeated {
  /** The name of the task in the log. */
  readonly task: string;
  readonly everyMs: number;
  readonly atOnce?: () => Promise<unknown>;
  readonly work: () => Promise<unknown>;
}

/**
 * Repeats tasks independently of each other. The failure of a task is logged, and the task is tried again at its next time. A
 * task that is under way at the stop may fail because its parts are closed. Such a failure is not logged.
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
