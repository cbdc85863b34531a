import { type Figure, grouped } from './support/figure.ts';
import { median, openRig, share, untilInStep, WEBHOOK_SECRET } from './support/rig.ts';

const ORDERS = 100;
const EVERY_MS = 600;
/** Each order costs the daemon one list call and one mark: as many as the quota lets through. */
const EVERY_WITH_QUOTA_MS = 1_000;

/** From the moment a buyer orders, when the marketplace sends its webhook, until the ERP is asked to create the order. */
export async function latency(): Promise<Figure[]> {
  const free = await measure(false, EVERY_MS);
  const limited = await measure(true, EVERY_WITH_QUOTA_MS);
  const figure = (what: string, tookMs: readonly number[], everyMs: number): Figure => ({
    what,
    value: `50th percentile ${grouped(median(tookMs))} ms, 99th ${grouped(share(tookMs, 0.99))} ms`,
    comparedTo: `15,000 ms between two polls, without webhooks; ${tookMs.length} of ${ORDERS} orders arrived, one every ${everyMs} ms at random`,
    met: tookMs.length === ORDERS,
  });
  return [
    figure('webhook to ERP order, no quota', free, EVERY_MS),
    figure('webhook to ERP order, quota of 8 a second and 300 a minute', limited, EVERY_WITH_QUOTA_MS),
  ];
}

async function measure(limits: boolean, everyMs: number): Promise<number[]> {
  const rig = await openRig({ products: 200, limits });
  const daemon = await rig.startDaemon({ unlimited: !limits });
  await untilInStep(daemon);
  await rig.sides.sendWebhooksTo(daemon.receiverUrl, WEBHOOK_SECRET);
  const tookMs = await rig.sides.timeOrders(ORDERS, everyMs);
  await rig.close();
  return tookMs;
}
