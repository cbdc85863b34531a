// `npm run simulate [-- --seeds N --from S]`: installs missing parts, then plays the stories on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: false });
handOver([join(root, 'test', 'simulation', 'simulate.ts'), ...process.argv.slice(2)], env);
