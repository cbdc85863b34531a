import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { needing } from '../support/needing.ts';
import { programOf } from '../support/parts.ts';
import { until } from '../support/stage.ts';
import { type Running, startRunning } from './running.ts';

/*
 * A full disk and a failing disk, with the program as it is installed. strace answers the program's system calls with these
 * errors, for the files of the database only. Redis is not affected.
 */

const FAULTS = [
  { what: 'a full disk', calls: 'pwrite64,write,ftruncate,fallocate', error: 'ENOSPC' },
  { what: 'a disk that fails to write', calls: 'pwrite64', error: 'EIO' },
  { what: 'a disk that fails to bring data to its platter', calls: 'fsync,fdatasync', error: 'EIO' },
];

for (const { what, calls, error } of FAULTS) {
  needing('strace').test(
    `${what}: it is reported with what to do, nothing is sent without a record, and all goes on by itself`,
    async () => {
      const running = await startRunning();
      running.order(3);
      await running.exported(3);
      const heal = await inject(running, calls, error);
      running.order(3);
      await running.says(/the database cannot be written .*disk/);
      const before = running.stage.erp.control.state().orders.length;
      running.order(3);
      // Each readiness check meets the failure anew.
      await running.says(/the database cannot be written .*disk/);
      // A write that was on record before the disk failed may still have been sent.
      expect(running.stage.erp.control.state().orders.length).toBeLessThanOrEqual(before + 1);
      await heal();
      await running.inStep(9);
    },
  );
}

/** From now on, these system calls fail on the files of the database. Returns a function that ends this. */
async function inject({ stage, daemon }: Running, calls: string, error: string): Promise<() => Promise<void>> {
  const files = ['', '-wal', '-shm', '-journal'].flatMap((ending) => [
    '-P',
    join(stage.dir, 'data', `stockbridge.db${ending}`),
  ]);
  const traced = [`--trace=${calls}`, `--inject=${calls}:error=${error}`];
  const tracer = spawn(programOf('strace'), ['-f', '-p', String(daemon.process.pid), ...files, ...traced], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  tracer.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-10_000);
  });
  onTestFinished(() => end(tracer));
  await until('strace is attached', () => /attached/.test(said));
  return () => end(tracer);
}

async function end(tracer: ChildProcess): Promise<void> {
  if (tracer.exitCode !== null || tracer.signalCode !== null) return;
  const ended = once(tracer, 'exit');
  tracer.kill('SIGTERM');
  await ended;
}
