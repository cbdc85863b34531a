import type { Command } from 'commander';
import { counted } from '../../domain/counted.ts';
import { textRedactor } from '../../logging/redaction.ts';
import { accountFor } from '../../use/accounts.ts';
import { checkConfigured, type Finding, type LeftBehind, verdictOf } from '../../use/erp/check.ts';
import { UsageError } from '../../use/faults.ts';
import { EXIT } from '../exit.ts';
import { loadFor } from '../load.ts';
import { quietLog } from '../logs.ts';
import { type Cli, lineWidth, paint, print, printJson, printLines } from '../output.ts';
import type { Style } from '../paint.ts';
import { interruptibly } from '../signals.ts';
import { entry, hangingText } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';

interface Options extends VerbOptions {
  readonly sku: readonly string[];
  readonly customer?: string;
  readonly write?: true;
  readonly lasting?: true;
}

/** Prints each finding as it comes. */
export function checkErp(cli: Cli) {
  return async ({ sku, customer, write, lasting, account: name, json }: Options, command: Command): Promise<void> => {
    if (lasting && !write) throw new UsageError('--lasting goes with --write');
    if (sku.length === 1) throw new UsageError('two products are needed: name another one with --sku');
    const { config } = loadFor(command, cli);
    const account = accountFor(config, name);
    const findings: Finding[] = [];
    const most = lasting ? 'lasting' : write ? 'writes' : 'reads';
    await interruptibly(async (signal) => {
      const left = await checkConfigured(
        { config, account, log: quietLog(command, cli), signal },
        { skus: sku, customer, most },
        (finding) => {
          findings.push(finding);
          if (!json) printLines(cli, findingText(cli, finding));
        },
      );
      cli.exitCode = EXIT[verdictOf(findings) ?? 'ok'];
      if (json) return printJson(cli, { findings, leftBehind: left });
      printSummary(cli, findings, left);
    });
  };
}

const INDENT = ' '.repeat(6);
const LOOKS: Readonly<Record<Finding['result'], readonly [label: string, style: Style]>> = {
  kept: ['ok', 'green'],
  'not-tested': ['--', 'dim'],
  broken: ['FAIL', 'red'],
};

function widthOf(cli: Cli): number {
  return lineWidth(cli, 100);
}

export function findingText(cli: Cli, finding: Finding): string[] {
  const [word, style] = LOOKS[finding.result];
  const label = paint(cli, cli.stdout, style, word.padEnd(INDENT.length));
  const line = (text: string) => hangingText(`${finding.name}: ${finding.promise}${text}`, widthOf(cli), label, INDENT);
  if (finding.result === 'not-tested') return line(`; not tested: ${finding.because}`);
  if (finding.result === 'kept') return line(finding.measured === null ? '' : ` (${finding.measured})`);
  const { expected, came, mend, heard } = finding;
  const words =
    heard === null ? [] : [`sent: ${heard.sent}`, `answered: ${heard.answer}`].map(textRedactor(cli.secrets));
  const facts = [`expected: ${expected}`, `came: ${came}`, ...(mend === null ? [] : [`-> ${mend}`]), ...words];
  return [...line(''), ...facts.flatMap((text) => entry(text, widthOf(cli), INDENT))];
}

/** Prints what the check could not take back, and how many promises are kept. */
export function printSummary(cli: Cli, findings: readonly Finding[], left: readonly LeftBehind[]): void {
  for (const { what, because } of left) {
    const label = paint(cli, cli.stdout, 'yellow', 'left  ');
    printLines(cli, hangingText(`left in the ERP: ${what}: ${because}`, widthOf(cli), label, INDENT));
  }
  const count = (wanted: Finding['result']) => findings.filter(({ result }) => result === wanted).length;
  const [kept, broken, untested] = [count('kept'), count('broken'), count('not-tested')];
  const text = `${counted(findings.length, 'promise')}: ${kept} kept, ${broken} broken, ${untested} not tested`;
  print(cli, paint(cli, cli.stdout, broken > 0 ? 'red' : 'green', text));
}
