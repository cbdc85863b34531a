import { spawnSync } from 'node:child_process';
import { pinnedNode } from './packages.mjs';
import { SetupError } from './say.mjs';

/** The library that the pinned Node needs, unlike older versions, and that small systems lack. */
export const libatomic = {
  what: 'libatomic (the pinned Node needs it)',
  names: { 'apt-get': 'libatomic1', apk: 'libatomic', dnf: 'libatomic' },
  present: () => !lacksLibrary(problemOfNode()),
};

/** @throws SetupError in one line when the pinned Node does not run on this system. */
export function refuseBrokenRuntime() {
  const problem = problemOfNode();
  if (problem !== null)
    throw new SetupError(`the pinned Node at ${pinnedNode} does not run on this system: ${problem}`);
}

function lacksLibrary(problem) {
  return problem !== null && problem.includes('libatomic');
}

/** The problem of the pinned Node; null when it runs. */
function problemOfNode() {
  const { status, stderr, error } = spawnSync(pinnedNode, ['--version'], { encoding: 'utf8' });
  return status === 0 ? null : (error?.message ?? stderr).trim().split('\n')[0];
}
