import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../support/as-started.ts';
import { type Figure, grouped } from './support/figure.ts';
import { openRig, totalOf } from './support/rig.ts';

const LARGE = 100_000;
const SMALL = 10_000;
const PAGE_SIZE = 500;
const MAX_MB = 150;
const LOOK_EVERY_MS = 20;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** `stockbridge api products.list --all` into a pipe, as a process of its own, without a quota to wait for. */
export async function apiAll(): Promise<Figure[]> {
  const small = await measure(SMALL);
  const large = await measure(LARGE);
  return [
    {
      what: `calls for "api --all" over ${grouped(LARGE)} rows`,
      value: `${large.calls} calls, ${grouped(large.rows)} rows, ${grouped(large.seconds, 1)} s`,
      comparedTo: `one call per ${PAGE_SIZE} rows: ${LARGE / PAGE_SIZE}; ${grouped(small.seconds, 1)} s for ${grouped(SMALL)}`,
      met: large.calls <= LARGE / PAGE_SIZE && large.rows === LARGE,
    },
    {
      what: 'its peak memory',
      value: `${grouped(large.peakMb)} MB`,
      comparedTo: `target ${MAX_MB} MB at most; ${grouped(small.peakMb)} MB for ${grouped(SMALL)} rows`,
      met: large.peakMb <= MAX_MB,
    },
  ];
}

async function measure(products: number) {
  const rig = await openRig({
    products,
    limits: false,
    marketplace: 'limits: { per_second: 100000, per_minute: 1000000 }',
  });
  await rig.sides.resetCalls();
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [...NODE_OPTIONS, MAIN, 'api', 'products.list', '--all', '--config', rig.configFile],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let rows = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 0x0a) rows += 1;
  });
  let peakMb = 0;
  const looking = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
  }, LOOK_EVERY_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(looking);
  const seconds = (performance.now() - startedMs) / 1_000;
  if (code !== 0) throw new Error(`it ended with ${code}`);
  const calls = totalOf(await rig.sides.calls());
  await rig.close();
  return { rows, calls, seconds, peakMb };
}

/** The peak memory of a process by the system; 0 once it is gone. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
