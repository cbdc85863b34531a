import type { BareQueueApi } from './support/bare-queue-process.ts';
import type { BareScriptApi } from './support/bare-script-process.ts';
import { type Figure, grouped } from './support/figure.ts';
import {
  besideEachOther,
  type Daemon,
  inTurns,
  median,
  openRig,
  type Program,
  type Rig,
  untilExported,
  untilInStep,
} from './support/rig.ts';
import { start } from './support/rpc.ts';

export const ROUNDS = 3;
export const ORDERS = 1_000;
const ANSWER_MS = 20;
/** The daemon against the bare script. */
const MAX_WALL = 1;
const MAX_CPU = 3;
/** The governor counts each call, and lets all of them through. */
const ROOM = 'limits: { per_second: 100000, per_minute: 1000000 }';

export interface Measured {
  readonly seconds: number;
  /** Of the daemon. */
  readonly cpuSeconds: number;
  /** Of its private Redis. */
  readonly redisSeconds: number;
  readonly peakMb: number;
  readonly problems: number;
}

/**
 * Orders at once, both sides answering after 20 ms, as a user runs the daemon: with the governor, a private Redis and an ERP that
 * promises nothing. In the same run, a bare script does the same work, and BullMQ runs as many jobs that do nothing.
 */
export async function orders(): Promise<Figure[]> {
  const queue = start<BareQueueApi>(new URL('support/bare-queue-process.ts', import.meta.url));
  const jobs: number[] = [];
  const bare: { seconds: number; cpuSeconds: number }[] = [];
  const measured = await inTurns(ROUNDS, async (program) => {
    jobs.push((ORDERS * 1_000) / (await queue.api.work(ORDERS)).tookMs);
    bare.push(await measureBare());
    return measureOrders(program);
  });
  await queue.end();
  const own = [...measured.values()][0] ?? [];
  const bareSeconds = median(bare.map((one) => one.seconds));
  const bareCpuSeconds = median(bare.map((one) => one.cpuSeconds));
  const wall = median(own.map((one) => one.seconds)) / bareSeconds;
  const cpu = median(own.map((one) => one.cpuSeconds + one.redisSeconds)) / bareCpuSeconds;
  const { value, beside } = besideEachOther(measured, showOrders);
  const problems = own.reduce((sum, one) => sum + one.problems, 0);
  return [
    {
      what: `${grouped(ORDERS)} orders at once, from the marketplace into the ERP and marked there, both sides answering in ${ANSWER_MS} ms`,
      value,
      comparedTo: `a bare script: ${bareSeconds.toFixed(1)} s, ${bareCpuSeconds.toFixed(1)} s of processor${beside}; ${grouped(median(jobs))} jobs a second of bare BullMQ with a no-op; medians of ${ROUNDS}`,
    },
    {
      what: 'the daemon against the bare script: time, and processor with Redis',
      value: `${wall.toFixed(1)} times, ${cpu.toFixed(1)} times`,
      comparedTo: `at most ${MAX_WALL} and ${MAX_CPU} times`,
      met: wall <= MAX_WALL && cpu <= MAX_CPU,
    },
    {
      what: 'orders that are not in the ERP exactly once, or not marked',
      value: String(problems),
      comparedTo: `0 of ${grouped(ROUNDS * ORDERS)}`,
      met: problems === 0,
    },
  ];
}

const openSides = (): Promise<Rig> =>
  openRig({
    products: 200,
    limits: false,
    answerMs: ANSWER_MS,
    poll: 'orders: 2s',
    erpPoll: '5s',
    marketplace: ROOM,
  });

async function measureBare() {
  const rig = await openSides();
  const script = start<BareScriptApi>(new URL('support/bare-script-process.ts', import.meta.url));
  await rig.sides.placeOrders(ORDERS);
  const { tookMs, cpuMs, count } = await script.api.work(rig.address);
  if (count !== ORDERS) throw new Error(`the bare script found ${count} orders`);
  await script.end();
  await rig.close();
  return { seconds: tookMs / 1_000, cpuSeconds: cpuMs / 1_000 };
}

/** @param beside work that goes on meanwhile; returns a function that ends it */
export async function measureOrders(
  program: Program,
  beside: (daemon: Daemon) => Promise<() => Promise<void>> = async () => async () => {},
): Promise<Measured> {
  const rig = await openSides();
  const daemon = await rig.startDaemon({ unlimited: false, program });
  await untilInStep(daemon);
  await rig.sides.resetCalls();
  const end = await beside(daemon);
  const before = await daemon.api.usage();
  await rig.sides.placeOrders(ORDERS);
  const startedMs = performance.now();
  await untilExported(rig, ORDERS);
  const seconds = (performance.now() - startedMs) / 1_000;
  const { cpuMs, redisMs, peakMb } = await daemon.api.usage();
  await end();
  await untilInStep(daemon);
  const problems = (await rig.sides.orderProblems()).length;
  await rig.close();
  const cpuSeconds = (cpuMs - before.cpuMs) / 1_000;
  return { seconds, cpuSeconds, redisSeconds: (redisMs - before.redisMs) / 1_000, peakMb, problems };
}

export function showOrders(measured: readonly Measured[]): string {
  const of = (field: keyof Measured) => median(measured.map((one) => one[field]));
  return `${of('seconds').toFixed(1)} s, ${of('cpuSeconds').toFixed(1)} s of the daemon's processor and ${of('redisSeconds').toFixed(1)} s of Redis, peak ${grouped(of('peakMb'))} MB`;
}
