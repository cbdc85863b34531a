import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

const SAYS_LIMIT_MS = 120_000;
const END_LIMIT_MS = 60_000;

/** A verb that runs as a process of its own, with a temporary folder of its own. */
export function startProgram(...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'program-'));
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  // By then all of the output has been read.
  const exit = once(child, 'close') as Promise<[number | null]>;
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  onTestFinished(async () => {
    // If the process were killed at once, it would leave its own children behind.
    const late = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM');
      await exit;
    }
    clearTimeout(late);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    printed,
    /** Waits for the first match in the output. */
    async says(pattern: RegExp): Promise<RegExpExecArray> {
      for (const deadline = performance.now() + SAYS_LIMIT_MS; performance.now() < deadline; await sleep(20)) {
        const found = pattern.exec(printed.stdout);
        if (found !== null) return found;
        if (child.exitCode !== null) break;
      }
      throw new Error(`it did not say ${String(pattern)}, but:\n${printed.stdout}${printed.stderr}`);
    },
    signal: (name: NodeJS.Signals) => child.kill(name),
    exit: async () => (await exit)[0],
    /** The leftovers: files, and processes that were started in its folder. */
    left: () => [...readdirSync(folder), ...processesNaming(folder)],
  };
}

function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line.includes(folder));
}

/** Empty for a process that has just ended. */
function commandLine(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
