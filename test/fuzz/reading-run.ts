/**
 * `npm run fuzz -- --reads N --seed S`: prints the number of changed answers and the result; ends with 1 when a rule was
 * broken.
 */
import { fuzzReading } from './reading.ts';
import { recordSides } from './record.ts';

/** The longest work between two turns of the loop. */
const MAX_SLICE_MS = 1_000;
/** The number of changed answers before the shadow is compared with a fresh one. */
const CHUNK = 20_000;

export async function runReading(answers: number, seed: number, print: (line: string) => void): Promise<boolean> {
  const sides = await recordSides();
  const ways = new Map<string, number>();
  const lists = new Map<string, number>();
  let [done, seconds, sliceMs, peakMb] = [0, 0, 0, 0];
  const wrong: string[] = [];
  for (let chunk = 0; done < answers && wrong.length === 0; chunk += 1) {
    const read = await fuzzReading({ answers: Math.min(CHUNK, answers - done), seed: seed + chunk, sides });
    for (const [of, counts] of [
      [ways, read.changed],
      [lists, read.lists],
    ] as const)
      for (const [name, count] of counts) of.set(name, (of.get(name) ?? 0) + count);
    done += [...read.changed.values()].reduce((sum, count) => sum + count, 0);
    seconds += read.seconds;
    sliceMs = Math.max(sliceMs, read.sliceMs);
    peakMb = Math.max(peakMb, read.peakMb);
    wrong.push(...read.wrong.map((line) => `seed ${seed + chunk}: ${line}`));
    print(
      `${done} answers, ${Math.round(done / seconds)} a second; longest slice ${Math.round(sliceMs)} ms; peak ${Math.round(peakMb)} MB`,
    );
  }
  for (const side of Object.values(sides)) await side.close();
  const listed = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  print(`changed: ${listed(ways)}`);
  print(`of: ${listed(lists)}`);
  for (const line of wrong) print(line);
  const isWell = wrong.length === 0 && sliceMs <= MAX_SLICE_MS;
  print(
    isWell ? 'nothing crashed, hung, leaked or was lost, and the shadow of both sides is what they show' : 'FAILED',
  );
  return isWell;
}
