import { expect, test } from 'vitest';
import type { Point } from './effects.ts';
import { FLOWS, type FlowName } from './flows.ts';
import { openMatrix } from './matrix.ts';
import { effectOf, show } from './points.ts';

/*
 * Kills in the flows that create: around every call, and after every commit that records an intent or a reason. `npm run
 * crash` plays every point of all flows, and with `--pairs` every pair of points.
 */

const CALL = /^[A-Z]+ /;
const PROMISE = /journal|intents|mappings/;
const CREATES = {
  'order-in': 'POST /v1/orders',
  'product-in': 'POST /v1/products',
  product: 'POST /api/v2/products/',
};

test.concurrent.for(['order-in', 'product-in', 'product'] as const)(
  '%s: whatever the daemon is killed after, it goes on where it was, and nothing is created twice',
  async (flow) => {
    const matrix = await openMatrix();
    try {
      const begun = await matrix.begin(flow);
      const known = await matrix.recover(begun);
      expect(known.problems).toEqual([]);
      const points = pointsThatMatter(known.effects);
      expect(points.map(show)).toContain(`after:${CREATES[flow]} 1`);
      const failed: string[] = [];
      let struck = 0;
      for (const point of points) {
        const world = await matrix.crash(begun, point, 'killed');
        const { problems } = await matrix.recover(world);
        if (world.struck[0] !== null) struck += 1;
        const again = `npm run crash -- --flow ${flow} --at "${show(point)}"`;
        if (problems.length > 0)
          failed.push(`killed ${point.moment} ${world.struck[0]}: ${problems.join('; ')}: ${again}`);
      }
      expect(failed).toEqual([]);
      expect(struck).toBeGreaterThan(points.length / 2);
    } finally {
      await matrix.close();
    }
  },
);

test('the story of every flow is completed without a kill', async () => {
  const matrix = await openMatrix();
  try {
    for (const flow of Object.keys(FLOWS) as FlowName[]) {
      const { problems } = await matrix.recover(await matrix.begin(flow));
      expect([flow, problems]).toEqual([flow, []]);
    }
  } finally {
    await matrix.close();
  }
});

function pointsThatMatter(effects: readonly string[]): Point[] {
  return effects.flatMap((line) => {
    const effect = effectOf(line);
    const after = { effect, moment: 'after' } as const;
    if (CALL.test(line)) return [{ effect, moment: 'before' } as const, after];
    return PROMISE.test(line) ? [after] : [];
  });
}
