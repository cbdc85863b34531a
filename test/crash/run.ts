/**
 * `npm run crash -- --flow order,product --pairs --every 7 --from N`: kills the daemon before and after every effect of the
 * flows, one point after the other, starts it again and checks. With `--pairs` the daemon is killed a second time, at every
 * point of the start after the first kill, or with `--every` at some of them. `--at "before:POST /v1/orders 1,after:commit 2"`
 * plays exactly these. `--store postgres`: the daemon's database is on PostgreSQL, and there are no pairs.
 *
 * There are very many pairs, and most of them leave the same on the disk as another pair: nothing happens between the end of a
 * commit and the beginning of the next, and a start that has written nothing yet ends like the start before it. So with
 * `--pairs` each start reports the imprint that a kill would leave at each of its points (imprint.ts). Only one pair is played
 * for each imprint. Without `--pairs`, every point is played.
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
    store: { type: 'string', default: 'sqlite' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});

/** After so many tries, an imprint counts as one that only comes about by chance. */
const MAX_TRIES = 3;
/** The most points that a run may fail to reach, as a share of all. */
const MOST_UNREACHED = 0.1;

const say = (line: string) => process.stdout.write(`${line}\n`);
/** `same`: pairs that would have left the same as another pair. `missed`: expected imprints that no kill left. */
const total = { points: 0, pairs: 0, same: 0, missed: 0, starts: 0, notReached: 0, failed: 0 };

const flows = (values.flow?.split(',') ?? Object.keys(FLOWS)) as FlowName[];
const unknown = flows.filter((flow) => !Object.hasOwn(FLOWS, flow));
if (unknown.length > 0) throw new Error(`no such flow: ${unknown.join()}; there are ${Object.keys(FLOWS).join()}`);

const postgres = values.store === 'postgres';
if (postgres && values.pairs) throw new Error('there are no imprints of PostgreSQL: leave out --pairs');

const startedMs = Date.now();
const matrices = await Promise.all(Array.from({ length: Number(values.jobs) }, () => openMatrix({ postgres })));
try {
  if (values.at === undefined) for (const flow of flows) await playFlow(flow);
  else for (const flow of flows) await playOnly(flow, values.at.split(',').map(pointOf));
} finally {
  await Promise.all(matrices.map((matrix) => matrix.close()));
}
const seconds = Math.round((Date.now() - startedMs) / 1_000);
const { points, pairs, same, missed, starts, notReached, failed } = total;
const ofPairs = values.pairs ? `, and ${same} that leave the same as one of them, ${missed} imprints missed` : '';
say(
  `${points} points, ${pairs} pairs${ofPairs}, ${starts} starts judged, ${notReached} not reached, ${failed} failed, in ${seconds} s`,
);
// Effects do not fall the same way in every run. But a run that hardly reaches its points proves nothing.
const tooFew = notReached > points * MOST_UNREACHED;
if (tooFew) say('too few points were reached: the numbering of effects is broken (test/crash/effects.ts)');
process.exitCode = failed === 0 && !tooFew ? 0 : 1;

async function playOnly(flow: FlowName, wanted: readonly Point[]): Promise<void> {
  const [matrix] = matrices;
  if (matrix === undefined) throw new Error('--jobs is at least 1');
  let world = await matrix.begin(flow);
  for (const [index, point] of wanted.entries()) world = await matrix.crash(world, point, `kill-${index}`);
  say(`${flow} ${wanted.map(show).join()} struck ${world.struck.map((what) => what ?? 'nothing').join(' and ')}`);
  const recovery = await matrix.recover(world);
  for (const effect of recovery.effects) say(`  then ${effect}`);
  judge(world, wanted, recovery);
  if (recovery.problems.length === 0) say('  all is well');
  total[wanted.length === 1 ? 'points' : 'pairs'] += 1;
}

