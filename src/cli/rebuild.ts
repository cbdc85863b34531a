import type { Command } from 'commander';
import { onlyAccount } from '../use/accounts.ts';
import { type Rebuilt, rebuildAll } from '../use/rebuild.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { type Cli, note, paint, print, printJson, printLines, streamLines } from './output.ts';
import { createProgress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { entry } from './table.ts';
import type { VerbOptions } from './with-store.ts';

export const help = `
For a database that was lost, with no backup to restore. Both sides are read from the beginning, and entities that carry the
other side's mark are linked: orders by external_id there and by the reference in the ERP, products by external id and then by
SKU, customers and payments by the ids kept of them. Nothing is written to either side. An entity that two claim is listed and
left.

The daemon must be stopped (otherwise: exit 75). Exits 1 when something is left for you to link.

Examples:
  stockbridge rebuild --dry-run
  stockbridge rebuild && stockbridge plan`;

/** `rebuild`: links entities again after the database was lost. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--dry-run', 'only show what would be linked; exits with 2 if there is something to link')
    .option('--json', 'print JSON')
    .action(async (options: VerbOptions & { dryRun?: true }, rebuild: Command) => {
      const config = onlyAccount(loadFor(rebuild, cli).config, options.account);
      const apply = options.dryRun !== true;
      const progress = createProgress(cli);
      const results = await interruptibly((signal) =>
        rebuildAll(config, quietLog(rebuild, cli), apply, { signal, onStep: progress.step }),
      ).finally(() => progress.end());
      if (options.json) printJson(cli, results);
      else for (const result of results) await printResult(cli, result, apply);
      if (results.some(({ conflicts }) => conflicts.length > 0)) cli.exitCode = EXIT.failed;
      else if (!apply && results.some(({ links }) => links.length > 0)) cli.exitCode = EXIT.changes;
    });
}

const SHOWN = 20;

async function printResult(cli: Cli, { account, links, ahead, conflicts }: Rebuilt, apply: boolean): Promise<void> {
  const linked = `${links.length} ${apply ? 'linked' : 'would be linked'}`;
  print(cli, `${paint(cli, cli.stdout, 'bold', account)}: ${linked}, ${conflicts.length} left for you`);
  for (const { collection, cursor } of ahead) {
    const told = `the last read position of ${collection}, ${cursor}, is in the future: the whole list was read`;
    printLines(cli, entry(told, 80, '    '));
  }
  const planned = apply ? [] : links.map(({ target, after, why }) => `  ${target}: ${after} (${why})`);
  if (!(await streamLines(cli, planned))) return;
  for (const { flow, key, reason } of conflicts.slice(0, SHOWN)) {
    printLines(cli, entry(`${flow} ${key}: ${reason}`, 80, '    '));
  }
  if (conflicts.length > SHOWN) print(cli, `    and ${conflicts.length - SHOWN} more: "stockbridge rebuild --json"`);
  if (conflicts.length > 0)
    note(cli, 'Link what belongs together with "stockbridge map link", then run rebuild again.');
  if (apply) note(cli, 'Next: "stockbridge plan" shows what would be written now; then start the daemon.');
}
