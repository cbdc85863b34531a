import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { inTime } from '../../support/in-time.ts';
import { privateRedisFolder } from './private-redis-folder.ts';

test('the private redis-server is never stopped while a process has just begun to use it', async () => {
  const { open, end } = await privateRedisFolder();
  onTestFinished(end);
  for (let delayMs = 0; delayMs < 15; delayMs += 0.5) {
    const first = await open();
    const coming = open();
    await sleep(delayMs);
    await first.redis.stop();
    const { redis, events } = await coming;
    const kinds = () => events.map(({ kind }) => kind);
    if (kinds()[0] === 'shared') await inTime(() => expect(kinds()).toEqual(['shared', 'taken-over']));
    else expect(kinds()).toEqual([...(kinds().length > 1 ? ['orphan-ended'] : []), 'started']);
    await redis.stop();
  }
});
