import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, grouped } from './support/figure.ts';
import { besideEachOther, inTurns, openRig, type Program, untilInStep, untilNothing } from './support/rig.ts';

const ORDERS = 1_000;
const SECONDS = [5, 10, 30, 120] as const;
const LIMIT_MS = 150_000;

interface Measured {
  /** Orders in the ERP after each of `SECONDS`. */
  readonly inErp: readonly number[];
  /** The time in which an order and a change of stock overtook the marks that waited before them. */
  readonly orderMs: number;
  readonly stockMs: number;
  readonly refused: number;
}

/**
 * Orders at once at the marketplace's real limits: the time until the ERP has them, and the work that overtakes their marks.
 */
export async function quotaOrders(): Promise<Figure[]> {
  const measured = await inTurns(1, measure);
  const [[own] = []] = [...measured.values()];
  if (own === undefined) throw new Error('nothing was measured');
  const at = besideEachOther(measured, ([one]) =>
    SECONDS.map((seconds, index) => `${grouped(one?.inErp[index] ?? 0)} after ${seconds} s`).join(', '),
  );
  const passing = besideEachOther(measured, ([one]) =>
    one === undefined ? '' : `order ${grouped(one.orderMs)} ms, stock ${grouped(one.stockMs)} ms`,
  );
  return [
    {
      what: `orders in the ERP, of ${grouped(ORDERS)} at once, with 8 calls a second and 300 a minute`,
      value: at.value,
      comparedTo: `target all within 10 s${at.beside}`,
      met: own.inErp[1] === ORDERS,
    },
    {
      what: 'an order and a change of stock that come while the marks wait, until the other side has it',
      value: passing.value,
      comparedTo: `polls every second on both sides${passing.beside}`,
    },
    { what: 'calls answered with 429', value: String(own.refused), comparedTo: 'target 0', met: own.refused === 0 },
  ];
}

async function measure(program: Program): Promise<Measured> {
  const rig = await openRig({ products: 200, limits: true, poll: 'orders: 2s', erpPoll: '1s' });
  const daemon = await rig.startDaemon({ unlimited: false, program });
  await untilInStep(daemon);
  await rig.sides.resetCalls();
  await rig.sides.placeOrders(ORDERS);
  const startedMs = performance.now();
  const inErp: number[] = [];
  let orderMs = Number.NaN;
  let stockMs = Number.NaN;
  for (const seconds of SECONDS) {
    await sleep(startedMs + seconds * 1_000 - performance.now());
    inErp.push(Math.min(ORDERS, await rig.sides.ordersInErp()));
    if (seconds !== 30) continue;
    orderMs = await timed(async () => {
      const [number] = await rig.sides.placeOrders(1);
      await untilNothing(async () => ((await rig.sides.isInErp(number ?? '')) ? null : (number ?? '')), {
        limitMs: LIMIT_MS,
      });
    });
    const patches = (await rig.sides.calls())['products.patch'] ?? 0;
    stockMs = await timed(async () => {
      await rig.sides.take(1);
      await untilNothing(
        async () => (((await rig.sides.calls())['products.patch'] ?? 0) > patches ? null : 'no stock was written'),
        { limitMs: LIMIT_MS },
      );
    });
  }
  const refused = await rig.sides.answered(429);
  await rig.close();
  return { inErp, orderMs, stockMs, refused };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
