import { type ShownCause, TURNS } from '../domain/causes/cause.ts';
import { counted } from '../domain/counted.ts';
import { moneyText } from '../domain/money-text.ts';
import type { HeldFor } from '../use/held-groups.ts';
import type { PlanItem } from '../use/plan-item.ts';
import type { PlanSummary } from '../use/plan-summary.ts';
import { type Cli, paint } from './output.ts';
import { entry, paragraph, table } from './table.ts';

const WIDTH = 80;
const SHORT = 60;

export function itemText(cli: Cli, { flow, key, actions, holds, alerts }: PlanItem): string[] {
  const bold = (text: string) => paint(cli, cli.stdout, 'bold', text);
  const yellow = (text: string) => paint(cli, cli.stdout, 'yellow', text);
  const lines: string[] = [];
  for (const { action, target, before, after, why, stoppedBy } of actions) {
    lines.push(`${bold(action)}  ${target}`, ...changeLines(before, after), ...entry(`because ${why}`, WIDTH, '  '));
    if (stoppedBy !== null) lines.push(...entry(`stopped: ${causeText(stoppedBy)}`, WIDTH, '  ').map(yellow));
  }
  for (const hold of holds) lines.push(`${yellow('held')}  ${flow} ${key}`, ...entry(causeText(hold), WIDTH, '  '));
  for (const alert of alerts) lines.push(`${yellow('alert')}  ${flow} ${key}`, ...entry(causeText(alert), WIDTH, '  '));
  return lines;
}

function causeText(cause: ShownCause): string {
  return paragraph(cause, TURNS[cause.turn]);
}

function changeLines(from: string | null, after: string | null): string[] {
  const before = from === null ? null : moneyText(from);
  const to = moneyText(after ?? '(nothing)');
  if (before === null) return entry(`+ ${to}`, WIDTH, '  ');
  if (before.length + to.length <= SHORT) return [`  ${before} -> ${to}`];
  return [...entry(`- ${before}`, WIDTH, '  '), ...entry(`+ ${to}`, WIDTH, '  ')];
}

function countLines(counts: Readonly<Record<string, number>>, indent: string): string[] {
  const rows = Object.entries(counts).map(([name, count]) => [name, String(count)]);
  return table(rows, [1]).map((line) => `${indent}${line}`);
}

/** One product calculated in the units of both sides. */
export function unitsText(worked: string): string[] {
  return entry(`for example ${worked}`, WIDTH, '  ');
}

function unlinkedText({ listings, products }: NonNullable<PlanSummary['unlinked']>): string {
  const alone = [
    ...(listings > 0 ? [counted(listings, 'listing')] : []),
    ...(products > 0 ? [`${counted(products, 'product')} of the ERP`] : []),
  ];
  const proposed = listings > 0 && products > 0 ? '. List those that look alike: stockbridge map suggest' : '';
  return `Not linked after this plan: ${alone.join(' and ')}. List them: stockbridge map unlinked${proposed}`;
}

/** Why entities are held, with the first as example. `map suggest` lists the similar listings. */
export function heldText({ count, code, flow, key, ...cause }: HeldFor): string {
  const all = code === 'could-be-listed' && count > 1 ? ' "stockbridge map suggest" shows all of them.' : '';
  return `${count} held for ${code}, such as ${flow} ${key}: ${causeText({ code, ...cause })}${all}`;
}

/** @param alone no entities follow, so the summary says why some are held */
export function summaryText(cli: Cli, summary: PlanSummary, alone: boolean): string[] {
  const {
    account,
    writes,
    links,
    stopped,
    held,
    alerts,
    actions,
    priceMoves,
    replaced,
    unlinked,
    history,
    invalidRows,
  } = summary;
  const counts = [
    writes === 0 ? 'nothing to write' : counted(writes, 'write'),
    ...(links > 0 ? [counted(links, 'link')] : []),
    ...(stopped > 0 ? [`${stopped} of them held by a pause, a brake or another cause`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(alerts > 0 ? [counted(alerts, 'alert')] : []),
    ...(invalidRows.count > 0 ? [`${counted(invalidRows.count, 'row')} cannot be read`] : []),
  ];
  const lines = countLines(actions, '  ');
  const moves = priceMoves.map(({ target, before, after, percent }) => [
    target,
    `${moneyText(before)} -> ${moneyText(after)}`,
    `${percent}%`,
  ]);
  if (moves.length > 0)
    lines.push('  the prices that move furthest:', ...table(moves, [2]).map((line) => `    ${line}`));
  if (Object.keys(replaced).length > 0)
    lines.push('  texts that a person wrote, and that are replaced:', ...countLines(replaced, '    '));
  for (const why of alone ? summary.heldFor : []) lines.push(...entry(heldText(why), WIDTH, '  '));
  if (unlinked !== null && unlinked.listings + unlinked.products > 0)
    lines.push(...entry(unlinkedText(unlinked), WIDTH, '  '));
  if (history !== null && history.history > 0)
    lines.push(
      ...entry(`${counted(history.history, 'order')} from before ${history.from}: not entered in the ERP`, WIDTH, '  '),
    );
  for (const { collection, count, example } of invalidRows.collections) {
    const such = `${counted(count, 'row')} of ${collection} cannot be read, such as ${example.key}: ${causeText(example)}`;
    lines.push(...entry(such, WIDTH, '  '));
  }
  return [`${paint(cli, cli.stdout, 'bold', account)}: ${counts.join(', ')}`, ...lines];
}
