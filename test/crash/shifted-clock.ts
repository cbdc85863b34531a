import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/*
 * Loaded before the program. Shifts its wall clock by the figure in the file `clock` of the data folder, which is read at
 * SIGUSR2. The monotonic clock is unchanged, as when somebody sets a machine's clock.
 */

const at = process.argv.indexOf('--config');
const file = join(dirname(process.argv[at + 1] ?? ''), 'data', 'clock');
const { now } = Date;
let offsetMs = 0;
Date.now = () => now() + offsetMs;
process.on('SIGUSR2', () => {
  offsetMs = Number(readFileSync(file, 'utf8'));
});
