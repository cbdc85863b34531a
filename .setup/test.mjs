// `npm test [-- PATH ...]` and `npm run test:long [-- PATH ...]`: installs missing parts, then runs the tests on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
const modules = join(root, 'node_modules');
// Every file runs in a process of its own, and some files start further processes. All of them share one compile cache, as the
// program's processes do.
const NODE_COMPILE_CACHE = join(modules, '.cache', 'node');
handOver(
  [
    join(modules, 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    join(root, '.setup', 'vitest.config.mjs'),
    ...process.argv.slice(2),
  ],
  { ...env, NODE_COMPILE_CACHE },
);
