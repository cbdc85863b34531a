import type { Command } from 'commander';
import { counted } from '../domain/counted.ts';
import { onlyAccount } from '../use/accounts.ts';
import { checkAll } from '../use/doctor/doctor.ts';
import { type Finding, worstFault } from '../use/doctor/finding.ts';
import { EXIT } from './exit.ts';
import { configPath, loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, paint, print, printJson, printLines } from './output.ts';
import type { Style } from './paint.ts';
import { interruptibly } from './signals.ts';
import { entry, hangingText } from './table.ts';
import type { VerbOptions } from './with-store.ts';

export const help = `
Some ten calls to the ERP and four or more to the marketplace, within the quota. A write permission cannot be proven without
a write. The check is a change of an entity that does not exist, without any field: 403 means that the permission is missing.
Where a marketplace answers 404 to a missing permission, it is not seen.

Exit codes: 0 all is well or there are only warnings, 69 a side or Redis is down, 77 the credentials are refused or
lack a permission, 78 the configuration is wrong, 1 something else failed.

Examples:
  stockbridge doctor
  stockbridge doctor --json | jq '.findings[] | select(.level != "ok")'`;

/** `doctor`: contacts everything, writes nothing to either side. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--json', 'print what was found as JSON')
    .action(async ({ account, json }: VerbOptions, doctor: Command) => {
      const { config, warnings } = loadFor(doctor, cli);
      const file = { path: configPath(doctor), doubtful: warnings(Date.now()) };
      const checked = onlyAccount(config, account);
      const findings: Finding[] = [];
      await interruptibly(async (signal) => {
        for await (const finding of checkAll(checked, file, quietLog(doctor, cli), signal)) {
          findings.push(finding);
          if (!json) printLines(cli, findingText(cli, finding, config.accounts.length > 1));
        }
      });
      cli.exitCode = EXIT[worstFault(findings) ?? 'ok'];
      if (json) printJson(cli, { findings: findings.map(findingJson) });
      else print(cli, summaryText(cli, findings));
    });
}

function findingJson({ fault, ...finding }: Finding) {
  return { ...finding, exit: EXIT[fault ?? 'ok'] };
}

const WIDTH = 80;
const INDENT = ' '.repeat(6);
const STYLES: Readonly<Record<Finding['level'], Style>> = { ok: 'green', warn: 'yellow', fail: 'red' };

/** The check's line, wrapped, with the next step below. */
export function findingText(cli: Cli, { about, account, level, text, mend }: Finding, several: boolean): string[] {
  const whose = several && account !== null ? `${account}, ` : '';
  const label = paint(cli, cli.stdout, STYLES[level], level.padEnd(INDENT.length));
  const found = hangingText(`${whose}${about}: ${text}`, WIDTH, label, INDENT);
  return mend === null ? found : [...found, ...entry(`-> ${mend}`, WIDTH, INDENT)];
}

function summaryText(cli: Cli, findings: readonly Finding[]): string {
  const count = (wanted: Finding['level']) => findings.filter(({ level }) => level === wanted).length;
  const [failures, warnings] = [count('fail'), count('warn')];
  const counts = `${counted(findings.length, 'check')}, ${failures} failed, ${counted(warnings, 'warning')}`;
  return paint(cli, cli.stdout, failures > 0 ? 'red' : warnings > 0 ? 'yellow' : 'green', counts);
}
