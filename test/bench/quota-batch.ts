import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, grouped } from './support/figure.ts';
import { besideEachOther, inTurns, openRig, type Program, untilInStep, untilNothing } from './support/rig.ts';

const WRITES = 250;
const IDLE_MS = 62_000;
const TARGET_SECONDS = 32;

interface Measured {
  readonly seconds: number;
  readonly refused: number;
}

/** A batch of stock writes after a minute without a call: the quota lets 8 a second through. */
export async function quotaBatch(): Promise<Figure[]> {
  const measured = await inTurns(1, measure);
  const [[own] = []] = [...measured.values()];
  const { value, beside } = besideEachOther(
    measured,
    ([one]) => `${one?.seconds.toFixed(1)} s, ${one?.refused} times 429`,
  );
  return [
    {
      what: `${grouped(WRITES)} stock writes after an idle minute, with 8 calls a second and 300 a minute`,
      value,
      comparedTo: `target ${TARGET_SECONDS} s and 0 times 429${beside}`,
      met: own !== undefined && own.seconds <= TARGET_SECONDS && own.refused === 0,
    },
  ];
}

async function measure(program: Program): Promise<Measured> {
  const rig = await openRig({ products: 1_000, limits: true, erpPoll: '1s' });
  const daemon = await rig.startDaemon({ unlimited: false, program });
  await untilInStep(daemon);
  await sleep(IDLE_MS);
  await rig.sides.resetCalls();
  await rig.sides.take(WRITES);
  const lacking = async () => {
    const written = (await rig.sides.calls())['products.patch'] ?? 0;
    return written >= WRITES ? null : `${written} of ${WRITES} are written`;
  };
  await untilNothing(lacking);
  const times = await rig.sides.callTimes('products.patch');
  const refused = await rig.sides.answered(429);
  await rig.close();
  return { seconds: (Math.max(...times) - Math.min(...times)) / 1_000, refused };
}
