/**
 * `npm run fuzz -- --requests N --seed S` sends changed requests, `--answers N` has the daemon read changed answers of both
 * sides, and `--reads N` many more of them to its readers alone. Prints the result; ends with 1 when a bad request got in,
 * something crashed, or data was lost or forged.
 */
import { parseArgs } from 'node:util';
import { fuzzAnswers } from './answers.ts';
import { fuzz } from './fuzz.ts';
import { fuzzReading } from './reading.ts';
import { recordSides } from './record.ts';

/** The longest time that a probe may wait. */
const MAX_SILENT_MS = 1_000;
/** The longest work between two turns of the loop. */
const MAX_SLICE_MS = 1_000;
/** The number of changed answers before the shadow is compared with a fresh one. */
const CHUNK = 20_000;

const print = (line: string) => process.stdout.write(`${line}\n`);
const listed = (counts: ReadonlyMap<string | number, number>) =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

process.exitCode = (await main()) ? 0 : 1;

/** Answers whether all is well. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      requests: { type: 'string' },
      answers: { type: 'string' },
      reads: { type: 'string' },
      seed: { type: 'string' },
    },
  });
  const { answers = 0, reads = 0, requests = 100_000, seed = 1 } = numbers(values);
  if (![requests, seed, answers, reads].every(Number.isInteger) || requests < 1 || answers < 0 || reads < 0) {
    process.stderr.write('--requests, --answers, --reads and --seed take a whole number\n');
    process.exit(64);
  }
  if (answers > 0) return runAnswers(answers, seed);
  if (reads > 0) return runReading(reads, seed);
  return runRequests(requests, seed);
}

function numbers(values: Readonly<Record<string, string | undefined>>): Partial<Record<string, number>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));
}

async function runRequests(requests: number, seed: number): Promise<boolean> {
  const startedMs = performance.now();
  const { sent, answers, accepted, stored, wrong, peakMb } = await fuzz({ requests, seed, tell: print });
  print(`sent: ${listed(sent)}`);
  print(`answers (0: closed without one): ${listed(answers)}`);
  print(
    `${accepted} sound ones accepted, ${stored} stored; peak ${Math.round(peakMb)} MB; ${Math.round((performance.now() - startedMs) / 1_000)} s`,
  );
  for (const line of wrong) print(line);
  const isWell = wrong.length === 0 && accepted === stored;
  print(isWell ? 'nothing else got in' : 'FAILED');
  return isWell;
}

async function runAnswers(answers: number, seed: number): Promise<boolean> {
  const startedMs = performance.now();
  const { changed, silentMs, peakMb, wrong } = await fuzzAnswers({ answers, seed, tell: print });
  const seconds = (performance.now() - startedMs) / 1_000;
  print(`changed: ${listed(changed)}`);
  print(
    `${answers} answers in ${Math.round(seconds)} s, ${Math.round(answers / seconds)} a second; nothing else had its turn for ${Math.round(silentMs)} ms at most; peak ${Math.round(peakMb)} MB`,
  );
  for (const line of wrong) print(line);
  const isWell = wrong.length === 0 && silentMs <= MAX_SILENT_MS;
  print(isWell ? 'nothing crashed, was lost or forged, and both sides are in step' : 'FAILED');
  return isWell;
}

async function runReading(answers: number, seed: number): Promise<boolean> {
  const sides = await recordSides();
  const ways = new Map<string, number>();
  const lists = new Map<string, number>();
  let [done, seconds, sliceMs, peakMb] = [0, 0, 0, 0];
  const wrong: string[] = [];
  for (let chunk = 0; done < answers && wrong.length === 0; chunk += 1) {
    const read = await fuzzReading({ answers: Math.min(CHUNK, answers - done), seed: seed + chunk, sides });
    for (const [of, counts] of [
      [ways, read.changed],
      [lists, read.lists],
    ] as const)
      for (const [name, count] of counts) of.set(name, (of.get(name) ?? 0) + count);
    done += [...read.changed.values()].reduce((sum, count) => sum + count, 0);
    seconds += read.seconds;
    sliceMs = Math.max(sliceMs, read.sliceMs);
    peakMb = Math.max(peakMb, read.peakMb);
    wrong.push(...read.wrong.map((line) => `seed ${seed + chunk}: ${line}`));
    print(
      `${done} answers, ${Math.round(done / seconds)} a second; longest slice ${Math.round(sliceMs)} ms; peak ${Math.round(peakMb)} MB`,
    );
  }
  for (const side of Object.values(sides)) await side.close();
  print(`changed: ${listed(ways)}`);
  print(`of: ${listed(lists)}`);
  for (const line of wrong) print(line);
  const isWell = wrong.length === 0 && sliceMs <= MAX_SLICE_MS;
  print(
    isWell ? 'nothing crashed, hung, leaked or was lost, and the shadow of both sides is what they show' : 'FAILED',
  );
  return isWell;
}
