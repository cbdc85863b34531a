// Prints "PASSED FAILED" of a suite. Arguments: vitest's JSON report, and the exit code of the run that wrote it.
import { failuresOf, read } from './results.mjs';

const [path, status] = process.argv.slice(2);
const report = read(path);
const failed = failuresOf(report).length;
const unexplained = failed === 0 && (status !== '0' || report.numPassedTests === 0) ? 1 : 0;
process.stdout.write(`${report.numPassedTests} ${failed + unexplained}\n`);
