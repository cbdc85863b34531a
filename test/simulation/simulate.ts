/**
 * `npm run simulate -- --seeds N --from S`: plays N stories, each from its seed alone, on all processors. A story that
 * breaks a law is shortened and printed; `--only SEED` plays one and tells everything, with `--steps 3,7` only those of its steps.
 * `--workers 2`: in each of them two daemons share the account. `--store postgres`: their database is on a real PostgreSQL.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { piecesOf, playOnThreads, type Share } from '../support/threads.ts';
import { playOnPostgres } from './disk-on-postgres.ts';
import { KINDS, neverStruck, OF_TWO } from './kinds.ts';
import { shortest } from './shortest.ts';
import { playStory } from './story.ts';
import type { Workers } from './world.ts';

interface Stories {
  readonly from: number;
  readonly workers: Workers;
  readonly onPostgres: boolean;
}
type Report =
  | { readonly played: number; readonly struck: ReadonlyMap<string, number> }
  | { readonly seed: number; readonly broken: readonly string[]; readonly history: readonly string[] };

const REPORT_EVERY = 50;
/** In this many stories, every kind of fault strikes. */
const ENOUGH_SEEDS = 1_000;

if (isMainThread) await main();
else await playShare(workerData as Share<Stories>);

async function playShare({ data, ...share }: Share<Stories>): Promise<void> {
  const { from, workers, onPostgres } = data;
  const server = onPostgres ? await playOnPostgres() : null;
  const struck = new Map<string, number>();
  let played = 0;
  const report = () => {
    parentPort?.postMessage({ played, struck } satisfies Report);
    struck.clear();
    played = 0;
  };
  for (const piece of piecesOf(share)) {
    const seed = from + piece;
    const { broken } = await playStory(seed, { struck, workers });
    played += 1;
    if (broken.length > 0)
      parentPort?.postMessage({ seed, broken, history: await shortest(seed, workers) } satisfies Report);
    if (played === REPORT_EVERY) report();
  }
  report();
  await server?.close();
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      only: { type: 'string' },
      steps: { type: 'string' },
      jobs: { type: 'string' },
      workers: { type: 'string', default: '1' },
      store: { type: 'string', default: 'sqlite' },
    },
  });
  const workers: Workers = values.workers === '2' ? 2 : 1;
  const onPostgres = values.store === 'postgres';
  if (values.only !== undefined) {
    if (onPostgres) await playOnPostgres();
    const { broken } = await playStory(Number(values.only), {
      workers,
      tell: (line) => process.stdout.write(`${line}\n`),
      ...(values.steps === undefined ? {} : { only: new Set(values.steps.split(',').map(Number)) }),
    });
    process.stdout.write(`${broken.length === 0 ? 'all is well' : broken.join('\n')}\n`);
    process.exit(broken.length === 0 ? 0 : 1);
  }
  const from = Number(values.from ?? 1);
  const seeds = Number(values.seeds ?? 1_000);
  const jobs = Number(values.jobs ?? availableParallelism());
  const failed: number[] = [];
  const struck = new Map<string, number>();
  let played = 0;
  const startedMs = Date.now();
  const onReport = (report: Report) => {
    if ('seed' in report) {
      failed.push(report.seed);
      process.stdout.write(`\nseed ${report.seed} broke:\n  ${report.broken.join('\n  ')}\n`);
      process.stdout.write(`the shortest story found:\n  ${report.history.join('\n  ')}\n`);
      return;
    }
    played += report.played;
    for (const [fault, times] of report.struck) struck.set(fault, (struck.get(fault) ?? 0) + times);
    process.stderr.write(`\r${played} of ${seeds} stories, ${failed.length} broken `);
  };
  const data: Stories = { from, workers, onPostgres };
  const isWell = await playOnThreads(new URL(import.meta.url), { data, count: seeds, jobs }, onReport);
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  process.stdout.write(
    `\n${played} stories from seed ${from} in ${seconds} s, ${failed.length} broken: ${failed.join(' ')}\n`,
  );
  for (const [fault, times] of [...struck].toSorted(([a], [b]) => a.localeCompare(b)))
    process.stdout.write(`  ${fault}: ${times}\n`);
  const never = seeds < ENOUGH_SEEDS ? [] : neverStruck(struck, workers === 2 ? [...KINDS, ...OF_TWO] : KINDS);
  if (never.length > 0) process.stdout.write(`it never came to: ${never.join(', ')}\n`);
  process.exit(never.length === 0 && failed.length === 0 && isWell && played === seeds ? 0 : 1);
}
