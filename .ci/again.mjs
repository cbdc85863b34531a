// Prints the failed files of a vitest JSON report if they are few enough to be run a second time, alone. Many failures are no
// accident.
import { nameOf, read } from './results.mjs';

const MOST = 3;

const failed = read(process.argv[2]).testResults.filter(({ status }) => status === 'failed');
if (failed.length <= MOST) process.stdout.write(failed.map((file) => `${nameOf(file)}\n`).join(''));
