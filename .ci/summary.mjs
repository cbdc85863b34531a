// Prints the twenty files that took longest and then, so that they stand last, the tests that failed. Arguments: vitest's JSON reports.
import { judged, nameOf, read } from './results.mjs';

const MOST = 20;

const reports = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

const files = reports
  .flatMap((report) => read(report).testResults)
  .map((file) => ({ name: nameOf(file), seconds: (file.endTime - file.startTime) / 1_000 }))
  .toSorted((one, other) => other.seconds - one.seconds);
say(`== the ${MOST} slowest of ${files.length} test files, in seconds`);
for (const { name, seconds } of files.slice(0, MOST)) say(`${seconds.toFixed(1).padStart(7)}  ${name}`);

function tell(title, failures) {
  if (failures.length > 0) say(`== ${title}\n${failures.map(({ name, reason }) => `${name}\n${reason}`).join('\n\n')}`);
}
tell(
  'failed beside the others, and passed when their files were run again alone: mend them',
  reports.flatMap((report) => judged(report).passing),
);
tell(
  'the tests that failed',
  reports.flatMap((report) => judged(report).lasting),
);
