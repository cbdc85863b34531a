import { onTestFinished } from 'vitest';
import { type Daemon, spawnDaemon } from './spawned.ts';

export type { Daemon } from './spawned.ts';

/** The daemon ends with the test that starts it. */
export function startDaemon(configFile: string, ...args: string[]): Daemon {
  const daemon = spawnDaemon(configFile, args);
  onTestFinished(daemon.kill);
  return daemon;
}
