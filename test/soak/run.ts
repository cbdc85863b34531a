/**
 * `npm run soak -- --minutes 60 --every 30 --speed 20`: the daemon between two busy sides, a fault every so many seconds, at
 * so many times the marketplace's limits. Prints the measurements; ends with 1 when something grows or the sides do not agree.
 */
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';
import { judge, type Row } from './verdict.ts';

const RETENTION_MS = 3 * 60_000;
const SAMPLE_EVERY_MS = 10_000;
const WARM_UP_MS = 5 * 60_000;
const DISK_BYTES = 512 * 1024 * 1024;

const { values } = parseArgs({
  options: { minutes: { type: 'string' }, every: { type: 'string' }, speed: { type: 'string' } },
});
const number = (text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write('--minutes, --every (seconds) and --speed take a number above zero\n');
  process.exit(64);
};
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const startedMs = Date.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
const { samples, struck, disagreements, settledMs, orders, calls, logged } = await soak({
  lastsMs: number(values.minutes, 60) * 60_000,
  everyMs: number(values.every, 30) * 1_000,
  speed: number(values.speed, 20),
  sampleEveryMs: SAMPLE_EVERY_MS,
  retentionMs: RETENTION_MS,
  diskBytes: DISK_BYTES,
  signal: stopping.signal,
  tell: (line) => print(`${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(5)} s  ${line}`),
});
const faults = [...struck].map(([name, times]) => `${name} ${times}`).join(', ');
const rows: Row[] = [
  {
    what: `both sides, after ${orders} orders and ${calls} calls`,
    value: disagreements.length === 0 ? `agree ${Math.round(settledMs / 1_000)} s later` : disagreements.join('; '),
    bound: 'agree',
    met: disagreements.length === 0,
  },
  ...judge(samples, { retentionMs: RETENTION_MS, pruneEveryMs: RETENTION_MS / 4, warmUpMs: WARM_UP_MS }),
];
print(`\nfaults: ${faults}\nlogged: ${JSON.stringify(logged)}\n`);
for (const { what, value, bound, met } of rows) {
  const verdict = met === null ? (bound === '' ? '' : 'not judged') : met ? 'ok' : 'FAILED';
  print([what, value, bound, verdict].join(' | '));
}
process.exitCode = rows.some(({ met }) => met === false) || stopping.signal.aborted ? 1 : 0;
