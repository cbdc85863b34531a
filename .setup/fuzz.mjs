// `npm run fuzz [-- --requests N --seed S]`: installs missing parts, then sends mutated requests on the pinned Node. With
// --answers N or --reads N it sends mutated answers instead.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'fuzz', 'run.ts'), ...process.argv.slice(2)], env);
