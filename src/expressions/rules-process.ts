import process from 'node:process';
import { Worker } from 'node:worker_threads';
import type jsonata from 'jsonata';
import type { Bundle, Outcome } from './bundle.ts';
import { explain, readExpression } from './parse.ts';
import { plainValue } from './plain.ts';

/**
 * `runner.ts` starts this process, and kills it when an expression takes too long. It also ends when its parent is
 * gone, even during an endless expression.
 */

/** A configuration has far fewer expressions. */
const MOST_PARSED = 2_000;
const parsed = new Map<string, jsonata.Expression>();

const GUARD = `
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 1_000);
`;
new Worker(GUARD, { eval: true }).unref();

// Rules have no clock, because two looks at one product must agree. The engine takes missing parts of a date, as in
// `$toMillis("13:45", "[H]:[m]")`, from its process's current time.
class Timeless extends Date {
  constructor(...parts: readonly unknown[]) {
    super(...((parts.length === 0 ? [0] : parts) as [number]));
  }
}
globalThis.Date = Timeless as DateConstructor;

// A service manager may ask all processes of a service to end. The parent still needs this one.
process.on('SIGTERM', () => {});

process.on('message', (bundle: Bundle) => {
  void evaluateAll(bundle).then((outcomes) => process.send?.(outcomes));
});
process.send?.('ready');

async function evaluateAll({ texts, inputs, asked }: Bundle): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const [text, input, given] of asked) {
    outcomes.push(await evaluate(texts[text] ?? '', inputs[input] ?? '', inputs[given] ?? '{}'));
  }
  return outcomes;
}

/** Each expression has its own copy of the input, so none sees another's changes. */
async function evaluate(text: string, input: string, written: string): Promise<Outcome> {
  try {
    const given = JSON.parse(written) as Record<string, unknown>;
    return { value: plainValue(await expressionOf(text).evaluate(JSON.parse(input), given)) };
  } catch (error) {
    return { problem: explain(error) };
  }
}

function expressionOf(text: string): jsonata.Expression {
  const cached = parsed.get(text);
  if (cached !== undefined) return cached;
  if (parsed.size >= MOST_PARSED) parsed.clear();
  // The names were checked before the expression was sent.
  const made = readExpression(text);
  parsed.set(text, made);
  return made;
}
