/**
 * `npm run first-day [-- --products 2000 --speed 1]`: a newcomer's first day, from `init` to a quiet daemon, at the documented limits
 * times `--speed`. Half of the products are listed already, under SKUs that people typed, and there are orders of the past. Creates
 * are approved, buyers order meanwhile, the ERP is away for two minutes, and the marketplace's key is exchanged. Prints a table; ends
 * with 1 when a row of it is not met.
 */
import { parseArgs } from 'node:util';
import { playDay } from './day.ts';
import { tableLines } from './table.ts';

const { values } = parseArgs({ options: { products: { type: 'string' }, speed: { type: 'string' } } });
const number = (text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write('--products and --speed take a whole number above zero\n');
  process.exit(64);
};
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());

const startedMs = Date.now();
const print = (line: string) => process.stdout.write(`${line}\n`);
const speed = number(values.speed, 1);
const rows = await playDay({
  products: number(values.products, 2_000),
  customers: 200,
  orders: 150,
  speed,
  orderEveryMs: 10_000 / speed,
  outageMs: 120_000 / speed,
  signal: stopping.signal,
  tell: (line) => print(`${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(5)} s  ${line}`),
});
print('');
for (const line of tableLines(rows)) print(line);
process.exitCode = rows.every(({ met }) => met) ? 0 : 1;
