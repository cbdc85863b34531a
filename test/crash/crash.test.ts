import { expect, test } from 'vitest';
import { type Matrix, openMatrix } from './matrix.ts';
import { effectOf, show } from './points.ts';

/*
 * The two flows that create: around every call, and after every commit that promises something or says why. Where two kills
 * would leave the same, one is played. `npm run crash` plays every point of all flows, and every pair of points.
 */

const MATTERS = /^[A-Z]+ |journal|intents|mappings/;
const LIMIT_MS = 600_000;

test.concurrent.for(['order', 'product'] as const)(
  '%s: whatever the daemon is killed after, it goes on where it was, and nothing is made twice',
  { timeout: LIMIT_MS },
  async (flow) => {
    const matrix = await openMatrix();
    try {
      const begun = await matrix.begin(flow);
      const known = await matrix.recover(begun, { imprints: true });
      expect(known.problems).toEqual([]);
      const points = pointsThatMatter(known);
      expect(points.length).toBeGreaterThan(8);
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

function pointsThatMatter({ effects, points }: Awaited<ReturnType<Matrix['recover']>>) {
  const seen = new Set<string>();
  const lines = new Map(effects.map((line) => [effectOf(line), line]));
  return points
    .filter(({ point: { effect, moment }, imprint }) => {
      const what = lines.get(effect) ?? '';
      const isCommit = what.startsWith('commit');
      if (!MATTERS.test(what) || (isCommit && moment === 'before') || seen.has(imprint)) return false;
      seen.add(imprint);
      return true;
    })
    .map(({ point }) => point);
}
