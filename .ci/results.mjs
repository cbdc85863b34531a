// The results of a suite in vitest's JSON report.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST_LINES = 12;

export const read = (report) => JSON.parse(readFileSync(report, 'utf8'));

export const nameOf = ({ name }) => relative(process.cwd(), name);

const reasonOf = (text) => text.split('\n').slice(0, MOST_LINES).join('\n');

/** Each failed test, or file that could not be run, as one name with its reason. */
export function failuresOf({ testResults }) {
  return testResults.flatMap((file) => {
    const tests = file.assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0 && file.status === 'failed') {
      return [{ name: nameOf(file), reason: reasonOf(file.message ?? '') }];
    }
    return tests.map(({ fullName, failureMessages }) => ({
      name: `${nameOf(file)}: ${fullName}`,
      reason: reasonOf((failureMessages ?? []).join('\n')),
    }));
  });
}
