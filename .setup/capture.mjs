import { spawn } from 'node:child_process';

const KEPT_CHARACTERS = 8_000;

/**
 * Runs a command without showing it, for at most `limitMs`. Returns whether it succeeded, and the end of its output. A command
 * that cannot be started has failed.
 */
export function capture(command, args, { limitMs, ...options }) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, { ...options, timeout: limitMs, stdio: ['ignore', 'pipe', 'pipe'] });
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_CHARACTERS);
    };
    child.stdout.setEncoding('utf8').on('data', keep);
    child.stderr.setEncoding('utf8').on('data', keep);
    // When this process is told to end, the command ends too: it must not go on changing things beside the next set-up.
    const endBoth = () => {
      child.once('close', () => process.exit(1));
      child.kill();
    };
    process.once('SIGTERM', endBoth);
    const answer = (result) => {
      process.off('SIGTERM', endBoth);
      resolve(result);
    };
    child.once('error', (error) => answer({ ok: false, output: `${output}${error.message}\n` }));
    child.once('close', (code) => answer({ ok: code === 0, output }));
  });
}
