// `npm run several [-- --minutes 30 --every 20]`: installs missing parts, then lets three daemons share accounts under faults.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'soak', 'several', 'run.ts'), ...process.argv.slice(2)], env);
