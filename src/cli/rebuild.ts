import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { openCore } from '../core.ts';
import type { Log } from '../logging.ts';
import { operatorName } from '../operator.ts';
import { backupDatabase } from '../store/sqlite/backup.ts';
import { databasePath } from '../store/sqlite/database.ts';
import { accountsFor } from '../use/accounts.ts';
import { lockFolder } from '../use/open.ts';
import { type Rebuilt, rebuildLinks } from '../use/rebuild.ts';
import { readBothSides } from '../use/sync.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { quietLog } from './log.ts';
import { type Cli, note, paint, print, printJson, stream } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { interruptibly } from './signals.ts';
import { wrap } from './table.ts';

interface RebuildOptions {
  readonly account?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `rebuild`: after the database was lost, links again what belongs together. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--dry-run', 'only show what would be linked: exits 2 when something would')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
For a database that was lost, with no backup to restore. Both sides are read from the beginning, and what carries the other
side's mark is linked: orders by external_id there and by the reference in the ERP, products by external id and then by SKU,
customers and payments by what is kept of them. Nothing is written to either side. What two claim is listed and left.

The daemon must be stopped (otherwise: exit 75). Exits 1 when something is left for you to link.

Examples:
  stockbridge rebuild --dry-run
  stockbridge rebuild && stockbridge plan`,
    )
    .action(async (options: RebuildOptions, rebuild: Command) => {
      const { config } = loadFor(rebuild, cli);
      const accounts = [...accountsFor(config, options.account)];
      const apply = options.dryRun !== true;
      const results = await rebuildAll({ ...config, accounts }, quietLog(rebuild, cli), apply, createProgress(cli));
      if (options.json) printJson(cli, results);
      else for (const result of results) await printResult(cli, result, apply);
      if (results.some(({ conflicts }) => conflicts.length > 0)) cli.exitCode = EXIT.failed;
      else if (!apply && results.some(({ links }) => links.length > 0)) cli.exitCode = EXIT.changes;
    });
}

async function rebuildAll(config: Config, log: Log, apply: boolean, progress: Progress): Promise<Rebuilt[]> {
  const { dir } = config.state;
  const locks = lockFolder(dir);
  try {
    if (apply) return await rebuildIn(config, log, true, progress);
    return await onCopy(dir, (copy) =>
      rebuildIn({ ...config, state: { ...config.state, dir: copy } }, log, false, progress),
    );
  } finally {
    locks.release();
  }
}

/** What would happen is what happens to a copy. */
async function onCopy<T>(dir: string, work: (copy: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'stockbridge-'));
  try {
    if (existsSync(databasePath(dir))) await backupDatabase(dir, databasePath(copy), false);
    return await work(copy);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function rebuildIn(config: Config, log: Log, isForGood: boolean, progress: Progress): Promise<Rebuilt[]> {
  return interruptibly(async (signal) => {
    const core = await openCore({ config, log });
    try {
      const results: Rebuilt[] = [];
      for (const context of core.accounts.values()) {
        await readBothSides(context, signal, ({ account, step }) => progress.show(`${account}: ${step}`));
        progress.show(`${context.account}: linking`);
        const result = await rebuildLinks(context, signal);
        if (isForGood) await core.state.store.audit.add(actOf(result));
        results.push(result);
      }
      return results;
    } finally {
      progress.end();
      await core.close();
    }
  });
}

function actOf({ account, links, conflicts }: Rebuilt) {
  const after = `${links.length} linked, ${conflicts.length} left`;
  const nothing = { flow: '', key: '', before: null, resultOf: null };
  return { ...nothing, account, action: 'rebuild', target: 'the links', after, outcome: 'done', who: operatorName() };
}

const SHOWN = 20;

async function printResult(cli: Cli, { account, links, conflicts }: Rebuilt, apply: boolean): Promise<void> {
  const linked = `${links.length} ${apply ? 'linked' : 'would be linked'}`;
  print(cli, `${paint(cli, cli.stdout, 'bold', account)}: ${linked}, ${conflicts.length} left for you`);
  for (const { target, after, why } of apply ? [] : links) {
    if (!(await stream(cli, `  ${target}: ${after} (${why})`))) return;
  }
  for (const { flow, key, reason } of conflicts.slice(0, SHOWN)) {
    for (const line of wrap(`${flow} ${key}: ${reason}`, 80, '    ')) print(cli, line);
  }
  if (conflicts.length > SHOWN) print(cli, `    and ${conflicts.length - SHOWN} more: "stockbridge rebuild --json"`);
  if (conflicts.length > 0)
    note(cli, 'Link what belongs together with "stockbridge map link", then run rebuild again.');
  if (apply) note(cli, 'Next: "stockbridge plan" shows what would be written now; then start the daemon.');
}
