// `npm run fuzz [-- --requests N --seed S]`: brings what is missing, then sends mutated requests, or with --answers N or --reads N mutated answers, on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'fuzz', 'run.ts'), ...process.argv.slice(2)], env);
