import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, grouped } from './support/figure.ts';
import { besideEachOther, inTurns, openRig, type Program, untilNothing } from './support/rig.ts';

const CREATES = 2_000;
const LISTED = 100;
const ORDER_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 500;
const AGE_BOUND_MS = 10_000;
const ORDER_BOUND_MS = 15_000;
/** The minutes of the drain that are measured. All of it takes a quarter of an hour. */
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 3);

interface Measured {
  /** By list: how old it became at most, and its interval. */
  readonly oldest: ReadonlyMap<string, { readonly ageMs: number; readonly everyMs: number }>;
  readonly orders: readonly { readonly sincePlacedMs: number; readonly sinceListMs: number }[];
  readonly created: number;
  readonly refused: number;
}

/** Freshness (I18) while an approved plan of creates goes out at the marketplace's real limits, without webhooks. */
export async function backlog(): Promise<Figure[]> {
  const measured = await inTurns(1, measure);
  const [[own] = []] = [...measured.values()];
  if (own === undefined) throw new Error('nothing was measured');
  const ages = besideEachOther(measured, ([one]) => (one === undefined ? '' : showAges(one)));
  const worst = (field: 'sincePlacedMs' | 'sinceListMs', { orders }: Measured) =>
    Math.max(...orders.map((one) => one[field]));
  const times = besideEachOther(measured, ([one]) =>
    one === undefined
      ? ''
      : `${seconds(worst('sinceListMs', one))} since the next list of orders, ${seconds(worst('sincePlacedMs', one))} since it was placed`,
  );
  const drained = besideEachOther(measured, ([one]) => grouped(one?.created ?? 0));
  return [
    {
      what: `the oldest that each list became during ${MINUTES} minutes of ${grouped(CREATES)} approved creates`,
      value: ages.value,
      comparedTo: `the interval of each and ${AGE_BOUND_MS / 1_000} s${ages.beside}`,
      met: [...own.oldest.values()].every(({ ageMs, everyMs }) => ageMs <= everyMs + AGE_BOUND_MS),
    },
    {
      what: `the slowest of ${own.orders.length} orders into the ERP, one each ${ORDER_EVERY_MS / 1_000} s`,
      value: times.value,
      comparedTo: `target ${ORDER_BOUND_MS / 1_000} s since the list${times.beside}`,
      met: worst('sinceListMs', own) <= ORDER_BOUND_MS,
    },
    {
      what: 'creates that were sent meanwhile',
      value: drained.value,
      comparedTo: `a quota of 300 calls a minute for everything${drained.beside}`,
    },
    { what: 'calls answered with 429', value: String(own.refused), comparedTo: 'target 0', met: own.refused === 0 },
  ];
}

async function measure(program: Program): Promise<Measured> {
  const rig = await openRig({ products: LISTED + CREATES, listed: LISTED, creates: 10, limits: true });
  const { api } = await rig.startDaemon({ unlimited: false, program });
  let approved = 0;
  const lacking = async () => {
    approved += await api.approveAll();
    return approved < CREATES ? `${approved} of ${CREATES} creates wait for approval` : null;
  };
  await untilNothing(lacking, { limitMs: 600_000 });
  await rig.sides.resetCalls();
  const oldest = new Map<string, { ageMs: number; everyMs: number }>();
  const watching = new AbortController();
  const watch = async () => {
    while (!watching.signal.aborted) {
      for (const { collection, ageMs, everyMs } of await api.ages()) {
        const before = oldest.get(collection)?.ageMs ?? 0;
        oldest.set(collection, { ageMs: Math.max(before, ageMs ?? Number.POSITIVE_INFINITY), everyMs });
      }
      await sleep(LOOK_EVERY_MS);
    }
  };
  const watched = watch();
  const orders = await rig.sides.followOrders(ORDER_EVERY_MS, MINUTES * 60_000);
  watching.abort();
  await watched;
  const created = (await rig.sides.calls())['products.create'] ?? 0;
  const refused = await rig.sides.answered(429);
  await rig.close();
  return { oldest, orders, created, refused };
}

function showAges({ oldest }: Measured): string {
  const shown = [...oldest].map(([list, { ageMs, everyMs }]) => `${list} ${seconds(ageMs)} of ${seconds(everyMs)}`);
  return shown.join(', ');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
