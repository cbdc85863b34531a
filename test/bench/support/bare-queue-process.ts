import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { connectForQueue } from '../../../src/daemon/redis/connect.ts';
import { openPrivateRedis } from '../../../src/daemon/redis/server.ts';
import { serve } from './rpc.ts';

/* BullMQ and nothing else, on a Redis with the settings of the daemon's private one. */

const CONCURRENCY = 16;

const api = {
  /** Puts `count` jobs on the queue at once and works them off with a no-op. Returns the time that this took. */
  async work(count: number): Promise<{ tookMs: number; cpuMs: number }> {
    const dataDir = mkdtempSync(join(tmpdir(), 'bench-queue-'));
    const redis = await openPrivateRedis({ dataDir, lock: () => ({ release: () => {} }), report: () => {} });
    const connections = [0, 1].map(() => connectForQueue({ kind: 'private', socket: redis.socket }, () => {}));
    const [forQueue, forWorker] = connections;
    if (forQueue === undefined || forWorker === undefined) throw new Error('there are two connections');
    const queue = new Queue('bare', { connection: forQueue });
    const worker = new Worker('bare', async () => {}, { connection: forWorker, concurrency: CONCURRENCY });
    await worker.waitUntilReady();
    const before = process.cpuUsage();
    const startedMs = performance.now();
    const done = new Promise<void>((resolve) => {
      let left = count;
      worker.on('completed', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    const opts = { removeOnComplete: true, removeOnFail: true, attempts: 8 };
    await queue.addBulk(Array.from({ length: count }, (_, index) => ({ name: 'look', data: { key: index }, opts })));
    await done;
    const tookMs = performance.now() - startedMs;
    const { user, system } = process.cpuUsage(before);
    await worker.close();
    await queue.close();
    for (const connection of connections) connection.disconnect();
    await redis.stop();
    rmSync(dataDir, { recursive: true });
    return { tookMs, cpuMs: (user + system) / 1_000 };
  },
};

export type BareQueueApi = typeof api;

serve(api);
