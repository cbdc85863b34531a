import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bundleOf, type Evaluation, type Given, type Outcome } from './bundle.ts';
import { ExpressionError } from './expression-error.ts';

const PROGRAM = fileURLToPath(new URL('./rules-process.ts', import.meta.url));
const BUNDLE = 64;
const MAX_INPUT = 500_000;
const MEMORY_MB = 128;
const START_LIMIT_MS = 60_000;
const TIME_LIMIT_MS = 2_000;
/** Time is counted in steps, so that the machine's sleep does not count. */
const STEP_MS = 100;
/** How often a process that got no turn on a busy machine gets its time again. */
const MOST_GRANTS = 15;

/** An expression that was ended is not retried for this long. Held products are looked at every minute. */
const ENDED_FOR_MS = 60 * 60_000;
const MOST_ENDED = 1_000;

interface Ask extends Evaluation {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Evaluates in a separate process, started with the first expression. It is killed after 2 seconds (half a minute if
 * the machine gave it almost no time), and ends by itself beyond 128 MB. Expressions sent together are then evaluated
 * one by one, so that only the one at fault fails.
 */
export function createRunner() {
  const waiting: Ask[] = [];
  let running = false;
  /** How many of the first waiting expressions are evaluated alone. */
  let suspects = 0;
  const ended = rememberEnded();
  let child: ChildProcess | null = null;
  /** The latest input and its JSON, because several expressions use one product. */
  let latest: { readonly input: unknown; readonly written: string } | null = null;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const bundle = waiting.splice(0, suspects > 0 ? 1 : BUNDLE);
      suspects = Math.max(0, suspects - 1);
      try {
        if (child === null || hasEnded(child)) child = await start();
        const outcomes = await exchange(child, bundle);
        for (const [index, ask] of bundle.entries()) settle(ask, outcomes[index]);
      } catch (error) {
        child?.kill('SIGKILL');
        child = null;
        if (error instanceof ExpressionError && bundle.length > 1) {
          waiting.unshift(...bundle);
          suspects = bundle.length;
        } else {
          if (error instanceof ExpressionError) for (const ask of bundle) ended.add(ask, error);
          for (const { reject } of bundle) reject(error as Error);
        }
      }
    }
    running = false;
  };

  return {
    /**
     * @param input plain JSON
     * @param values the values of the expression's names, plain JSON
     * @returns plain JSON; undefined if the expression finds nothing
     * @throws ExpressionError when the expression fails or is ended, or its input is too large
     */
    async evaluate(text: string, input: unknown, values: Given = {}): Promise<unknown> {
      const written = latest !== null && latest.input === input ? latest.written : textOf(input);
      latest = { input, written };
      const given = textOf(values);
      const before = ended.find({ text, input: written, given });
      if (before !== null) throw before;
      return new Promise((resolve, reject) => {
        waiting.push({ text, input: written, given, resolve, reject });
        if (running) return;
        running = true;
        // Expressions requested at the same moment are sent together.
        queueMicrotask(() => void run());
      });
    },
  };
}

function textOf(input: unknown): string {
  const written = JSON.stringify(input);
  if (written.length > MAX_INPUT) {
    throw new ExpressionError(`its input has more than ${MAX_INPUT} characters`);
  }
  return written;
}

/** The latest expressions that were ended, each with its input. */
function rememberEnded() {
  const ended = new Map<string, { readonly error: ExpressionError; readonly untilMs: number }>();
  const keyOf = ({ text, input, given }: Evaluation): string =>
    createHash('sha256').update([text, input, given].join('\0')).digest('base64');
  return {
    add(asked: Evaluation, error: ExpressionError): void {
      const [oldest] = ended.keys();
      if (ended.size >= MOST_ENDED && oldest !== undefined) ended.delete(oldest);
      ended.set(keyOf(asked), { error, untilMs: performance.now() + ENDED_FOR_MS });
    },
    find(asked: Evaluation): ExpressionError | null {
      const remembered = ended.size === 0 ? undefined : ended.get(keyOf(asked));
      return remembered !== undefined && performance.now() < remembered.untilMs ? remembered.error : null;
    },
  };
}

function settle({ resolve, reject }: Ask, outcome: Outcome | undefined): void {
  if (outcome === undefined) reject(new Error('the process for rules answered too little'));
  else if ('problem' in outcome) reject(new ExpressionError(outcome.problem));
  else resolve(outcome.value);
}

/**
 * A ready process. It gets no environment, which may have secrets.
 * @throws Error when it does not start
 */
async function start(): Promise<ChildProcess> {
  const child = fork(PROGRAM, {
    // The child has its own process group: Ctrl-C stops the daemon, which still needs the rules to finish its work.
    detached: true,
    env: {},
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const answer = await answerOf(child, START_LIMIT_MS);
  if ('ended' in answer) throw new Error(`the process for rules did not start: ${answer.ended}`);
  // The child does not keep this process alive, and ends with it.
  child.unref();
  child.channel?.unref();
  return child;
}

/** @throws ExpressionError when the process ended, or was ended, before it answered */
async function exchange(child: ChildProcess, asks: readonly Ask[]): Promise<Outcome[]> {
  const answering = answerOf(child, TIME_LIMIT_MS);
  // A failed send shows as the end of the child.
  child.send(bundleOf(asks), () => {});
  const answer = await answering;
  if ('ended' in answer) throw new ExpressionError(answer.ended);
  return answer.message as Outcome[];
}

function answerOf(child: ChildProcess, limitMs: number): Promise<{ message: unknown } | { ended: string }> {
  return new Promise((resolve) => {
    let steps = limitMs / STEP_MS;
    let grants = 0;
    let late = false;
    const usedAtStartMs = processorMsOf(child);
    const clock = setInterval(() => {
      steps -= 1;
      if (steps > 0 || late) return;
      if (grants < MOST_GRANTS && processorMsOf(child) - usedAtStartMs < limitMs / 2) {
        grants += 1;
        steps = limitMs / STEP_MS;
        return;
      }
      late = true;
      child.kill('SIGKILL');
    }, STEP_MS);
    const conclude = (answer: { message: unknown } | { ended: string }): void => {
      clearInterval(clock);
      child.off('message', heard).off('exit', ended).off('error', failed);
      resolve(answer);
    };
    const heard = (message: unknown): void => {
      if (!late) conclude({ message });
    };
    const ended = (code: number | null, signal: string | null): void => {
      if (late) conclude({ ended: `it was ended after ${limitMs / 1000} seconds` });
      else conclude({ ended: `its process ended (${signal ?? code}): it may not take more than ${MEMORY_MB} MB` });
    };
    const failed = (error: Error): void => conclude({ ended: error.message });
    child.on('message', heard).on('exit', ended).on('error', failed);
    if (hasEnded(child)) ended(child.exitCode, child.signalCode);
  });
}

/** The processor time used by a process, where the system tells it (Linux); NaN elsewhere. */
function processorMsOf({ pid }: ChildProcess): number {
  try {
    const [, user, system] = /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
