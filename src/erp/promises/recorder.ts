import type { Cut, Wire, WireExchange } from '../wire.ts';

/** Remembers what goes over a connection, and breaks it at a chosen call. */
export interface Recorder {
  readonly wire: Wire;
  /** The exchanges since `work` began. */
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seen: readonly WireExchange[] }>;
  /** Breaks the connection at the next write call but `after`. Answers the call that was hit, once it was; null before. */
  breakAt(after: number, cut: Cut): () => string | null;
  /** Calls are neither counted nor broken until the answer is called. */
  hold(): () => void;
  /** No call is broken any more. */
  mend(): void;
}

/** So many exchanges are remembered: those of one look-up, not of a whole list. */
const MOST = 100;

export function createRecorder(): Recorder {
  let seen: WireExchange[] | null = null;
  let armed: { left: number; readonly cut: Cut; hit: string | null } | null = null;
  return {
    wire: {
      saw: (exchange) => {
        if (seen !== null && seen.length < MOST) seen.push(exchange);
      },
      cut(operation) {
        if (armed === null || armed.hit !== null) return null;
        if (armed.left > 0) {
          armed.left -= 1;
          return null;
        }
        armed.hit = operation;
        return armed.cut;
      },
    },
    async during(work) {
      const exchanges: WireExchange[] = [];
      seen = exchanges;
      try {
        return { result: await work(), seen: exchanges };
      } finally {
        seen = null;
      }
    },
    breakAt(after, cut) {
      const trap = { left: after, cut, hit: null as string | null };
      armed = trap;
      return () => trap.hit;
    },
    hold() {
      const held = armed;
      armed = null;
      return () => {
        armed = held;
      };
    },
    mend() {
      armed = null;
    },
  };
}
