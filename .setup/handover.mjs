import { spawn } from 'node:child_process';
import { pinnedNode } from './packages.mjs';
import { say } from './say.mjs';

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT'];
const PARENT_LOOK_MS = 250;

/** Runs a program on the pinned Node in this process's place: its input, output, signals and exit code. */
export function handOver(args, env = process.env) {
  const child = spawn(pinnedNode, args, { stdio: 'inherit', env });
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      // Ctrl-C on a terminal has reached the child already; a second one would tell it not to finish its work.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm sends a signal only to the shell between npm and this process. The end of that shell tells us of the signal.
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(look);
    child.kill('SIGTERM');
  }, PARENT_LOOK_MS);
  if (process.env.npm_command === undefined) clearInterval(look);
  child.once('error', (error) => {
    say(`the pinned Node at ${pinnedNode} cannot be started: ${error.message}`);
    clearInterval(look);
    process.exitCode = 69;
  });
  child.once('exit', (code, signal) => {
    clearInterval(look);
    for (const name of FORWARDED) process.removeAllListeners(name);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}
