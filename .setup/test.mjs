// `npm test [-- PATH ...]`: brings what is missing, then runs the tests on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
handOver([vitest, 'run', '--config', join(root, '.setup', 'vitest.config.mjs'), ...process.argv.slice(2)], env);
