import { fork } from 'node:child_process';

type Functions = Record<string, (...args: never[]) => unknown>;

/** The same functions, in another process. */
export type Remote<Api extends Functions> = {
  readonly [Name in keyof Api]: (...args: Parameters<Api[Name]>) => Promise<Awaited<ReturnType<Api[Name]>>>;
};

interface Asked {
  readonly id: number;
  readonly name: string;
  readonly args: never[];
}

interface Told {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Lets the parent process call these functions. This process ends when its parent does. */
export function serve(functions: Functions): void {
  process.on('message', (asked: Asked) => {
    void (async () => {
      const told: Told = await Promise.resolve()
        .then(() => functions[asked.name]?.(...asked.args))
        .then((value) => ({ id: asked.id, value }))
        .catch((error: unknown) => ({
          id: asked.id,
          error: error instanceof Error ? String(error.stack) : String(error),
        }));
      process.send?.(told);
    })();
  });
  process.once('disconnect', () => process.exit());
}

export interface Process<Api extends Functions> {
  readonly api: Remote<Api>;
  readonly pid: number;
  end(): Promise<void>;
}

/**
 * Starts `file`, which serves `Api`, in a process of its own.
 * @param under a command that runs another one in its place
 */
export function start<Api extends Functions>(
  file: URL,
  execArgv: readonly string[] = [],
  under: readonly string[] = [],
): Process<Api> {
  const [execPath = process.execPath, ...before] = [...under, process.execPath, ...execArgv];
  const child = fork(file, [], { execPath, execArgv: before });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.on('message', ({ id, value, error }: Told) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(value);
    else call?.reject(new Error(error));
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file.pathname} ended: ${signal ?? code}`));
  });
  let last = 0;
  const call = (name: string, args: unknown[]) =>
    new Promise<unknown>((resolve, reject) => {
      if (!child.connected) throw new Error(`${file.pathname} has ended`);
      last += 1;
      waiting.set(last, { resolve, reject });
      child.send({ id: last, name, args });
    });
  const api = new Proxy(
    {},
    { get: (_, name) => (name === 'then' ? undefined : (...args: unknown[]) => call(String(name), args)) },
  );
  return {
    api: api as Remote<Api>,
    pid: child.pid ?? 0,
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
