// `npm run migrations:generate -- --name WORDS`: installs missing parts, then makes the migrations on the pinned Node.
import { join } from 'node:path';
import { handOver } from './handover.mjs';
import { root } from './packages.mjs';
import { ready } from './ready.mjs';

const env = await ready({ dev: true, redis: false });
handOver([join(root, '.setup', 'generate-migrations.mjs'), ...process.argv.slice(2)], env);
