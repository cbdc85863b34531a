// Prints the twenty files that took longest and then, so that they stand last, the tests that failed. Arguments: vitest's JSON reports.
import { failuresOf, nameOf, read } from './results.mjs';

const MOST = 20;

const reports = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

const files = reports
  .flatMap((report) => read(report).testResults)
  .map((file) => ({ name: nameOf(file), seconds: (file.endTime - file.startTime) / 1_000 }))
  .toSorted((one, other) => other.seconds - one.seconds);
say(`== the ${MOST} slowest of ${files.length} test files, in seconds`);
for (const { name, seconds } of files.slice(0, MOST)) say(`${seconds.toFixed(1).padStart(7)}  ${name}`);

const failures = reports.flatMap((report) => failuresOf(read(report)));
if (failures.length > 0)
  say(`== the tests that failed\n${failures.map(({ name, reason }) => `${name}\n${reason}`).join('\n\n')}`);
