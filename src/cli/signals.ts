import { constants } from 'node:os';

/** A signal came before the end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

interface Stopping {
  /** Aborted by the first SIGTERM or SIGINT, whose name is the reason. */
  readonly signal: AbortSignal;
  /** Settles on that signal. */
  readonly told: Promise<void>;
  /** Restores the default handling. */
  off(): void;
}

/** The first SIGTERM or SIGINT asks for an orderly end, a second ends the process and its children. */
export function stopOnSignals(): Stopping {
  const controller = new AbortController();
  const { promise: told, resolve } = Promise.withResolvers<void>();
  const hear = (name: (typeof SIGNALS)[number]): void => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name]);
    controller.abort(name);
    resolve();
  };
  for (const name of SIGNALS) process.on(name, hear);
  return {
    signal: controller.signal,
    told,
    off: () => {
      for (const name of SIGNALS) process.off(name, hear);
    },
  };
}

const LINGER_MS = 500;

/**
 * Runs work that ends by itself and closes what it opened when `signal` aborts.
 * @throws Interrupted when it was stopped
 */
export async function interruptibly<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, off } = stopOnSignals();
  try {
    const result = await work(signal);
    if (!signal.aborted) return result;
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    off();
  }
  // Unread output would keep the process alive. The exit code is set by then.
  setTimeout(() => process.exit(), LINGER_MS).unref();
  throw new Interrupted(`stopped by ${String(signal.reason)} before the end: start it again`);
}
