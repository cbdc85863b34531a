// `npm test [-- PATH ...]`, `npm run test:long [-- PATH ...]` and `npm run live [-- PATH ...]`: installs missing parts, then runs the tests on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
const modules = join(root, 'node_modules');
handOver(
  [
    join(modules, 'vitest', 'vitest.mjs'),
    'run',
    '--config',
    join(root, '.setup', 'vitest.config.mjs'),
    ...process.argv.slice(2),
  ],
  env,
);
