import type { CallFailure } from '../../domain/failure.ts';
import type { Bench, Uses } from './bench.ts';

/** A promise of a connection that the program relies on, and its proof. */
export interface Check {
  /** For tables and programs: `orders-since`. */
  readonly name: string;
  readonly promise: string;
  /** reads: changes nothing. writes: creates and cancels orders. lasting: creates records that stay. */
  readonly effect: 'reads' | 'writes' | 'lasting';
  /** Whether it concerns this connection. The default is yes. */
  readonly about?: (bench: Bench) => boolean;
  /** The part of the interface that it proves. It is skipped where the account does not use that part. */
  readonly part?: keyof Uses;
  /** Called before `run`: why it cannot be proven here, as text after "not tested: "; null: it can. */
  readonly untested?: (bench: Bench) => string | null;
  /**
   * May return a measurement for people.
   * @throws BrokenPromise, CallFailure, NotTestable
   */
  readonly run: (bench: Bench) => Promise<string | void>;
}

export type Finding = Pick<Check, 'name' | 'promise'> &
  (
    | { readonly result: 'kept'; readonly measured: string | null }
    /** `isDown`: the ERP stopped answering. */
    | { readonly result: 'not-tested'; readonly because: string; readonly isDown: boolean }
    | {
        readonly result: 'broken';
        readonly expected: string;
        readonly came: string;
        /** null: `came` already says it. */
        readonly mend: string | null;
        /** The failed call's kind; null: all calls were answered. */
        readonly kind: CallFailure['kind'] | null;
        /** The last exchange, shortened; null: the connection shows none. */
        readonly heard: { readonly sent: string; readonly answer: string } | null;
      }
  );
