import { type Figure, grouped } from './support/figure.ts';
import { openRig, totalOf, untilExported, untilInStep, WEBHOOK_SECRET } from './support/rig.ts';

const ORDERS = 10_000;
const PAGE = 500;
const TARGET = 1.02;

/** Calls for a backlog of orders, with the settings as shipped and webhooks on, but no quota to wait for. */
export async function exportCalls(): Promise<Figure[]> {
  const rig = await openRig({ products: 500, limits: false });
  const daemon = await rig.startDaemon({ unlimited: true });
  await untilInStep(daemon);
  await rig.sides.sendWebhooksTo(daemon.receiverUrl, WEBHOOK_SECRET);
  await rig.sides.resetCalls();
  await rig.sides.placeOrders(ORDERS);
  await untilExported(rig, ORDERS);
  await untilInStep(daemon);
  const calls = await rig.sides.calls();
  const problems = await rig.sides.orderProblems();
  await rig.close();
  const least = ORDERS / PAGE + ORDERS;
  const ratio = totalOf(calls) / least;
  return [
    {
      what: `calls for ${grouped(ORDERS)} orders exported`,
      value: `${grouped(totalOf(calls))} (${breakdown(calls)}): ${ratio.toFixed(4)} of the least possible; problems: ${problems.length}`,
      comparedTo: `${grouped(least)}: pages of ${PAGE} and one external_id for each; target ${TARGET} at most`,
      met: ratio <= TARGET && problems.length === 0,
    },
  ];
}

function breakdown(calls: Readonly<Record<string, number>>): string {
  return Object.entries(calls)
    .map(([operation, count]) => `${operation} ${grouped(count)}`)
    .join(', ');
}
