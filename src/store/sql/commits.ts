import type { Database as Sqlite } from 'better-sqlite3';

/** At most so many pieces of work share a commit. The jobs that run at once bound the callers. */
const MAX_TOGETHER = 256;
/** Work waits at most so many turns of the loop for more of it. */
const MAX_TURNS = 8;

interface Waiting<Tx> {
  readonly work: (tx: Tx) => unknown;
  /** Its caller gets the result only when it is on the disk. */
  readonly isDurable: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = { readonly value: unknown } | { readonly error: unknown };

/**
 * Bringing a commit to the disk takes longer than all the rest, so work that is asked for at about the same time shares one.
 * Each piece of work is stored completely or not at all, whatever happens to the others.
 * @param tx the transaction of a piece of work, on the connection `sqlite`
 */
export function createCommits<Tx>(sqlite: Sqlite, tx: Tx) {
  let waiting: Waiting<Tx>[] = [];
  let isFull: boolean | null = null;
  // Inside a transaction, this is a savepoint.
  const alone = sqlite.transaction((work: Waiting<Tx>['work']) => work(tx));
  const together = sqlite.transaction((batch: readonly Waiting<Tx>[]) => batch.map(({ work }) => attempt(work)));

  function attempt(work: Waiting<Tx>['work']): Outcome {
    try {
      return { value: alone(work) };
    } catch (error) {
      // On a full disk, SQLite gives up everything since the last commit.
      if (!sqlite.inTransaction) throw error;
      return { error };
    }
  }

  function ask<Result>(work: (inside: Tx) => Result, isDurable: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(gather, 0, 0);
      waiting.push({ work, isDurable, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /** What one turn of the loop reads from the network often asks for work in the next turn. */
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

  /**
   * Takes the writer's lock at its start: a transaction that reads first and writes later fails when another process wrote in
   * between.
   */
  function commit(batch: readonly Waiting<Tx>[]): void {
    let outcomes: Outcome[];
    try {
      waitForDisk(batch.some(({ isDurable }) => isDurable));
      outcomes = together.immediate(batch);
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

  function waitForDisk(full: boolean): void {
    if (isFull === full) return;
    sqlite.exec(`pragma synchronous = ${full ? 'full' : 'normal'}`);
    isFull = full;
  }

  return {
    /** @throws the error of `work`, or SQLite's error when the commit fails */
    transaction: <Result>(work: (inside: Tx) => Result) => ask(work, true),
    /** Does not wait for the disk by itself. A log is folded in only after it has reached the disk. */
    note: <Result>(work: (inside: Tx) => Result) => ask(work, false),
    /** Commits the waiting work now. */
    commitAll,
  };
}
