// `npm run crash [-- --flow FLOW --pairs ...]`: installs missing parts, then kills the daemon at every point, on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'crash', 'run.ts'), ...process.argv.slice(2)], env);
