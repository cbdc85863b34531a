// `npm run world [-- --thing T --share K/N]`: installs missing parts, then plays cells of the table of the world on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: false });
handOver([join(root, 'test', 'world', 'world.ts'), ...process.argv.slice(2)], env);
