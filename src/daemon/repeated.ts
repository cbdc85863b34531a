import type { Log } from '../logging/logging.ts';

/** Work repeated every `everyMs`. Skipped while the previous run has not ended. */
interface Repeated {
  readonly task: string;
  readonly everyMs: number;
  readonly atOnce?: () => Promise<unknown>;
  readonly work: () => Promise<unknown>;
}

/**
 * A failed task is logged, and tried again at its next time. Failures at the stop are not logged, because parts are
 * being closed.
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
