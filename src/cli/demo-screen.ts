import type { Figures } from '../demo/figures.ts';
import type { OnceResult } from '../demo/once.ts';
import type { Actor, Tell } from '../demo/tell.ts';
import type { World } from '../demo/world.ts';
import { counted } from '../domain/counted.ts';
import { type Cli, paint, print, printLines } from './output.ts';
import type { Style } from './paint.ts';
import { hangingText, table, wrap } from './table.ts';

const STYLES: Readonly<Record<Actor, Style>> = {
  buyer: 'yellow',
  market: 'yellow',
  erp: 'cyan',
  bridge: 'green',
  stock: 'dim',
  trouble: 'red',
  demo: 'bold',
};
const NAME_WIDTH = 7;
const INDENT = ' '.repeat('12:03:04 '.length + NAME_WIDTH + 1);
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** One line on stdout for each event: when, who, what. */
export function createTell(cli: Cli): Tell {
  const style = (name: Style, text: string) => paint(cli, cli.stdout, name, text);
  return (actor, text) => {
    const time = style('dim', new Date().toTimeString().slice(0, 8));
    const name = style(STYLES[actor], actor.padEnd(NAME_WIDTH));
    const isQuiet = actor === 'stock';
    for (const [index, line] of wrap(text, widthOf(cli), INDENT).entries()) {
      const said = line.slice(INDENT.length);
      print(cli, (index === 0 ? `${time} ${name} ` : INDENT) + (isQuiet ? style('dim', said) : said));
    }
  };
}

function widthOf({ stdout }: Cli): number {
  const { isTTY, columns } = stdout as Partial<NodeJS.WriteStream>;
  return isTTY === true ? (columns ?? 80) : UNLIMITED;
}

export async function printAddresses(cli: Cli, world: World): Promise<void> {
  const { marketplace, erp, app, configFile, logFile } = world;
  const rows = [
    ['marketplace', `${marketplace.url}/api/v2/`, `key ${marketplace.key}`],
    ['', `${marketplace.controlUrl}/`, 'what buyers and staff do'],
    ['ERP', `${erp.url}/v1/`, `token ${world.erpToken}`],
    ['', `${erp.url}/_control/`, 'what people in the ERP do'],
    ['daemon', `${app.adminUrl}/readyz`],
    ['', `${app.adminUrl}/metrics`],
  ];
  const invited = await app.invite();
  const screen =
    invited === null ? [] : ['The screen, by a link that lets you in once:', `  ${app.adminUrl}${invited}`, ''];
  printLines(cli, ['', ...table(rows), '', ...screen, 'In another terminal:']);
  printLines(cli, [`  npm run stockbridge -- status --config ${configFile}`, `  tail -f ${logFile}`, '']);
}

export function printSummary(cli: Cli, figures: Figures): void {
  const { ordersIn, exported, shipped, madeInErp, skus, stockDifferences, webhooks, calls } = figures;
  const lines = [
    `${counted(ordersIn, 'order')} in, ${exported} exported, ${madeInErp} made in the ERP, ${shipped} shipped`,
    `stock of ${counted(skus, 'SKU')}: ${stockDifferences === 0 ? 'no difference' : `${stockDifferences} on the way`}`,
    `${calls.lastMinute} of ${calls.perMinute} calls used in the last minute, ${counted(webhooks.sent, 'webhook')}`,
  ];
  for (const line of lines) print(cli, paint(cli, cli.stdout, 'bold', `  == ${line}`));
}

/** Prints the result as a table and a verdict. */
export function printResult(cli: Cli, { figures, duplicates, calls, problems, tookMs }: OnceResult): void {
  const { used, writes, least, peaks, refused } = calls;
  const fewest = least.writes + least.pages;
  const rows = [
    ['orders in', String(figures.ordersIn), 'from buyers'],
    ['exported', String(figures.exported), 'to the ERP'],
    ['made in the ERP', String(figures.madeInErp), 'and entered on the marketplace'],
    ['shipped', String(figures.shipped), 'in the ERP, and fulfilled on the marketplace'],
    ['duplicates', String(duplicates), 'of orders or listings'],
    ['stock differences', String(figures.stockDifferences), `of ${counted(figures.skus, 'SKU')}`],
    ['webhooks', String(figures.webhooks.sent), `${figures.webhooks.lost} lost on purpose`],
    ['API calls used', String(used), `${writes} writes, ${used - writes} reads; ${refused} answered with 429`],
    [
      'least possible',
      String(fewest),
      `${least.writes} writes, ${counted(least.pages, 'list')}; ${(used / fewest).toFixed(2)} times that were used`,
    ],
    ['most in a second', String(peaks.second), 'of 8'],
    ['most in a minute', String(peaks.minute), 'of 300'],
    ['took', `${Math.round(tookMs / 1000)} s`, ''],
  ];
  printLines(cli, ['', ...table(rows, [1]).map((line) => `  ${line}`), '']);
  if (problems.length === 0) {
    return print(cli, paint(cli, cli.stdout, 'green', 'Both sides agree, and nothing is left to do.'));
  }
  print(cli, paint(cli, cli.stdout, 'red', 'The two sides do not agree:'));
  for (const problem of problems) printLines(cli, hangingText(problem, widthOf(cli), '  - ', '    '));
}
