import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../support/as-started.ts';
import { type Figure, grouped } from './support/figure.ts';
import { openRig } from './support/rig.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const USAGE = new URL('support/usage-at-exit.ts', import.meta.url).href;
const ORDERS = 150;
/** What `plan` of a catalogue may take of the processor, in seconds. */
const CATALOGUES = [
  { products: 2_000, cpuSeconds: 15 },
  { products: 10_000, cpuSeconds: 60 },
];
const ONE_SECONDS = 1;
const MAX_MB = 400;

/** `stockbridge plan` as a user starts it: a catalogue that is half listed by hand, with orders, at the documented quota. */
export async function plan(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { products, cpuSeconds } of CATALOGUES) {
    const rig = await openRig({ products, listed: products / 2, byHand: true, creates: 50, limits: true });
    const [order = ''] = await rig.sides.placeOrders(ORDERS);
    const ask = (...args: string[]) => usageOf(['--config', rig.configFile, 'plan', ...args]);
    const whole = await ask('--summary');
    figures.push({
      what: `plan of ${grouped(products)} products, half of them listed by hand, and ${ORDERS} orders`,
      value: shown(whole),
      comparedTo: `target ${cpuSeconds} s of the processor and ${MAX_MB} MB at most`,
      met: whole.cpuMs <= cpuSeconds * 1_000 && whole.peakMb <= MAX_MB,
    });
    for (const part of [
      ['--order', order],
      ['--sku', 'SB-0001'],
    ]) {
      const one = await ask(...part);
      figures.push({
        what: `plan ${part[0]} of them`,
        value: shown(one),
        comparedTo: `target ${ONE_SECONDS} s`,
        met: one.wallMs <= ONE_SECONDS * 1_000,
      });
    }
    await rig.close();
  }
  return figures;
}

interface Usage {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMb: number;
}

function shown({ wallMs, cpuMs, peakMb }: Usage): string {
  return `${grouped(cpuMs / 1_000, 1)} s of the processor, ${grouped(wallMs / 1_000, 1)} s, peak ${grouped(peakMb)} MB`;
}

async function usageOf(args: readonly string[]): Promise<Usage> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...NODE_OPTIONS, '--import', USAGE, MAIN, ...args], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  let text = '';
  child.stdio[3]?.on('data', (chunk) => (text += String(chunk)));
  await once(child, 'close');
  return { wallMs: performance.now() - startedMs, ...(JSON.parse(text) as Pick<Usage, 'cpuMs' | 'peakMb'>) };
}
