import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/resolve.ts';
import { ROLES } from '../../src/daemon/roles.ts';
import { createLogger } from '../../src/logging/logging.ts';
import { newSchema } from './postgres.ts';
import { startRedisServer } from './redis-servers.ts';
import type { Stage } from './stage.ts';

export interface SharedStage {
  /** The address of the PostgreSQL. */
  readonly url: string;
  /** Starts a daemon beside the stage's. */
  startOther(name?: string, change?: (config: Config) => Config): Promise<App>;
}

/** Has the stage's daemon work on a PostgreSQL and a Redis that others share. All daemons end with the test. */
export async function shareStage(stage: Stage): Promise<SharedStage> {
  const redis = await startRedisServer();
  const schema = await newSchema();
  const state = (name: string) =>
    `state: { dir: ${join(stage.dir, name)}, store: postgres, postgres: "${schema.url}", redis: "redis://127.0.0.1:${redis.port}" }`;
  const yaml = readFileSync(stage.configFile, 'utf8');
  const configOf = (name: string) => yaml.replace(/^state: .*$/m, state(name));
  writeFileSync(stage.configFile, configOf('data'));
  const others: App[] = [];
  onTestFinished(async () => {
    await Promise.all(others.map((other) => other.stop(5_000)));
    await stage.stop();
    await schema.drop();
  });
  return {
    url: schema.url,
    async startOther(name = 'other', change = (config) => config) {
      const file = join(stage.dir, `${name}.yaml`);
      writeFileSync(file, configOf(name));
      const log = createLogger({ level: 'silent', secrets: [] });
      const { config } = loadConfig(file, {});
      const app = await startApp({ config: change(config), log, unlimited: true, name }, ROLES);
      let stopping: Promise<void> | null = null;
      // A test may stop the daemon before the end of the test.
      const other: App = { ...app, stop: (limitMs) => (stopping ??= app.stop(limitMs)) };
      others.push(other);
      return other;
    },
  };
}
