import type { RedisFinding } from '../../daemon/redis/inspect.ts';
import { describeRedis, type RedisTarget } from '../../daemon/redis/target.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/**
 * Checks that Redis answers, and the settings of a server of the user's own.
 * @param connectionError the connection's last error, which says more than the call that failed because of it
 */
export async function checkRedis(
  inspect: () => Promise<RedisFinding[]>,
  target: RedisTarget,
  connectionError: () => Error | null,
): Promise<Finding[]> {
  const what = describeRedis(target);
  try {
    const found = await inspect();
    if (found.length === 0) return [ok('redis', `${what}, set as it must be`)];
    return found.map(({ about, level, message }) =>
      (level === 'problem' ? fail : warn)(`redis ${about}`, `${what}: ${message}`, null),
    );
  } catch (error) {
    if (error instanceof Error && error.name === 'ReplyError') {
      const mend = 'correct the user and the password in state.redis';
      return [fail('redis', `${what} refuses: ${error.message}`, mend, 'unavailable')];
    }
    const why = connectionError()?.message ?? 'no answer in time';
    const mend = 'start it, or correct state.redis: without it no call can be made';
    return [fail('redis', `${what} does not answer (${why})`, mend, 'unavailable')];
  }
}
