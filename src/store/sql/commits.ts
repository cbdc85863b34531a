import { StoreError } from '../store-error.ts';
import type { Scope } from './database.ts';

/** The most pieces of work per commit. The number of concurrent jobs bounds the callers. */
const MAX_TOGETHER = 256;
/** The most turns of the event loop that work waits for more work. */
const MAX_TURNS = 8;

export interface CommitEngine {
  /**
   * May run `run` again if the database aborted the transaction.
   * @param isDurable callers are answered once the commit is on the disk
   */
  together<Result>(run: () => Result, how: { readonly isDurable: boolean; readonly scopes: readonly Scope[] }): Result;
  /** Waits until all commits so far are on the disk. An engine without it does so inside `together`, or never. */
  toDisk?(): Promise<void>;
  /** If a piece of work throws, none of it is kept. */
  alone<Result>(run: () => Result): Result;
  /** Has this error of a piece ended the whole transaction? */
  isOver(error: unknown): boolean;
}

interface Waiting<Tx> {
  readonly work: (tx: Tx) => unknown;
  /** The caller gets the result only once it is on disk. */
  readonly isDurable: boolean;
  readonly scope: Scope;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/** Aborts a transaction without savepoints. Which row is at fault shows when all of it runs again. */
class PieceFailed extends StoreError {}

/**
 * Runs pieces of work in one transaction, first without savepoints, because they rarely fail. After a failure, all run
 * again with one savepoint each.
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

  /** If the only piece fails, so does its transaction. */
  const outcomesOf = (batch: readonly Waiting<Tx>[]): Outcome[] => {
    const [first, ...others] = batch;
    if (first !== undefined && others.length === 0) return [{ value: first.work(tx) }];
    return batch.map(({ work }) => attempt(work));
  };

  /** Returns null if a piece needs a savepoint. The transaction is then rolled back. */
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
        // Nothing more may run: after some errors SQLite has ended the transaction and would commit each further
        // statement by itself.
        failedParts += 1;
        throw new PieceFailed();
      }
    },
  };
}

interface Committed {
  readonly answer: () => void;
  readonly reject: (error: unknown) => void;
}

/** Answers the callers of durable work once it is on the disk. All that wait share one call of `toDisk`. */
function createDiskWait(toDisk: CommitEngine['toDisk']) {
  let waiting: Committed[] = [];
  let isWaiting = false;

  async function bring(ask: () => Promise<void>): Promise<void> {
    isWaiting = true;
    while (waiting.length > 0) {
      const committed = waiting;
      waiting = [];
      try {
        await ask();
        for (const { answer } of committed) answer();
      } catch (error) {
        for (const { reject } of committed) reject(error);
      }
    }
    isWaiting = false;
  }

  return (answer: () => void, reject: (error: unknown) => void): void => {
    if (toDisk === undefined) {
      answer();
      return;
    }
    waiting.push({ answer, reject });
    if (!isWaiting) void bring(toDisk);
  };
}

/**
 * Groups work into shared commits, because the disk is the slowest part. Each piece is stored completely or not at all.
 * @param tx the transaction on the engine's connection
 */
export function createCommits<Tx>(engine: CommitEngine, tx: Tx) {
  let waiting: Waiting<Tx>[] = [];
  const whenOnDisk = createDiskWait(engine.toDisk);
  const { runAll, apart } = createPieces(engine, tx);

  function ask<Result>(work: (inside: Tx) => Result, isDurable: boolean, scope: Scope): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(gather, 0, 0);
      waiting.push({ work, isDurable, scope, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** A network read in one turn of the event loop often asks for work in the next turn. */
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
    for (const [index, { isDurable, resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || 'error' in outcome) reject(outcome?.error);
      else if (isDurable) whenOnDisk(() => resolve(outcome.value), reject);
      else resolve(outcome.value);
    }
  }

  return {
    /** @throws the error of `work`, or the database's error when the commit fails */
    transaction: <Result>(work: (inside: Tx) => Result, scope: Scope = 'all') => ask(work, true, scope),
    /** Does not wait for the disk. A note reaches it with the next transaction at the latest. */
    note: <Result>(work: (inside: Tx) => Result, scope: Scope = 'all') => ask(work, false, scope),
    /** Runs a part of a piece. If it throws, the part is rolled back and the piece may continue. */
    apart,
    commitAll,
  };
}
