import { counted } from '../../domain/counted.ts';
import { type Cli, paint, type Style } from '../output.ts';
import { wrap } from '../table.ts';
import type { Finding } from './finding.ts';

const WIDTH = 80;
const INDENT = ' '.repeat(6);
const STYLES: Readonly<Record<Finding['level'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** A line for the check, longer ones wrapped, and below it what to do. */
export function findingText(cli: Cli, { about, account, level, text, mend }: Finding, several: boolean): string[] {
  const whose = several && account !== null ? `${account}, ` : '';
  const [first = '', ...more] = wrap(`${whose}${about}: ${text}`, WIDTH, INDENT);
  const mends = mend === null ? [] : wrap(`-> ${mend}`, WIDTH, INDENT);
  return [
    paint(cli, cli.stdout, STYLES[level], level.padEnd(INDENT.length)) + first.slice(INDENT.length),
    ...more,
    ...mends,
  ];
}

export function summaryText(cli: Cli, findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  const counts = `${counted(findings.length, 'check')}, ${failures} failed, ${counted(warnings, 'warning')}`;
  return paint(cli, cli.stdout, failures > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green', counts);
}
