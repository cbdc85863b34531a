// `npm run first-day [-- --products 2000 --speed 1]`: installs missing parts, then plays a newcomer's first day.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: true });
handOver([join(root, 'test', 'first-day', 'run.ts'), ...process.argv.slice(2)], env);
