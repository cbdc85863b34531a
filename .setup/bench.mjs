// `npm run bench [-- NAME ...]`: installs missing parts, then measures on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'bench', 'run.ts'), ...process.argv.slice(2)], env);
