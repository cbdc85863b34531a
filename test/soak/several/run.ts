/**
 * `npm run several -- --minutes 30 --every 20 --accounts 60 --seed 1`: plays three daemons on one PostgreSQL with a replica
 * and one Redis behind sentinels, with a fault every so many seconds. Judges by both sides' books and by the journal; ends
 * with 1 when a law is broken.
 */
import { parseArgs } from 'node:util';
import { playSeveral } from './several.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    every: { type: 'string', default: '20' },
    accounts: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
  },
});
const number = (text: string): number => {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  process.stderr.write('--minutes, --every (seconds) and --accounts take a number above zero\n');
  process.exit(64);
};
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const startedMs = Date.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
const played = await playSeveral({
  seed: values.seed,
  accounts: number(values.accounts),
  lastsMs: number(values.minutes) * 60_000,
  everyMs: number(values.every) * 1_000,
  signal: stopping.signal,
  tell: (line) => print(`${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(5)} s  ${line}`),
});
const laws = [
  [`both sides of all brands, after ${played.orders} orders and ${played.calls} calls`, played.disagreements],
  ['stock figures of ours that the ERP did not have in the minute before', played.tooMuch],
  ['answers 429', played.tooFast === 0 ? [] : [String(played.tooFast)]],
  [
    `accounts worked by two at one time, by ${played.journalEntries} entries of the journal, ${played.namedEntries} of which a log names`,
    played.workedByTwo,
  ],
] as const;
print(`\nfaults: ${[...played.struck].map(([name, times]) => `${name} ${times}`).join(', ')}`);
print(`both sides agreed ${Math.round(played.settledMs / 1_000)} s after the last`);
for (const [fault, takes] of Map.groupBy(played.takeovers, (take) => take.fault)) {
  const seconds = takes.map(({ tookMs }) => tookMs / 1_000).toSorted((a, b) => a - b);
  const at = (share: number) => (seconds[Math.floor(share * (seconds.length - 1))] ?? 0).toFixed(1);
  print(`taken over after "${fault}": ${seconds.length} accounts, median ${at(0.5)} s, longest ${at(1)} s`);
}
for (const [what, broken] of laws)
  print(`${what} | ${broken.length === 0 ? 'ok' : `FAILED: ${broken.slice(0, 20).join('; ')}`}`);
process.exitCode = stopping.signal.aborted || laws.some(([, broken]) => broken.length > 0) ? 1 : 0;
