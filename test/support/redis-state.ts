import { readFileSync, writeFileSync } from 'node:fs';
import type { RedisAddress } from '../../src/config/resolve.ts';
import type { Stage } from './stage.ts';

/** The keys of a Redis of the user's own in the section `state`. */
export function redisKeys(target: RedisAddress): string {
  const lists =
    target.kind === 'sentinels'
      ? { redis_sentinels: target.sentinels }
      : target.kind === 'cluster'
        ? { redis_cluster: target.cluster }
        : {};
  return Object.entries({ redis: target.url, ...lists })
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(', ');
}

/** Has the stage's daemon work on this Redis. */
export function useRedisAt({ configFile, dir }: Stage, target: RedisAddress): void {
  const own = `dir: ${dir}/data`;
  const yaml = readFileSync(configFile, 'utf8');
  if (!yaml.includes(own)) throw new Error(`${configFile} does not say ${own}`);
  writeFileSync(configFile, yaml.replace(own, `${own}, ${redisKeys(target)}`));
}
