import type { Cut, Wire, WireExchange } from '../wire.ts';

/** Records a connection's exchanges, and breaks a chosen call. */
export interface Recorder {
  readonly wire: Wire;
  during<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seen: readonly WireExchange[] }>;
  /** Breaks a write call after `after` others. The returned function names it; null: not yet. */
  breakAt(after: number, cut: Cut): () => string | null;
  /** Calls are neither counted nor broken until the returned function is called. */
  hold(): () => void;
  mend(): void;
  /** The last exchange since `forget`; null: none. */
  last(): WireExchange | null;
  forget(): void;
}

/** Enough for one look-up, not for a whole list. */
const MOST = 100;

export function createRecorder(): Recorder {
  let seen: WireExchange[] | null = null;
  let last: WireExchange | null = null;
  let armed: { left: number; readonly cut: Cut; hit: string | null } | null = null;
  return {
    wire: {
      saw: (exchange) => {
        last = exchange;
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
    last: () => last,
    forget() {
      last = null;
    },
  };
}
