import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Loaded before the program: its wall clock is off by what the file `clock` of the data folder says, read at SIGUSR2. The
 * clock that only counts stays as it is, as when somebody sets a machine's clock.
 */

const at = process.argv.indexOf('--config');
const file = join(dirname(process.argv[at + 1] ?? ''), 'data', 'clock');
const { now } = Date;
let offsetMs = 0;
Date.now = () => now() + offsetMs;
process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(file, 'utf8'));
});
