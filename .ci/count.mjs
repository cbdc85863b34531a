// Prints "PASSED FAILED" of a vitest JSON report. Arguments: the report, and the exit code of the run that wrote it.
import { readFileSync } from 'node:fs';

const [report, status] = process.argv.slice(2);
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
const brokenFiles = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length;
const failed = numFailedTests + brokenFiles;
const unexplained = failed === 0 && (status !== '0' || numPassedTests === 0) ? 1 : 0;
process.stdout.write(`${numPassedTests} ${failed + unexplained}\n`);
