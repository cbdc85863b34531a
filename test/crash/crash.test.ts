import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Point } from './effects.ts';
import { type Matrix, openMatrix } from './matrix.ts';
import { pointsOf, show } from './points.ts';

/*
 * The two flows that create: after every call and every commit of more than what was read, and before every call. Before
 * a commit, what is on the disk is what it was after the effect before it. `npm run crash` plays every point of all flows,
 * and every pair of points.
 */

const MATTERS = /journal|intents|mappings|work|^[A-Z]+ /;
const LIMIT_MS = 600_000;

let matrices: Matrix[];
beforeAll(async () => {
  matrices = await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, openMatrix));
});
afterAll(() => Promise.all(matrices.map((matrix) => matrix.close())));

for (const flow of ['order', 'product'] as const) {
  test(
    `${flow}: whatever the daemon is killed after, it goes on where it was, and nothing is made twice`,
    async () => {
      const [known] = await Promise.all(matrices.map(async (matrix) => matrix.recover(await matrix.begin(flow))));
      expect(known?.problems).toEqual([]);
      const effects = known?.effects ?? [];
      const matters = ({ effect, moment }: Point) => {
        const what = effects[effect - 1] ?? '';
        return MATTERS.test(what) && (moment === 'after' || !what.startsWith('commit'));
      };
      const left = pointsOf(effects.length).filter(matters);
      const points = left.length;
      const failed: string[] = [];
      let struck = 0;
      const play = async (matrix: Matrix) => {
        for (let point = left.shift(); point !== undefined; point = left.shift()) {
          const world = await matrix.crash(await matrix.begin(flow), point, 'killed');
          const { problems } = await matrix.recover(world);
          if (world.struck[0] !== null) struck += 1;
          const again = `npm run crash -- --flow ${flow} --at ${show(point)}`;
          if (problems.length > 0)
            failed.push(`killed ${show(point)} (${world.struck[0]}), ${problems.join('; ')}: ${again}`);
        }
      };
      await Promise.all(matrices.map(play));
      expect(failed).toEqual([]);
      expect(struck).toBeGreaterThan(points / 2);
    },
    LIMIT_MS,
  );
}
