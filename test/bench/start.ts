import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeOptionsOf } from '../support/as-started.ts';
import type { Figure } from './support/figure.ts';
import { besideEachOther, inTurns, median, openRig, type Program, type Rig } from './support/rig.ts';

const ROUNDS = 5;
const LOOK_EVERY_MS = 10;
const FIRST_TARGET_MS = 1_500;
const LIMIT_MS = 60_000;

/**
 * From the start of `stockbridge run` until /readyz says yes: with an empty data folder, and again with the data of the first
 * run.
 */
export async function start(): Promise<Figure[]> {
  const bare: number[] = [];
  const measured = await inTurns(ROUNDS, async (program) => {
    bare.push(await bareNodeMs());
    return measure(program);
  });
  const [own = []] = [...measured.values()];
  const first = besideEachOther(measured, (all) => {
    const lists = all.map(({ erpLists }) => erpLists);
    return `${median(all.map(({ firstMs }) => firstMs)).toFixed(0)} ms, the ERP's lists read ${[...new Set(lists)].join(' or ')}`;
  });
  const again = besideEachOther(measured, (all) => `${median(all.map(({ againMs }) => againMs)).toFixed(0)} ms`);
  return [
    {
      what: 'start to ready, 1,000 products known from the last time',
      value: again.value,
      comparedTo: `${median(bare).toFixed(0)} ms for node to start and end with nothing to do${again.beside}; medians of ${ROUNDS}`,
    },
    {
      what: 'the very first start to ready: the database made, 1,000 products read on both sides',
      value: first.value,
      comparedTo: `target ${FIRST_TARGET_MS} ms and each list once${first.beside}`,
      met: median(own.map(({ firstMs }) => firstMs)) <= FIRST_TARGET_MS,
    },
  ];
}

async function measure(program: Program): Promise<{ firstMs: number; againMs: number; erpLists: string }> {
  const rig = await openRig({ products: 1_000, limits: false });
  const firstMs = await startToReadyMs(rig, program);
  const lists = await rig.sides.erpLists();
  const erpLists = Object.entries(lists)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
  const againMs = await startToReadyMs(rig, program);
  await rig.close();
  return { firstMs, againMs, erpLists };
}

async function startToReadyMs(rig: Rig, { root }: Program): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [...nodeOptionsOf(root), fileURLToPath(new URL('src/main.ts', root)), 'run', '--config', rig.configFile],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
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
