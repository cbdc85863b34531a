import { type Figure, grouped } from './support/figure.ts';
import { openRig, totalOf } from './support/rig.ts';

const PLACES = [
  { location: 'EAST', facility: 1 },
  { location: 'WEST', facility: 2 },
] as const;
const PRODUCTS = 10_000;
const ROWS = PRODUCTS * PLACES.length;
const CHANGES = ROWS / 100;
const CALLS_PER_CHANGE = 2;

/** A pass over rows by facility after one percent has changed, and a pass over rows that are in step. */
export async function facilities(): Promise<Figure[]> {
  const rig = await openRig({ products: PRODUCTS, limits: false, places: PLACES });
  const { api } = await rig.startDaemon({ unlimited: true, roles: ['work'] });
  await api.sync();
  await rig.sides.resetCalls();
  const idle = await api.sync();
  const idleCalls = await rig.sides.calls();
  await rig.sides.resetCalls();
  await rig.sides.takeAt('EAST', CHANGES);
  const startedMs = performance.now();
  const { written } = await api.sync();
  const tookMs = performance.now() - startedMs;
  const calls = await rig.sides.calls();
  const problems = await rig.sides.placeProblems(PLACES);
  await rig.close();
  const { commands, status, lists } = split(calls);
  const perChange = (commands + status) / CHANGES;
  return [
    {
      what: `a facilities pass over ${grouped(ROWS)} rows, ${grouped(CHANGES)} of them changed`,
      value: `${grouped(commands)} commands and ${grouped(status)} questions for their status, ${perChange.toFixed(2)} calls a change; ${lists} list calls; ${(tookMs / 1_000).toFixed(1)} s; ${written} written, ${problems.length} not in step`,
      comparedTo: `${CALLS_PER_CHANGE} calls a change at most, besides lists`,
      met: perChange <= CALLS_PER_CHANGE && problems.length === 0,
    },
    {
      what: 'the same with nothing changed',
      value: `${totalOf(idleCalls)} list calls, ${idle.written} written`,
      comparedTo: 'no command',
      met: split(idleCalls).commands === 0 && idle.written === 0,
    },
  ];
}

function split(calls: Readonly<Record<string, number>>) {
  const commands = calls['inventory.reconcile'] ?? 0;
  const status = calls['inventory.command-status'] ?? 0;
  return { commands, status, lists: totalOf(calls) - commands - status };
}
