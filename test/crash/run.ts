/**
 * `npm run crash -- --flow order,product --pairs --every 7 --from N`: kills the daemon before and after every effect of the
 * flows, one point after the other, starts it again and checks. With `--pairs` it is killed a second time, at every point
 * of the start after the first kill, or at every so many of them. `--at before:30,after:2` plays exactly these.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import type { Point } from './effects.ts';
import { FLOWS, type FlowName } from './flows.ts';
import { type Matrix, openMatrix, type Recovery, type World } from './matrix.ts';
import { pointOf, pointsOf, show } from './points.ts';

const { values } = parseArgs({
  options: {
    flow: { type: 'string' },
    pairs: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    at: { type: 'string' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});

const say = (line: string) => process.stdout.write(`${line}\n`);
const total = { points: 0, pairs: 0, notReached: 0, failed: 0 };

const flows = (values.flow?.split(',') ?? Object.keys(FLOWS)) as FlowName[];
const unknown = flows.filter((flow) => !Object.hasOwn(FLOWS, flow));
if (unknown.length > 0) throw new Error(`no such flow: ${unknown.join()}; there are ${Object.keys(FLOWS).join()}`);

const startedMs = Date.now();
const matrices = await Promise.all(Array.from({ length: Number(values.jobs) }, openMatrix));
try {
  if (values.at === undefined) for (const flow of flows) await playFlow(flow);
  else for (const flow of flows) await playOnly(flow, values.at.split(',').map(pointOf));
} finally {
  await Promise.all(matrices.map((matrix) => matrix.close()));
}
const seconds = Math.round((Date.now() - startedMs) / 1_000);
const { points, pairs, notReached, failed } = total;
say(`${points} points, ${pairs} pairs, ${notReached} not reached, ${failed} failed, in ${seconds} s`);
process.exitCode = failed === 0 ? 0 : 1;

async function playOnly(flow: FlowName, wanted: readonly Point[]): Promise<void> {
  const [matrix] = matrices;
  if (matrix === undefined) throw new Error('--jobs is at least 1');
  let world = await matrix.begin(flow);
  for (const [index, point] of wanted.entries()) world = await matrix.crash(world, point, `kill-${index}`);
  say(`${flow} ${wanted.map(show).join()} struck ${world.struck.map((what) => what ?? 'nothing').join(' and ')}`);
  const recovery = await matrix.recover(world);
  for (const [index, effect] of recovery.effects.entries()) say(`  then ${index + 1}: ${effect}`);
  judge(world, wanted, recovery);
  if (recovery.problems.length === 0) say('  all is well');
  total[wanted.length === 1 ? 'points' : 'pairs'] += 1;
}

/** All points of a flow, shared out among the matrices. */
async function playFlow(flow: FlowName): Promise<void> {
  const [effects = []] = await Promise.all(matrices.map((matrix) => effectsOf(matrix, flow)));
  const all = pointsOf(effects.length);
  say(`${flow}: ${effects.length} effects, ${all.length} points`);
  const left = [...all.entries()].slice(Number(values.from) - 1);
  await Promise.all(
    matrices.map(async (matrix) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await playPoint(matrix, flow, next).catch((error: unknown) => fail(flow, [next[1]], [], [String(error)]));
      }
    }),
  );
}

/** Those of a run that nothing ends; none when even that goes wrong. */
async function effectsOf(matrix: Matrix, flow: FlowName): Promise<readonly string[]> {
  const { effects, problems } = await matrix.recover(await matrix.begin(flow));
  if (problems.length === 0) return effects;
  fail(flow, [], [], ['without any crash:', ...problems]);
  return [];
}

async function playPoint(matrix: Matrix, flow: FlowName, [index, point]: [number, Point]): Promise<void> {
  const world = await matrix.crash(await matrix.begin(flow), point, 'first');
  const recovery = await matrix.recover(world);
  total.points += 1;
  const verdict = judge(world, [point], recovery);
  let played = 0;
  if (values.pairs) {
    const every = Number(values.every);
    const nextPoints = pointsOf(recovery.effects.length).filter((_, second) => (index + second) % every === 0);
    for (const second of nextPoints) {
      const twice = await matrix.crash(world, second, 'second');
      total.pairs += 1;
      judge(twice, [point, second], await matrix.recover(twice));
      played += 1;
    }
  }
  say(
    `${flow} ${index + 1} ${show(point)} ${world.struck[0] ?? '(not reached)'}: ${verdict}${played > 0 ? `, and ${played} pairs` : ''}`,
  );
}

function judge({ flow, struck }: World, wanted: readonly Point[], { problems }: Recovery): string {
  if (struck.includes(null)) total.notReached += 1;
  if (problems.length === 0) return 'ok';
  fail(flow, wanted, struck, problems);
  return 'FAILED';
}

function fail(flow: FlowName, wanted: readonly Point[], struck: World['struck'], problems: readonly string[]): void {
  total.failed += 1;
  say(`FAILED ${flow}: killed ${wanted.map((point, index) => `${show(point)} (${struck[index]})`).join(', then ')}`);
  for (const problem of problems) say(`    ${problem}`);
  say(`    again: npm run crash -- --flow ${flow} --at ${wanted.map(show).join()}`);
}
