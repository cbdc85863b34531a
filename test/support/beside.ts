import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type App, startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import { ROLES } from '../../src/daemon/roles.ts';
import { createLogger } from '../../src/logging.ts';
import { newSchema } from './postgres.ts';
import { startRedisServer } from './redis-servers.ts';
import type { Stage } from './stage.ts';

/** Has the stage's daemon work on a PostgreSQL and a Redis that another one shares. Both daemons end with the test. */
export async function shareStage(stage: Stage): Promise<{ startOther(): Promise<App> }> {
  const redis = await startRedisServer();
  const schema = await newSchema();
  const state = (name: string) =>
    `state: { dir: ${join(stage.dir, name)}, store: postgres, postgres: "${schema.url}", redis: "redis://127.0.0.1:${redis.port}" }`;
  const yaml = readFileSync(stage.configFile, 'utf8');
  const configOf = (name: string) => yaml.replace(/^state: .*$/m, state(name));
  writeFileSync(stage.configFile, configOf('data'));
  let other: App | null = null;
  onTestFinished(async () => {
    await other?.stop(5_000);
    await stage.stop();
    await schema.drop();
  });
  return {
    async startOther() {
      const file = join(stage.dir, 'other.yaml');
      writeFileSync(file, configOf('other'));
      const log = createLogger({ level: 'silent', secrets: [] });
      const { config } = loadConfig(file, {});
      other = await startApp({ config, log, unlimited: true, name: 'other' }, ROLES);
      return other;
    },
  };
}
