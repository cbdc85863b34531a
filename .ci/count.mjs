// Prints "PASSED FAILED" of a suite. Arguments: vitest's JSON report, and the exit code of the run that wrote it.
import { existsSync } from 'node:fs';
import { againOf, judged, read } from './results.mjs';

const [report, status] = process.argv.slice(2);
const { numPassedTests } = read(report);
const { lasting, passing } = judged(report);
// A second run without any test proves nothing.
const shown = existsSync(againOf(report)) ? read(againOf(report)).numPassedTests : 0;
const unshown = shown === 0 ? passing.length : 0;
const passed = numPassedTests + passing.length - unshown;
const failed = lasting.length + unshown;
const unexplained = failed + passing.length === 0 && (status !== '0' || numPassedTests === 0) ? 1 : 0;
process.stdout.write(`${passed} ${failed + unexplained}\n`);
