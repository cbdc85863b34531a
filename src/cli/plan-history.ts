import { counted } from '../domain/counted.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { TotalExcess, WorstExcess } from '../domain/excess.ts';
import type { Way } from '../domain/oversold.ts';
import { STRATEGIES } from '../domain/strategy.ts';
import { accountsFor } from '../use/accounts.ts';
import type { Opened } from '../use/open.ts';
import { type HistoryReport, replayHistory } from '../use/replay-history.ts';
import { type Cli, note, paint, streamLines } from './output.ts';
import { createProgress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { shownInstant, table, wrap } from './table.ts';
import type { VerbOptions } from './with-store.ts';

/** The most products shown; `--json` shows each way's worst. */
const SHOWN = 3;
const WIDTH = 80;
const ASSUMED =
  'Counted is what buyers could have taken beyond what was there, and orders that came meanwhile. Buyers order the same in ' +
  'each row, and every write arrives at once: what crosses a write is in none.';

/** `plan --history`: how far each strategy would have oversold. Reads only the database. */
export async function showHistory(cli: Cli, { config, store }: Opened, { account, json }: VerbOptions): Promise<void> {
  await interruptibly(async (signal) => {
    const progress = createProgress(cli);
    for (const one of accountsFor(config, account)) {
      if (one.facilities !== null) {
        note(cli, `${one.name}: stock by facility has no single figure, so its history cannot be simulated`);
        continue;
      }
      const onProduct = (looked: number) => progress.show(`${one.name}: replaying, product ${looked}`);
      const report = await replayHistory({ account: one.name, config: one, store }, signal, onProduct);
      progress.end();
      if (report === null) {
        note(cli, `${one.name}: nothing is recorded yet. The daemon records while it runs: try again in a day`);
      } else if (!(await streamLines(cli, json ? [JSON.stringify(asJson(report))] : reportLines(cli, report)))) return;
    }
  });
}

function asJson({ fromMs, toMs, ways, short, ...report }: HistoryReport) {
  return {
    ...report,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    ways: ways.map(({ oversold, ...way }) => ({ ...way, oversold: excessJson(oversold) })),
    short: excessJson(short),
  };
}

function excessJson({ worst, ...sums }: TotalExcess) {
  return { ...sums, worst: worst.map(({ atMs, ...of }) => ({ ...of, at: new Date(atMs).toISOString() })) };
}

function reportLines(cli: Cli, report: HistoryReport): string[] {
  const { account, ways, short } = report;
  const heads = ['', '', 'SKUs', 'times', 'most', 'units', 'orders'];
  const rows = ways.map(({ oversold, ...way }) => [nameOf(way), howOf(way), ...figures(oversold)]);
  return [
    paint(cli, cli.stdout, 'bold', account),
    ...wrap(aboutText(report), WIDTH, '  '),
    ...table([heads, ...rows], [2, 3, 4, 5, 6]).map((line) => `  ${line}`),
    ...worstOf(ways).flatMap((worst) => wrap(worstText(worst), WIDTH, '  ')),
    ...wrap(shortText(short), WIDTH, '  '),
    ...wrap(ASSUMED, WIDTH, '  ').map((line) => paint(cli, cli.stdout, 'dim', line)),
  ];
}

function aboutText({ fromMs, toMs, readings, orders, products, notReplayed, keptBy, lagMs }: HistoryReport): string {
  const recorded =
    `${shownInstant(fromMs)} to ${shownInstant(toMs)}, kept by ${keptBy}: ${counted(products, 'SKU')}, ` +
    `${counted(readings, 'figure')} of the ERP, ${counted(orders, 'change')} of orders`;
  const lag =
    lagMs === null
      ? 'The ERP counted no order in this time, so the simulation lets it count orders at once.'
      : `The ERP counted half of the orders within ${lagMs / 1_000} s.`;
  const left = notReplayed === 0 ? '' : ` ${counted(notReplayed, 'SKU')} cannot be simulated.`;
  return `${recorded}. ${lag}${left}`;
}

function nameOf({ strategy, write }: Pick<Way, 'strategy' | 'write'>): string {
  return STRATEGIES[strategy].writes === write ? strategy : `${strategy}, ${write}`;
}

function howOf({ ledger }: Pick<Way, 'ledger'>): string {
  return ledger ? 'ledger' : 'plain push';
}

function figures({ skus, times, largest, units, orders }: TotalExcess): string[] {
  return [String(skus), String(times), largest.toFixed(), units.toFixed(), String(orders)];
}

type Worst = WorstExcess & { readonly way: Way };

/** The worst products, each with its worst way of writing stock. */
function worstOf(ways: HistoryReport['ways']): Worst[] {
  const all = ways.flatMap(({ oversold, ...way }) => oversold.worst.map((worst) => ({ way, ...worst })));
  const inOrder = all.toSorted((a, b) => b.amount.comparedTo(a.amount));
  return [...Map.groupBy(inOrder, ({ sku }) => sku).values()].flatMap(([first]) => first ?? []).slice(0, SHOWN);
}

function worstText({ way, sku, atMs, offered, free, amount }: Worst): string {
  return (
    `${sku}, ${shownInstant(atMs)}, ${nameOf(way)}, ${howOf(way)}: buyers could take ${offered.toFixed()}, ` +
    `${there(free)}: ${amount.toFixed()} too many`
  );
}

function there(free: Decimal): string {
  return free.isNegative() ? `there were ${free.abs().toFixed()} less than none` : `${free.toFixed()} were there`;
}

function shortText({ skus, largest, units, worst: [worst] }: TotalExcess): string {
  if (worst === undefined) return 'No order had more than there was.';
  return (
    `Orders had more than there was of ${counted(skus, 'SKU')}, whatever is written: ${units.toFixed()} units, the ` +
    `most ${largest.toFixed()} of ${worst.sku}, ${shownInstant(worst.atMs)}`
  );
}
