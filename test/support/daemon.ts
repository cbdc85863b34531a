import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The daemon as a process of its own. */
export interface Daemon {
  readonly process: ChildProcess;
  /** What it has logged so far. */
  log(): string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Asks it to end; the exit code. */
  terminate(): Promise<number | null>;
}

/** It ends with the test that starts it. */
export function startDaemon(configFile: string, ...args: string[]): Daemon {
  const child = spawn(process.execPath, [MAIN, '--config', configFile, 'run', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-200_000);
    });
  }
  const ended = once(child, 'exit') as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    process: child,
    log: () => log,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async terminate() {
      child.kill('SIGTERM');
      const [code] = await ended;
      return code;
    },
  };
}
