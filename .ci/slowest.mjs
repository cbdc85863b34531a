// Prints the twenty files that took longest. Arguments: vitest's JSON reports.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST = 20;

const files = process.argv
  .slice(2)
  .flatMap((report) => JSON.parse(readFileSync(report, 'utf8')).testResults)
  .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1_000 }))
  .toSorted((one, other) => other.seconds - one.seconds);
process.stdout.write(`== the ${MOST} slowest of ${files.length} test files, in seconds\n`);
for (const { name, seconds } of files.slice(0, MOST)) {
  process.stdout.write(`${seconds.toFixed(1).padStart(7)}  ${relative(process.cwd(), name)}\n`);
}
