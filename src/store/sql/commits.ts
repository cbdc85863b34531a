import { StoreError } from '../store-error.ts';
import type { Scope } from './database.ts';

/** At most this many pieces of work share a commit. The number of jobs that run at once bounds the number of callers. */
const MAX_TOGETHER = 256;
/** Work waits at most this many turns of the loop for more work. */
const MAX_TURNS = 8;

/** How a database begins, ends and gives up transactions. */
export interface CommitEngine {
  /**
   * Runs this in one transaction of its own. May run it again from the beginning, when the database gave the transaction up.
   * @param isDurable the commit waits for the disk
   */
  together<Result>(run: () => Result, how: { readonly isDurable: boolean; readonly scopes: readonly Scope[] }): Result;
  /** Runs a piece of work inside the transaction. When it throws, nothing of it stays. */
  alone<Result>(run: () => Result): Result;
  /** After this error of a piece of work, nothing of the transaction is left. */
  isOver(error: unknown): boolean;
}

interface Waiting<Tx> {
  readonly work: (tx: Tx) => unknown;
  /** The caller gets the result only when the work is on the disk. */
  readonly isDurable: boolean;
  readonly scope: Scope;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Gives up a transaction without savepoints. No row is at fault: what is, shows when all of it runs again. */
class PieceFailed extends StoreError {}

/**
 * Runs pieces of work in one transaction. Pieces hardly ever fail, so they first run without savepoints. After a failure all of them run
 * again, each in its savepoint.
 */
function createPieces<Tx>(engine: CommitEngine, tx: Tx) {
  let withSavepoints = false;
  let failedParts = 0;

  function attempt(work: Waiting<Tx>['work']): Outcome {
    try {
      return { value: withSavepoints ? engine.alone(() => work(tx)) : work(tx) };
    } catch (error) {
      if (error instanceof PieceFailed || engine.isOver(error)) throw error;
      if (!withSavepoints) throw new PieceFailed();
      return { error };
    }
  }

  /** When the only piece fails, its transaction does. */
  const outcomesOf = (batch: readonly Waiting<Tx>[]): Outcome[] => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return [{ value: first.work(tx) }];
    return batch.map(({ work }) => attempt(work));
  };

  /** Answers null when a piece needs its savepoint. Nothing of the transaction is left then. */
  function tryAll(batch: readonly Waiting<Tx>[], isCareful: boolean): Outcome[] | null {
    const run = () => {
      withSavepoints = isCareful;
      failedParts = 0;
      const outcomes = outcomesOf(batch);
      if (failedParts > 0) throw new PieceFailed();
      return outcomes;
    };
    const isDurable = batch.some((one) => one.isDurable);
    try {
      return engine.together(run, { isDurable, scopes: batch.map(({ scope }) => scope) });
    } catch (error) {
      if (error instanceof PieceFailed) return null;
      throw error;
    }
  }

  return {
    runAll: (batch: readonly Waiting<Tx>[]) => tryAll(batch, false) ?? tryAll(batch, true) ?? [],
    apart<Result>(run: () => Result): Result {
      if (withSavepoints) return engine.alone(run);
      try {
        return run();
      } catch {
        // Nothing more may run: after some errors, SQLite has ended the transaction, and would commit each further statement.
        failedParts += 1;
        throw new PieceFailed();
      }
    },
  };
}

/**
 * The disk takes longer for a commit than all the rest. So work that is asked for at about the same time shares a commit.
 * Each piece of work is stored completely or not at all, independently of the other pieces.
 * @param tx the transaction of a piece of work, on the connection of the engine
 */
export function createCommits<Tx>(engine: CommitEngine, tx: Tx) {
  let waiting: Waiting<Tx>[] = [];
  const { runAll, apart } = createPieces(engine, tx);

  function ask<Result>(work: (inside: Tx) => Result, isDurable: boolean, scope: Scope): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(gather, 0, 0);
      waiting.push({ work, isDurable, scope, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** A read from the network in one turn of the loop often asks for work in the next turn. */
  function gather(turns: number, before: number): void {
    if (turns < MAX_TURNS && waiting.length > before) setImmediate(gather, turns + 1, waiting.length);
    else commitAll();
  }

  function commitAll(): void {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_TOGETHER);
      waiting = waiting.slice(MAX_TOGETHER);
      commit(batch);
    }
  }

  function commit(batch: readonly Waiting<Tx>[]): void {
    let outcomes: Outcome[];
    try {
      outcomes = runAll(batch);
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return;
    }
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined && 'value' in outcome) resolve(outcome.value);
      else reject(outcome?.error);
    }
  }

  return {
    /** @throws the error of `work`, or the database's error when the commit fails */
    transaction: <Result>(work: (inside: Tx) => Result, scope: Scope = 'all') => ask(work, true, scope),
    /** Does not wait for the disk. A note reaches the disk with the next transaction at the latest. */
    note: <Result>(work: (inside: Tx) => Result, scope: Scope = 'all') => ask(work, false, scope),
    /** Runs a part of a piece of work. When it throws, nothing of the part stays, and the piece may go on. */
    apart,
    /** Commits the waiting work now. */
    commitAll,
  };
}