/** All points of a flow, shared out among the matrices. */
async function playFlow(flow: FlowName): Promise<void> {
  const [effects = []] = await Promise.all(matrices.map((matrix) => effectsOf(matrix, flow)));
  const all = pointsOf(effects);
  say(`${flow}: ${effects.length} effects, ${all.length} points`);
  const left = [...all.entries()].slice(Number(values.from) - 1);
  const seen: Seen = { judged: new Set(), tries: new Map() };
  await Promise.all(
    matrices.map(async (matrix) => {
      const firsts: First[] = [];
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        const [index, point] = next;
        await attempt(flow, [point], async () => {
          const first = await playPoint(matrix, flow, index, point, seen);
          if (first !== null) firsts.push(first);
        });
      }
      if (values.pairs) for (const first of firsts) await playPairs(matrix, first, seen);
    }),
  );
  total.missed += seen.tries
    .keys()
    .filter((imprint) => !seen.judged.has(imprint))
    .toArray().length;
}

/** The effects of a run without a kill; none when even that run fails. */
async function effectsOf(matrix: Matrix, flow: FlowName): Promise<readonly string[]> {
  const { effects, problems } = await matrix.recover(await matrix.begin(flow));
  if (problems.length === 0) return effects;
  fail(flow, [], [], ['without any crash:', ...problems]);
  return [];
}

/** Imprints of a flow. */
interface Seen {
  /** Imprints from which a start was judged. */
  readonly judged: Set<string>;
  /**
   * The number of kills that were meant to leave an imprint. The order of effects varies, so a kill may have left another one.
   */
  readonly tries: Map<string, number>;
}

/** The first kill of a pair, and the start after it. */
interface First {
  readonly index: number;
  readonly point: Point;
  readonly world: World;
  readonly recovery: Recovery;
}

/** Null when a start from the same imprint was judged before (for pairs only). */
async function playPoint(
  matrix: Matrix,
  flow: FlowName,
  index: number,
  point: Point,
  { judged }: Seen,
): Promise<First | null> {
  const world = await matrix.crash(await matrix.begin(flow), point, values.pairs ? `first-${index}` : 'first');
  total.points += 1;
  const told = `${flow} ${index + 1} ${point.moment} ${world.struck[0] ?? `${point.effect} (not reached)`}`;
  if (values.pairs && judged.has(world.imprint)) {
    say(`${told}: the same as before`);
    return null;
  }
  judged.add(world.imprint);
  const recovery = await matrix.recover(world, { imprints: values.pairs });
  say(`${told}: ${judge(world, [point], recovery)}`);
  return { index, point, world, recovery };
}

async function playPairs(matrix: Matrix, first: First, seen: Seen): Promise<void> {
  const { index, point, world, recovery } = first;
  const before = { ...total };
  for (const [number, { point: second, imprint }] of recovery.points.entries()) {
    if ((index + number) % Number(values.every) !== 0) continue;
    const tries = seen.tries.get(imprint) ?? 0;
    if (seen.judged.has(imprint) || tries === MAX_TRIES) {
      total.same += 1;
      continue;
    }
    seen.tries.set(imprint, tries + 1);
    await attempt(world.flow, [point, second], () => playPair(matrix, first, second, seen));
  }
  say(
    `${world.flow} ${index + 1} ${show(point)}: ${total.pairs - before.pairs} pairs, ${total.same - before.same} the same, ${total.failed - before.failed} failed`,
  );
}

async function playPair(matrix: Matrix, { point, world }: First, second: Point, { judged }: Seen): Promise<void> {
  const twice = await matrix.crash(world, second, 'second');
  total.pairs += 1;
  if (judged.has(twice.imprint)) return;
  judged.add(twice.imprint);
  judge(twice, [point, second], await matrix.recover(twice));
}

async function attempt(flow: FlowName, wanted: readonly Point[], play: () => Promise<void>): Promise<void> {
  await play().catch((error: unknown) => fail(flow, wanted, [], [String(error)]));
}

function judge({ flow, struck }: World, wanted: readonly Point[], { problems }: Recovery): string {
  total.starts += 1;
  if (struck.includes(null)) total.notReached += 1;
  if (problems.length === 0) return 'ok';
  fail(flow, wanted, struck, problems);
  return 'FAILED';
}

function fail(flow: FlowName, wanted: readonly Point[], struck: World['struck'], problems: readonly string[]): void {
  total.failed += 1;
  say(`FAILED ${flow}: killed ${wanted.map((point, index) => `${show(point)} (${struck[index]})`).join(', then ')}`);
  for (const problem of problems) say(`    ${problem}`);
  say(`    again: npm run crash -- --flow ${flow} --at "${wanted.map(show).join()}"`);
}
