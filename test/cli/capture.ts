import { Writable } from 'node:stream';
import type { Cli } from '../../src/cli/output.ts';
import { runProgram } from '../../src/cli/program.ts';

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** Runs the program in this process, and answers what it printed and its exit code. */
export async function run(
  args: readonly string[],
  env: Record<string, string> = {},
  { terminal = false, confirm, ask }: { terminal?: boolean; confirm?: Cli['confirm']; ask?: Cli['ask'] } = {},
) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  if (terminal) for (const stream of [stdout, stderr]) Object.assign(stream, { isTTY: true });
  const cli: Cli = { env, stdout, stderr, secrets: [], exitCode: 0, ...(confirm && { confirm }), ...(ask && { ask }) };
  const exitCode = await runProgram(args, cli);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}
