// `stockbridge VERB ...` in a checkout: installs missing parts, then runs the program on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const args = process.argv.slice(2);
const env = await ready({ dev: false, redis: args[0] === 'demo' });
// src/decisions/small-heap.md
const HEAP = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
// Node makes the folder of compiled modules before src/main.ts can close it to other users.
process.umask(0o077);
handOver([...HEAP, join(root, 'src', 'main.ts'), ...args], env);
