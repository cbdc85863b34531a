// A daemon that only keeps its private Redis, for tests that end it. Arguments: the data folder and the behaviour.
import { openPrivateRedis } from '../../../src/daemon/redis/server.ts';
import { tryLock } from '../../../src/store/sqlite/lock.ts';

const [dataDir = '', then] = process.argv.slice(2);
await openPrivateRedis({
  dataDir,
  lock: () => tryLock(dataDir, 'redis'),
  report: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
});
if (then === 'exit') process.exit(0);
