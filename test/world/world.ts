/**
 * `npm run world -- [--thing T --happening H --side S --time T] [--share K/N] [--tell]`: plays cells of the table of the world, on all
 * processors, and prints each one that is not as the table says.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { piecesOf, playOnThreads, type Share } from '../support/threads.ts';
import { type Case, casesOf } from './cases.ts';
import { play } from './play.ts';

interface Report {
  readonly name: string;
  readonly found: Awaited<ReturnType<typeof play>>;
  readonly lines: readonly string[];
}

type Meant = ReturnType<typeof meant>;

if (isMainThread) await main();
else await playShare(workerData as Share<Meant>);

function meant() {
  const { values } = parseArgs({
    options: {
      thing: { type: 'string' },
      happening: { type: 'string' },
      side: { type: 'string' },
      time: { type: 'string' },
      share: { type: 'string', default: '1/1' },
      plain: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
      tell: { type: 'boolean', default: false },
    },
  });
  return values;
}

function casesOfMeant(values: Meant): Case[] {
  const [part = 1, of = 1] = values.share.split('/').map(Number);
  const isMeant = (one: Case) =>
    (['thing', 'happening', 'side', 'time'] as const).every(
      (name) => values[name] === undefined || one[name] === values[name],
    ) && !(values.plain && one.isBusy);
  return casesOf()
    .filter(isMeant)
    .filter((_, index) => index % of === part - 1);
}

async function playShare(share: Share<Meant>): Promise<void> {
  const cases = casesOfMeant(share.data);
  for (const piece of piecesOf(share)) {
    const one = cases[piece];
    if (one === undefined) return;
    const lines: string[] = [];
    const found = await play(one, (line) => lines.push(line));
    const told = share.data.tell ? lines : lines.slice(-1);
    parentPort?.postMessage({ name: one.name, found, lines: told } satisfies Report);
  }
}

async function main(): Promise<void> {
  const values = meant();
  let [played, wrong, impossible] = [0, 0, 0];
  const onReport = ({ name, found, lines }: Report) => {
    played += 1;
    if (found === 'cannot happen') {
      impossible += 1;
      process.stdout.write(`cannot happen: ${name}: ${lines.at(-1) ?? ''}\n`);
    } else if (found.length > 0) {
      wrong += 1;
      process.stdout.write(`${name}\n${found.map((line) => `    ${line.slice(0, 700)}\n`).join('')}`);
    }
    if (values.tell) process.stdout.write(`${lines.join('\n')}\n`);
  };
  const count = casesOfMeant(values).length;
  const work = { data: values, count, jobs: Number(values.jobs) };
  const isWell = await playOnThreads(new URL(import.meta.url), work, onReport);
  process.stdout.write(`${played} played, ${impossible} that cannot happen, ${wrong} not as the table says\n`);
  process.exit(isWell && wrong === 0 && played === count ? 0 : 1);
}
