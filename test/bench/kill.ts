import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, grouped } from './support/figure.ts';
import {
  besideEachOther,
  inTurns,
  openRig,
  type Program,
  untilExported,
  untilInErp,
  untilInStep,
} from './support/rig.ts';

const ORDERS = 1_000;
const KILLED_AT = 500;
const ANSWER_MS = 20;
/** A multiple of the time for the rest of the orders. A longer time would be a tail. */
const MAX_SECONDS = 25;

interface Measured {
  /** The time from the kill until most orders, and until all orders, are marked. */
  readonly mostSeconds: number;
  readonly allSeconds: number;
  readonly cpuSeconds: number;
  readonly problems: number;
}

/**
 * A kill in the middle of many orders, and a start at once: the time until the last order is done, and the cost of waiting.
 */
export async function kill(): Promise<Figure[]> {
  const measured = await inTurns(2, measure);
  const own = [...measured.values()][0] ?? [];
  const { value, beside } = besideEachOther(measured, (all) =>
    all
      .map(
        ({ mostSeconds, allSeconds, cpuSeconds }) =>
          `990 after ${mostSeconds.toFixed(1)} s, all after ${allSeconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor`,
      )
      .join(' and '),
  );
  return [
    {
      what: `${grouped(ORDERS)} orders, killed when ${KILLED_AT} were in the ERP, and started again`,
      value,
      comparedTo: `target ${MAX_SECONDS} s${beside}`,
      met: own.every(({ allSeconds }) => allSeconds <= MAX_SECONDS),
    },
    {
      what: 'orders that are not in the ERP exactly once, or not marked',
      value: String(own.reduce((sum, { problems }) => sum + problems, 0)),
      comparedTo: '0',
      met: own.every(({ problems }) => problems === 0),
    },
  ];
}

async function measure(program: Program): Promise<Measured> {
  const rig = await openRig({
    products: 200,
    limits: false,
    answerMs: ANSWER_MS,
    poll: 'orders: 2s',
    erpPoll: '5s',
  });
  const first = await rig.startDaemon({ unlimited: true, program });
  await untilInStep(first);
  await rig.sides.resetCalls();
  await rig.sides.placeOrders(ORDERS);
  await untilInErp(rig, KILLED_AT, 60_000);
  const killedMs = performance.now();
  await first.kill();
  const second = await rig.startDaemon({ unlimited: true, program });
  const sinceKill = () => (performance.now() - killedMs) / 1_000;
  await untilExported(rig, ORDERS - 10);
  const mostSeconds = sinceKill();
  await untilExported(rig, ORDERS);
  const allSeconds = sinceKill();
  const { cpuMs } = await second.api.usage();
  await sleep(1_000);
  const problems = (await rig.sides.orderProblems()).length;
  await rig.close();
  return { mostSeconds, allSeconds, cpuSeconds: cpuMs / 1_000, problems };
}
