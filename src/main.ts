import { createInterface } from 'node:readline/promises';
import { runProgram } from './cli/program.ts';
import { Interrupted } from './cli/signals.ts';

// The database, its backups, logs and locks, and the files of redis-server hold customers' data: only this user may read
// them.
process.umask(0o077);

// `stockbridge config show | head` closes the pipe early, which is no error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

process.exitCode = await runProgram(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  secrets: [],
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, confirm } : {}),
  exitCode: 0,
});

/** Asks on the terminal. Every answer but yes means no. */
async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}

/** @throws Interrupted after Ctrl-C or Ctrl-D */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = new AbortController();
  lines.once('SIGINT', () => lines.close()).once('close', () => left.abort());
  try {
    return (await lines.question(question, { signal: left.signal })).trim();
  } catch (cause) {
    throw new Interrupted('stopped: nothing was changed', { cause });
  } finally {
    lines.close();
  }
}
