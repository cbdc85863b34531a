import { type Figure, grouped } from './support/figure.ts';
import {
  besideEachOther,
  inTurns,
  median,
  openRig,
  type Program,
  share,
  untilInStep,
  WEBHOOK_SECRET,
} from './support/rig.ts';

const ORDERS = 100;
const EVERY_MS = 600;
/** Each order costs the daemon one list call and one mark. At this interval, the quota lets them through. */
const EVERY_WITH_QUOTA_MS = 1_000;

/** Targets without a quota, of the 50th and the 99th percentile. */
const TARGET_MS = [150, 600] as const;

/** From the moment a buyer orders, when the marketplace sends its webhook, until the ERP is asked to create the order. */
export async function latency(): Promise<Figure[]> {
  const free = await inTurns(1, (program) => measure(program, false, EVERY_MS));
  const limited = await inTurns(1, (program) => measure(program, true, EVERY_WITH_QUOTA_MS));
  const figure = (
    what: string,
    measured: Map<Program, readonly number[][]>,
    everyMs: number,
    [median50, most99]: readonly [number, number],
  ): Figure => {
    const [own = []] = [...measured.values()][0] ?? [];
    const { value, beside } = besideEachOther(measured, ([tookMs = []]) => percentiles(tookMs));
    return {
      what,
      value,
      comparedTo: `target ${median50} and ${most99} ms${beside}; 15,000 ms between two polls, without webhooks; ${own.length} of ${ORDERS} orders arrived, one every ${everyMs} ms at random`,
      met: own.length === ORDERS && median(own) <= median50 && share(own, 0.99) <= most99,
    };
  };
  return [
    figure('webhook to ERP order, no quota', free, EVERY_MS, TARGET_MS),
    figure('webhook to ERP order, quota of 8 a second and 300 a minute', limited, EVERY_WITH_QUOTA_MS, TARGET_MS),
  ];
}

function percentiles(tookMs: readonly number[]): string {
  return `50th percentile ${grouped(median(tookMs))} ms, 99th ${grouped(share(tookMs, 0.99))} ms`;
}

async function measure(program: Program, limits: boolean, everyMs: number): Promise<number[]> {
  const rig = await openRig({ products: 200, limits });
  const daemon = await rig.startDaemon({ unlimited: !limits, program });
  await untilInStep(daemon);
  await rig.sides.sendWebhooksTo(daemon.receiverUrl, WEBHOOK_SECRET);
  const tookMs = await rig.sides.timeOrders(ORDERS, everyMs);
  await rig.close();
  return tookMs;
}
