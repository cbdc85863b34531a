import { type Figure, grouped } from './support/figure.ts';
import { openRig, totalOf } from './support/rig.ts';

const LARGE = 100_000;
const SMALL = 10_000;
const MAX_LISTS = 205;
const MAX_MB = 250;

/** One pass over a catalogue in which nothing has changed since the last one, in a process of its own. */
export async function memory(): Promise<Figure[]> {
  const small = await measure(SMALL);
  const large = await measure(LARGE);
  const writes = large.written + large.others;
  return [
    {
      what: `the first pass over ${grouped(LARGE)} products that both sides have and nobody has linked`,
      value: `${grouped(large.first.seconds)} s, ${grouped(large.first.calls)} calls, peak ${grouped(large.first.peakMb)} MB`,
      comparedTo: `${grouped(small.first.seconds)} s, ${grouped(small.first.calls)} calls, peak ${grouped(small.first.peakMb)} MB for ${grouped(SMALL)}`,
    },
    {
      what: `a pass over ${grouped(LARGE)} products, nothing changed`,
      value: `${large.lists} list calls, ${writes} writes, ${grouped(large.seconds)} s`,
      comparedTo: `target ${MAX_LISTS} list calls at most and 0 writes; ${small.lists} list calls and ${grouped(small.seconds)} s for ${grouped(SMALL)}`,
      met: large.lists <= MAX_LISTS && writes === 0,
    },
    {
      what: `peak memory of the daemon's process in that pass`,
      value: `${grouped(large.peakMb)} MB`,
      comparedTo: `target ${MAX_MB} MB at most; ${grouped(small.peakMb)} MB for ${grouped(SMALL)}`,
      met: large.peakMb <= MAX_MB,
    },
  ];
}

async function measure(products: number) {
  const rig = await openRig({ products, limits: false });
  const pass = async () => {
    await rig.sides.resetCalls();
    const daemon = await rig.startDaemon({ unlimited: true, roles: ['work'] });
    const startedMs = performance.now();
    const { written, pending, held, failed, failure } = await daemon.api.sync();
    const seconds = (performance.now() - startedMs) / 1_000;
    const { peakMb } = await daemon.api.usage();
    await daemon.end();
    if (pending + held + failed > 0 || failure !== null) {
      throw new Error(`not in step: ${pending} pending, ${held} held, ${failed} failed, ${failure}`);
    }
    const calls = await rig.sides.calls();
    const lists = (calls['products.list'] ?? 0) + (calls['orders.list'] ?? 0);
    return { seconds, peakMb, written, lists, others: totalOf(calls) - lists, calls: totalOf(calls) };
  };
  const first = await pass();
  const second = await pass();
  await rig.close();
  return { ...second, first };
}
