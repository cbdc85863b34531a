import type { BareQueueApi } from './support/bare-queue-process.ts';
import { type Figure, grouped } from './support/figure.ts';
import {
  besideEachOther,
  type Daemon,
  inTurns,
  median,
  openRig,
  type Program,
  untilExported,
  untilInStep,
} from './support/rig.ts';
import { start } from './support/rpc.ts';

export const ROUNDS = 3;
export const ORDERS = 1_000;
const ANSWER_MS = 20;
const MAX_SECONDS = 5;
const MAX_CPU_SECONDS = 3.5;

export interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakMb: number;
  readonly problems: number;
}

/** Orders at once without a quota, both sides answering after 20 ms, beside BullMQ with a no-op in the same run. */
export async function orders(): Promise<Figure[]> {
  const bare = start<BareQueueApi>(new URL('support/bare-queue-process.ts', import.meta.url));
  const queue: number[] = [];
  const measured = await inTurns(ROUNDS, async (program) => {
    queue.push((ORDERS * 1_000) / (await bare.api.work(ORDERS)).tookMs);
    return measureOrders(program);
  });
  await bare.end();
  const own = [...measured.values()][0] ?? [];
  const seconds = median(own.map((one) => one.seconds));
  const cpuSeconds = median(own.map((one) => one.cpuSeconds));
  const { value, beside } = besideEachOther(measured, showOrders);
  const problems = own.reduce((sum, one) => sum + one.problems, 0);
  return [
    {
      what: `${grouped(ORDERS)} orders at once, from the marketplace into the ERP and marked there, both sides answering in ${ANSWER_MS} ms`,
      value,
      comparedTo: `target ${MAX_SECONDS} s and ${MAX_CPU_SECONDS} s of processor${beside}; ${grouped(median(queue))} jobs a second of bare BullMQ with a no-op; medians of ${ROUNDS}`,
      met: seconds <= MAX_SECONDS && cpuSeconds <= MAX_CPU_SECONDS,
    },
    {
      what: 'orders that are not in the ERP exactly once, or not marked',
      value: String(problems),
      comparedTo: `0 of ${grouped(ROUNDS * ORDERS)}`,
      met: problems === 0,
    },
  ];
}

/** @param beside work that goes on meanwhile; returns a function that ends it */
export async function measureOrders(
  program: Program,
  beside: (daemon: Daemon) => Promise<() => Promise<void>> = async () => async () => {},
): Promise<Measured> {
  const rig = await openRig({
    products: 200,
    limits: false,
    answerMs: ANSWER_MS,
    poll: 'orders: 2s',
    erpPoll: '5s',
  });
  const daemon = await rig.startDaemon({ unlimited: true, program });
  await untilInStep(daemon);
  await rig.sides.resetCalls();
  const end = await beside(daemon);
  const before = await daemon.api.usage();
  await rig.sides.placeOrders(ORDERS);
  const startedMs = performance.now();
  await untilExported(rig, ORDERS);
  const seconds = (performance.now() - startedMs) / 1_000;
  const { cpuMs, peakMb } = await daemon.api.usage();
  await end();
  await untilInStep(daemon);
  const problems = (await rig.sides.orderProblems()).length;
  await rig.close();
  return { seconds, cpuSeconds: (cpuMs - before.cpuMs) / 1_000, peakMb, problems };
}

export function showOrders(measured: readonly Measured[]): string {
  const of = (field: keyof Measured) => median(measured.map((one) => one[field]));
  return `${of('seconds').toFixed(1)} s, ${of('cpuSeconds').toFixed(1)} s of the daemon's processor, peak ${grouped(of('peakMb'))} MB`;
}
