import { type Figure, grouped } from './support/figure.ts';
import { openRig, untilInStep, untilNothing } from './support/rig.ts';
import { sendAll, signed } from './support/signed.ts';

const WEBHOOKS = 1_000;
const PAGE = 500;
const TARGET = 5;

/** List calls for a thousand signed webhooks within one second, each for a new order of its own. */
export async function webhookCalls(): Promise<Figure[]> {
  // There are no polls: only reads because of webhooks are to be counted.
  const rig = await openRig({ products: 200, limits: false, poll: 'orders: 10m, products: 10m', erpPoll: '10m' });
  const daemon = await rig.startDaemon({ unlimited: true });
  await untilInStep(daemon);
  await rig.sides.resetCalls();
  const numbers = await rig.sides.placeOrders(WEBHOOKS);
  const hooks = numbers.map((number) =>
    signed(JSON.stringify({ action: 'create', type: 'order', data: { number, status: 'Submitted' } })),
  );
  const startedMs = performance.now();
  await sendAll(daemon.receiverUrl, hooks, { connections: 64, everyMs: 1_000 / WEBHOOKS });
  const tookMs = performance.now() - startedMs;
  await untilNothing(async () => ((await daemon.api.unseenWebhooks()) === 0 ? null : 'webhooks nobody has looked at'));
  await untilInStep(daemon);
  const {
    'orders.list': lists = 0,
    'products.list': listings = 0,
    'orders.get': singles = 0,
  } = await rig.sides.calls();
  const problems = await rig.sides.orderProblems();
  await rig.close();
  const calls = lists + listings + singles;
  return [
    {
      what: `reads for ${grouped(WEBHOOKS)} signed webhooks in ${grouped(tookMs)} ms, each for a new order`,
      value: `${lists} lists of orders, ${listings} of listings, ${singles} single reads; problems: ${problems.length}`,
      comparedTo: `the ${WEBHOOKS / PAGE} pages that the orders fill; target ${TARGET} list calls at most`,
      met: calls <= TARGET && problems.length === 0,
    },
  ];
}
