// `npm run mutate [-- --count N --seed S]`: installs missing parts, then changes the program and plays its tests on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: false });
handOver([join(root, 'test', 'mutation', 'run.ts'), ...process.argv.slice(2)], env);
