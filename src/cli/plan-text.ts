import { counted } from '../domain/counted.ts';
import type { FlowName } from '../flows/engine/flow.ts';
import { type Cli, paint } from './output.ts';
import { table, wrap } from './table.ts';

/** One entity that is not in step. */
export interface PlanItem {
  readonly account: string;
  readonly flow: FlowName;
  readonly key: string;
  readonly actions: readonly PlannedWrite[];
  /** Why nothing (more) can be done for it. */
  readonly hold: string | null;
  readonly alerts: readonly string[];
}

export interface PlannedWrite {
  readonly action: string;
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly why: string;
  /** The pause or the brake that would hold it. */
  readonly stoppedBy: string | null;
}

export interface PlanSummary {
  readonly account: string;
  /** To either side. */
  readonly writes: number;
  /** Entities that are on both sides and would be linked; what differs between them is written afterwards. */
  readonly links: number;
  /** Of both, those that a pause or a brake would hold. */
  readonly stopped: number;
  readonly held: number;
  readonly alerts: number;
  /** Writes and links by what they are. */
  readonly actions: Readonly<Record<string, number>>;
}

const WIDTH = 80;
const SHORT = 60;

export function itemText(cli: Cli, { flow, key, actions, hold, alerts }: PlanItem): string[] {
  const bold = (text: string) => paint(cli, cli.stdout, 'bold', text);
  const yellow = (text: string) => paint(cli, cli.stdout, 'yellow', text);
  const lines: string[] = [];
  for (const { action, target, before, after, why, stoppedBy } of actions) {
    lines.push(`${bold(action)}  ${target}`, ...changeLines(before, after), ...wrap(`because ${why}`, WIDTH, '  '));
    if (stoppedBy !== null) lines.push(...wrap(`stopped by ${stoppedBy}`, WIDTH, '  ').map(yellow));
  }
  if (hold !== null) lines.push(`${yellow('held')}  ${flow} ${key}`, ...wrap(hold, WIDTH, '  '));
  for (const alert of alerts) lines.push(`${yellow('alert')}  ${flow} ${key}`, ...wrap(alert, WIDTH, '  '));
  return lines;
}

function changeLines(before: string | null, after: string | null): string[] {
  const to = after ?? '(nothing)';
  if (before === null) return wrap(`+ ${to}`, WIDTH, '  ');
  if (before.length + to.length <= SHORT) return [`  ${before} -> ${to}`];
  return [...wrap(`- ${before}`, WIDTH, '  '), ...wrap(`+ ${to}`, WIDTH, '  ')];
}

export function summaryText(cli: Cli, summary: PlanSummary): string[] {
  const { account, writes, links, stopped, held, alerts, actions } = summary;
  const counts = [
    writes === 0 ? `nothing to write${links > 0 ? ' yet' : ''}` : counted(writes, 'write'),
    ...(links > 0 ? [counted(links, 'link')] : []),
    ...(stopped > 0 ? [`${stopped} of them stopped by a pause or a brake`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(alerts > 0 ? [counted(alerts, 'alert')] : []),
  ];
  const byAction = Object.entries(actions).map(([action, count]) => [action, String(count)]);
  const lines = table(byAction, [1]).map((line) => `  ${line}`);
  return [`${paint(cli, cli.stdout, 'bold', account)}: ${counts.join(', ')}`, ...lines];
}
