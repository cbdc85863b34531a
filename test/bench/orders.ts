import type { BareQueueApi } from './support/bare-queue-process.ts';
import { type Figure, grouped } from './support/figure.ts';
import { median, openRig, untilExported, untilInStep } from './support/rig.ts';
import { start } from './support/rpc.ts';

const ROUNDS = 3;
const ORDERS = 1_000;

/** Orders a second through the whole pipeline without a quota, beside BullMQ with a no-op in the same run. */
export async function orders(): Promise<Figure[]> {
  const rig = await openRig({ products: 200, limits: false, poll: 'orders: 500ms', erpPoll: '5s' });
  const bare = start<BareQueueApi>(new URL('support/bare-queue-process.ts', import.meta.url));
  const daemon = await rig.startDaemon({ unlimited: true });
  await untilInStep(daemon);
  const pipeline: number[] = [];
  const queue: number[] = [];
  const cpuMs: number[] = [];
  // In turns, so that both meet the same neighbours on the machine.
  for (let round = 0; round < ROUNDS; round += 1) {
    queue.push((ORDERS * 1_000) / (await bare.api.work(ORDERS)).tookMs);
    await rig.sides.resetCalls();
    const before = await daemon.api.usage();
    await rig.sides.placeOrders(ORDERS);
    const startedMs = performance.now();
    await untilExported(rig, ORDERS);
    pipeline.push((ORDERS * 1_000) / (performance.now() - startedMs));
    cpuMs.push(((await daemon.api.usage()).cpuMs - before.cpuMs) / ORDERS);
    await untilInStep(daemon);
  }
  const problems = await rig.sides.orderProblems();
  await bare.end();
  await rig.close();
  const share = (100 * median(pipeline)) / median(queue);
  return [
    {
      what: `${grouped(ORDERS)} orders at once, from the marketplace into the ERP and marked there`,
      value: `${grouped(median(pipeline))} orders a second, ${median(cpuMs).toFixed(1)} ms of the daemon's processor each`,
      comparedTo: `${grouped(median(queue))} jobs a second of bare BullMQ with a no-op (${share.toFixed(1)} percent); medians of ${ROUNDS}`,
    },
    {
      what: 'orders that are not in the ERP exactly once, or not marked',
      value: String(problems.length),
      comparedTo: `0 of ${grouped(ROUNDS * ORDERS)}`,
      met: problems.length === 0,
    },
  ];
}
