// The results of a suite in vitest's JSON report, and of its few failed files in the report of a second run of them alone.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST_LINES = 12;

export const read = (report) => JSON.parse(readFileSync(report, 'utf8'));

/** The report of the second run of a suite's failed files. */
export const againOf = (report) => report.replace(/\.json$/, '-again.json');

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

/** The failures of a suite: those that stay, and those that a second run of their files alone did not show. */
export function judged(report) {
  const failures = failuresOf(read(report));
  const again = againOf(report);
  if (failures.length === 0 || !existsSync(again)) return { lasting: failures, passing: [] };
  const second = failuresOf(read(again));
  const isNew = ({ name }) => !failures.some((failure) => failure.name === name);
  const isLasting = ({ name }) => second.some((failure) => failure.name === name);
  return {
    lasting: [...failures.filter(isLasting), ...second.filter(isNew)],
    passing: failures.filter((failure) => !isLasting(failure)),
  };
}
