import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages.mjs';

/** Lets git run the hooks of this project in a clone, unless its owner has named others. Without git there is nothing to do. */
export function ensureHooks() {
  // In a copy without .git, git would take the settings of the repository around it.
  if (!existsSync(join(root, '.git'))) return;
  const config = (...args) => spawnSync('git', ['config', ...args], { cwd: root, encoding: 'utf8' });
  if (config('--get', 'core.hooksPath').status === 1) config('--local', 'core.hooksPath', '.setup/hooks');
}
