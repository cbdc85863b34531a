import type { CallFailure } from '../../domain/failure.ts';
import type { Bench } from './bench.ts';

/** One promise of a connection that the bridge relies on, and how it is proven. */
export interface Check {
  /** A name for tables and programs: `orders-since`. */
  readonly name: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** reads: changes nothing. writes: makes orders and cancels them. lasting: makes what cannot be taken back. */
  readonly effect: 'reads' | 'writes' | 'lasting';
  /** Why it cannot be proven here, as the end of "not tested: "; null when it can. Asked before `run`. */
  readonly untested?: (bench: Bench) => string | null;
  /**
   * Answers what it measured, where a person wants to know.
   * @throws BrokenPromise; CallFailure of a call; CannotTell
   */
  readonly run: (bench: Bench) => Promise<string | null>;
}

/** What became of one check. */
export type Finding = Pick<Check, 'name' | 'promise'> &
  (
    | { readonly result: 'kept'; readonly measured: string | null }
    /** `isDown`: the ERP does not answer any more. */
    | { readonly result: 'not-tested'; readonly because: string; readonly isDown: boolean }
    | {
        readonly result: 'broken';
        readonly expected: string;
        readonly came: string;
        /** null: what came says it. */
        readonly mend: string | null;
        /** The kind of a call's failure; null when the calls were answered. */
        readonly kind: CallFailure['kind'] | null;
      }
  );
