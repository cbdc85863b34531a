import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Figure } from './support/figure.ts';
import { median, openRig, type Rig } from './support/rig.ts';

const ROUNDS = 5;
const LOOK_EVERY_MS = 10;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const LIMIT_MS = 60_000;

/** From the start of `stockbridge run` until /readyz says yes: with nothing there, and again with what was left. */
export async function start(): Promise<Figure[]> {
  const bare: number[] = [];
  const again: number[] = [];
  const rig = await openRig({ products: 1_000, limits: false });
  const first = await startToReadyMs(rig);
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(await bareNodeMs());
    again.push(await startToReadyMs(rig));
  }
  await rig.close();
  return [
    {
      what: 'start to ready, 1,000 products known from the last time',
      value: `${median(again).toFixed(0)} ms`,
      comparedTo: `${median(bare).toFixed(0)} ms for node to start and end with nothing to do; medians of ${ROUNDS}`,
    },
    {
      what: 'the very first start to ready: the database made, 1,000 products read on both sides',
      value: `${first.toFixed(0)} ms`,
      comparedTo: `${median(again).toFixed(0)} ms for a later start`,
    },
  ];
}

async function startToReadyMs(rig: Rig): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [MAIN, 'run', '--config', rig.configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk;
  });
  const isReady = async () => {
    const admin = /"admin":"([^"]+)"/.exec(log)?.[1];
    return admin !== undefined && (await fetch(`${admin}/readyz`)).ok;
  };
  while (!(await isReady())) {
    if (performance.now() - startedMs > LIMIT_MS || child.exitCode !== null)
      throw new Error(`it is not ready:\n${log}`);
    await sleep(LOOK_EVERY_MS);
  }
  const tookMs = performance.now() - startedMs;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return tookMs;
}

async function bareNodeMs(): Promise<number> {
  const startedMs = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - startedMs;
}
