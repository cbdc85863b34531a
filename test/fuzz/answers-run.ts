/**
 * `npm run fuzz -- --answers N --seed S`: prints the number of changed answers and the result; ends with 1 when a rule was
 * broken.
 */
import { fuzzAnswers } from './answers.ts';

/** The longest time that a probe may wait. */
const MAX_SILENT_MS = 1_000;

export async function runAnswers(answers: number, seed: number, print: (line: string) => void): Promise<boolean> {
  const startedMs = performance.now();
  const { changed, silentMs, peakMb, wrong } = await fuzzAnswers({ answers, seed, tell: print });
  const seconds = (performance.now() - startedMs) / 1_000;
  const ways = [...changed].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  print(`changed: ${ways.join(', ')}`);
  print(
    `${answers} answers in ${Math.round(seconds)} s, ${Math.round(answers / seconds)} a second; nothing else had its turn for ${Math.round(silentMs)} ms at most; peak ${Math.round(peakMb)} MB`,
  );
  for (const line of wrong) print(line);
  const isWell = wrong.length === 0 && silentMs <= MAX_SILENT_MS;
  print(isWell ? 'nothing crashed, was lost or forged, and both sides are in step' : 'FAILED');
  return isWell;
}
