import { NotFound } from './faults.ts';

type TaskKind = 'plan' | 'apply' | 'replay';

/** Work that continues after its request was answered. Times are epoch milliseconds. */
export interface Task {
  readonly id: number;
  readonly account: string;
  readonly kind: TaskKind;
  /** Who asked for it. */
  readonly by: string;
  readonly beganAtMs: number;
  readonly endedAtMs: number | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** The current or last step. */
  readonly step: string;
  readonly done: number;
  /** null: unknown. */
  readonly total: number | null;
  /** The result or failure in a sentence; null: running. */
  readonly said: string | null;
  /** The plan made or applied. */
  readonly plan: number | null;
}

/** The signal that ends a task, and its progress function. */
export interface TaskRun {
  readonly signal: AbortSignal;
  progress(step: string, done: number, total?: number | null): void;
}

interface TaskResult {
  readonly said: string;
  readonly plan?: number;
}

/** Another task of the account is running. */
export class TaskRunning extends Error {
  override readonly name = 'TaskRunning';
}

/** One task at a time for each account, with a time limit. Keeps the last few. */
export interface Tasks {
  /** @throws TaskRunning */
  start(of: Pick<Task, 'account' | 'kind' | 'by'>, work: (run: TaskRun) => Promise<TaskResult>): Task;
  /** Newest first. */
  of(account: string): readonly Task[];
  /** Stops a task. @throws NotFound when it is not running */
  cancel(account: string, id: number): Task;
  /** Ends all running tasks. */
  stop(): Promise<void>;
}

const KEPT = 10;
const LONGEST_MS = 60 * 60_000;

interface Running {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** @param onFailure called for a fault of our own */
export function createTasks(now: () => number, onFailure: (error: unknown) => void): Tasks {
  const known = new Map<string, Task[]>();
  const running = new Map<number, Running>();
  let lastId = 0;
  const of = (account: string): readonly Task[] => known.get(account) ?? [];
  const change = (task: Task, by: Partial<Task>): void => {
    const tasks = of(task.account).map((one) => (one.id === task.id ? { ...one, ...by } : one));
    known.set(task.account, tasks);
  };
  const run = async (task: Task, signal: AbortSignal, work: (run: TaskRun) => Promise<TaskResult>): Promise<void> => {
    const progress: TaskRun['progress'] = (step, done, total = null) => change(task, { step, done, total });
    try {
      const { said, plan = null } = await work({ signal, progress });
      change(task, { state: 'done', said, plan });
    } catch (error) {
      if (signal.aborted) change(task, { state: 'cancelled', said: String(signal.reason) });
      else {
        onFailure(error);
        change(task, { state: 'failed', said: error instanceof Error ? error.message : String(error) });
      }
    } finally {
      change(task, { endedAtMs: now() });
      running.delete(task.id);
    }
  };
  return {
    of,
    start(asked, work) {
      const { account } = asked;
      const before = of(account).find(({ state }) => state === 'running');
      if (before !== undefined) {
        throw new TaskRunning(
          `a ${before.kind} of ${account} runs, begun by ${before.by}: wait for its end, or cancel it`,
        );
      }
      lastId += 1;
      const begun = { state: 'running', step: 'begins', done: 0, total: null, said: null, plan: null } as const;
      const task: Task = { id: lastId, ...asked, ...begun, beganAtMs: now(), endedAtMs: null };
      known.set(account, [task, ...of(account)].slice(0, KEPT));
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort('It took too long and was ended.'), LONGEST_MS);
      const ended = run(task, abort.signal, work).finally(() => clearTimeout(timer));
      if (of(account)[0]?.state === 'running') running.set(task.id, { abort, ended });
      return task;
    },
    cancel(account, id) {
      const task = of(account).find((one) => one.id === id);
      const its = running.get(id);
      if (task === undefined || its === undefined) throw new NotFound(`no task ${id} of ${account} runs`);
      its.abort.abort('It was cancelled.');
      return task;
    },
    async stop() {
      const all = [...running.values()];
      for (const { abort } of all) abort.abort('The daemon stopped.');
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
