import type { Command } from 'commander';
import { accountFor } from '../../use/accounts.ts';
import { withErp } from '../../use/api/open.ts';
import { type Description, describeErp } from '../../use/erp/describe.ts';
import { loadFor } from '../load.ts';
import { quietLog } from '../logs.ts';
import { type Cli, lineWidth, print, printJson, printLines } from '../output.ts';
import { interruptibly } from '../signals.ts';
import { entry, table } from '../table.ts';
import type { VerbOptions } from '../with-store.ts';

export function describe(cli: Cli) {
  return async ({ account: name, json }: VerbOptions, command: Command): Promise<void> => {
    const { config } = loadFor(command, cli);
    const account = accountFor(config, name);
    await interruptibly(async (signal) => {
      const log = quietLog(command, cli);
      const shown = await withErp({ config, log }, account, (erp) => describeErp(account, erp, signal));
      if (json) printJson(cli, shown);
      else printDescription(cli, shown);
    });
  };
}

function printDescription(cli: Cli, { type, ping, can, saidBy, notices, off, missing }: Description): void {
  print(cli, `${ping.name} ${ping.version}, by erp.type ${type}; its clock says ${ping.time}`);
  print(cli, '');
  const names = Object.keys(can) as (keyof typeof can)[];
  const rows = names.map((name) => [keyOf(name), valueText(can[name]), saidBy[name]]);
  printLines(cli, table([['CAPABILITY', 'VALUE', 'SAID BY'], ...rows]));
  print(cli, '');
  const lists = Object.entries(notices).map(([name, how]) => [name, NOTICED[how]]);
  printLines(cli, table([['LIST', 'A CHANGE IS NOTICED'], ...lists]));
  print(cli, '');
  if (off.length + missing.length === 0) print(cli, 'It can serve every flow.');
  for (const { path, capability, effect } of missing)
    printLines(
      cli,
      entry(`${path.join('.')} has no effect with ${capability} of the ERP: ${effect}`, lineWidth(cli, 100), ''),
    );
  for (const { flow, about, because, on } of off) {
    const state = on ? 'switched on, and cannot work' : 'off';
    printLines(cli, entry(`${flow} (${about}) is ${state}: ${because}`, lineWidth(cli, 100), ''));
  }
}

const NOTICED = {
  stamp: 'by a stamp: the ERP is asked for what changed since a time',
  cursor: 'by a cursor: what came after the last read',
  whole: 'by comparing whole rows: the list is read whole at each poll',
} satisfies Record<NonNullable<Description['notices']['orders']>, string>;

/** The configuration's spelling: `longest_transaction`. */
function keyOf(name: string): string {
  return name.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function valueText(value: Description['can'][keyof Description['can']]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return `${value / 1_000}s`;
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .map(([name, most]) => `${name} ${most ?? 'any'}`)
    .join(', ');
}
