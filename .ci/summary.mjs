// Prints the twenty files that took longest and then, so that they stand last, the tests that failed. Arguments: vitest's JSON reports.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST = 20;
const MOST_LINES = 12;

const results = process.argv.slice(2).flatMap((report) => JSON.parse(readFileSync(report, 'utf8')).testResults);
const say = (line) => process.stdout.write(`${line}\n`);

const files = results
  .map(({ name, startTime, endTime }) => ({
    name: relative(process.cwd(), name),
    seconds: (endTime - startTime) / 1_000,
  }))
  .toSorted((one, other) => other.seconds - one.seconds);
say(`== the ${MOST} slowest of ${files.length} test files, in seconds`);
for (const { name, seconds } of files.slice(0, MOST)) say(`${seconds.toFixed(1).padStart(7)}  ${name}`);

const reasonOf = (text) => text.split('\n').slice(0, MOST_LINES).join('\n');
const failures = results.flatMap(({ name, status, message, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  const file = relative(process.cwd(), name);
  if (tests.length === 0 && status === 'failed') return [`${file}\n${reasonOf(message ?? '')}`];
  return tests.map(({ fullName, failureMessages }) => `${file}: ${fullName}\n${reasonOf(failureMessages.join('\n'))}`);
});
if (failures.length > 0) say(`== the tests that failed\n${failures.join('\n\n')}`);
