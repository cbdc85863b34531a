/**
 * `npm run fuzz -- --requests N --seed S` sends changed requests, `--answers N` has the daemon read changed answers of both
 * sides, and `--reads N` many more of them to its readers alone. Prints the result; ends with 1 when a bad request got in,
 * something crashed, or data was lost or forged.
 */
import { parseArgs } from 'node:util';
import { runAnswers } from './answers-run.ts';
import { fuzz } from './fuzz.ts';
import { runReading } from './reading-run.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string' },
    answers: { type: 'string' },
    reads: { type: 'string' },
    seed: { type: 'string' },
  },
});
const changed = Number(values.answers ?? 0);
const read = Number(values.reads ?? 0);
const requests = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? 1);
if (![requests, seed, changed, read].every(Number.isInteger) || requests < 1 || changed < 0 || read < 0) {
  process.stderr.write('--requests, --answers, --reads and --seed take a whole number\n');
  process.exit(64);
}
const startedMs = performance.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
if (changed > 0) process.exit((await runAnswers(changed, seed, print)) ? 0 : 1);
if (read > 0) process.exit((await runReading(read, seed, print)) ? 0 : 1);
const { sent, answers, accepted, stored, wrong, peakMb } = await fuzz({ requests, seed, tell: print });
const listed = (counts: ReadonlyMap<string | number, number>) =>
  [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
print(`sent: ${listed(sent)}`);
print(`answers (0: closed without one): ${listed(answers)}`);
print(
  `${accepted} sound ones accepted, ${stored} stored; peak ${Math.round(peakMb)} MB; ${Math.round((performance.now() - startedMs) / 1_000)} s`,
);
for (const line of wrong) print(line);
const isWell = wrong.length === 0 && accepted === stored;
print(isWell ? 'nothing else got in' : 'FAILED');
process.exitCode = isWell ? 0 : 1;
