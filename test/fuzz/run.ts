/** `npm run fuzz -- --requests N --seed S`: prints what was sent and answered; ends with 1 when something got in or crashed. */
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const requests = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? 1);
if (!Number.isInteger(requests) || requests < 1 || !Number.isInteger(seed)) {
  process.stderr.write('--requests and --seed take a whole number\n');
  process.exit(64);
}
const startedMs = performance.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
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
