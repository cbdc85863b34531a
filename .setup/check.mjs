// `npm run check`: everything that can be said about the code without running it. All steps run, so that all faults show.
import { spawnSync } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { pinnedNode, root } from './packages.mjs';
import { ready } from './ready.mjs';

/** A busy machine needs ten times as long as an idle one. */
const STEP_LIMIT_MS = 30 * 60_000;
const STEPS = [
  { name: 'types', command: 'tsc', args: ['-p', '.'] },
  {
    name: 'lint',
    command: 'oxlint',
    args: ['-c', '.oxlintrc.json', '--deny-warnings', 'src', 'test', '.setup', '.ci'],
  },
  { name: 'format', command: 'biome', args: ['check', '--config-path=.biome.json', '--error-on-warnings'] },
  { name: 'imports', command: pinnedNode, args: ['.setup/imports.mjs'] },
  { name: 'dead code', command: 'knip', args: ['--config', '.knip.json'] },
];

const env = await ready({ dev: true, redis: false });
const PATH = [dirname(pinnedNode), join(root, 'node_modules', '.bin'), env.PATH].join(delimiter);
const failed = STEPS.filter(({ name, command, args }) => {
  process.stdout.write(`== ${name}\n`);
  const result = spawnSync(command, args, {
    cwd: root,
    env: { ...env, PATH },
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: STEP_LIMIT_MS,
  });
  return result.status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
process.stdout.write(
  failed.length > 0 ? `check: failed: ${failed.map(({ name }) => name).join(', ')}\n` : 'check: ok\n',
);
