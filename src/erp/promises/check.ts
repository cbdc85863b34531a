import type { CallFailure } from '../../domain/failure.ts';
import type { Bench, Uses } from './bench.ts';

/** One promise of a connection that the bridge relies on, and the proof of it. */
export interface Check {
  /** A name for tables and programs: `orders-since`. */
  readonly name: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** reads: changes nothing. writes: creates orders and cancels them. lasting: creates records that cannot be taken back. */
  readonly effect: 'reads' | 'writes' | 'lasting';
  /** The kind of connections that it is about; every one when left out. The check of another connection leaves it out. */
  readonly about?: (bench: Bench) => boolean;
  /** The part of the interface that it proves. It is tested only where the account uses that part. */
  readonly part?: keyof Uses;
  /** The reason why the promise cannot be proven here, as the text after "not tested: "; else null. Called before `run`. */
  readonly untested?: (bench: Bench) => string | null;
  /**
   * Proves the promise. May return a measurement for people.
   * @throws BrokenPromise; CallFailure of a call; CannotTell
   */
  readonly run: (bench: Bench) => Promise<string | void>;
}

/** The result of one check. */
export type Finding = Pick<Check, 'name' | 'promise'> &
  (
    | { readonly result: 'kept'; readonly measured: string | null }
    /** `isDown`: the ERP does not answer any more. */
    | { readonly result: 'not-tested'; readonly because: string; readonly isDown: boolean }
    | {
        readonly result: 'broken';
        readonly expected: string;
        readonly came: string;
        /** null: `came` says it already. */
        readonly mend: string | null;
        /** The kind of a call's failure; null when the calls were answered. */
        readonly kind: CallFailure['kind'] | null;
        /** The last exchange before that, shortened; null when the connection shows none. */
        readonly heard: { readonly sent: string; readonly answer: string } | null;
      }
  );
