import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../support/as-started.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** The result of one verb. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: string;
}

/** A folder with a configuration, and somebody who types verbs there. */
export interface Terminal {
  readonly dir: string;
  readonly configFile: string;
  run(...args: string[]): Promise<Ran>;
  /** The output of a verb with `--json`. */
  json<T>(...args: string[]): Promise<T>;
}

/** @param tell called with each verb and its result in one line */
export function openTerminal(tell: (line: string) => void): Terminal {
  const dir = mkdtempSync(join(tmpdir(), 'first-day-'));
  const configFile = join(dir, 'stockbridge.yaml');
  const run = async (...args: string[]): Promise<Ran> => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, [...NODE_OPTIONS, MAIN, '--config', configFile, ...args], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        printed[stream] += text;
      });
    }
    const [code] = (await once(child, 'close')) as [number | null];
    return { code: code ?? -1, ...printed, seconds: ((performance.now() - startedMs) / 1_000).toFixed(1) };
  };
  return {
    dir,
    configFile,
    async run(...args) {
      const ran = await run(...args);
      tell(`stockbridge ${args.slice(0, 3).join(' ')}: exit ${ran.code} after ${ran.seconds} s`);
      return ran;
    },
    async json<T>(...args: string[]) {
      const { stdout, stderr } = await run(...args, '--json');
      try {
        return JSON.parse(stdout) as T;
      } catch {
        throw new Error(`stockbridge ${args.join(' ')} printed no JSON:\n${stdout}${stderr}`);
      }
    },
  };
}
