// `npm run soak [-- --minutes 60 --every 30 --speed 20]`: installs missing parts, then lets the daemon run under faults.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'soak', 'run.ts'), ...process.argv.slice(2)], env);
