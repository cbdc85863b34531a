import { keptAnswer } from './cli/completion/kept.ts';
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

const args = process.argv.slice(2);
const answer = keptAnswer(args, process.env);
if (answer === null) {
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram(args, {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    secrets: [],
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask, confirm } : {}),
    exitCode: 0,
  });
} else process.stdout.write(answer.map((line) => `${line}\n`).join(''));

/** Asks on the terminal. Every answer but yes means no. */
async function confirm(question: string): Promise<boolean> {
  return /^y(es)?$/i.test(await ask(`${question} [y/N] `));
}

/** @throws Interrupted after Ctrl-C or Ctrl-D */
async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
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
