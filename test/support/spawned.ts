import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from './as-started.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const MAX_LOG_CHARS = 200_000;

/** The daemon as a process of its own. */
export interface Daemon {
  readonly process: ChildProcess;
  /** The end of the log so far. */
  log(): string;
  /** Ends the daemon as a power cut would. */
  kill(): Promise<void>;
  /** Asks the daemon to end. Returns the exit code. */
  terminate(): Promise<number | null>;
}

/** @param onText called with every text of the log */
export function spawnDaemon(
  configFile: string,
  args: readonly string[],
  onText: (text: string) => void = () => {},
): Daemon {
  const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN, '--config', configFile, 'run', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-MAX_LOG_CHARS);
      onText(text);
    });
  }
  const ended = once(child, 'exit') as Promise<[number | null]>;
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
