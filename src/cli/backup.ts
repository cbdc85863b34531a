import type { Command } from 'commander';
import { backup } from '../use/data.ts';
import { loadStateFor } from './load.ts';
import { type Cli, print, printJson } from './output.ts';

export const help = `
The copy is the database as it is at one instant, checked from end to end, in one file that only its owner can read. It
holds customers' names and orders: keep it as you keep those.

Examples:
  stockbridge backup backups/$(date +%F).db
  stockbridge backup --force /var/backups/stockbridge.db`;

/** `backup FILE`: copies the database while the daemon runs. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('<file>', 'where to')
    .option('--force', 'replace the file if it exists')
    .option('--json', 'print JSON')
    .action(async (file: string, { force = false, json }: { force?: boolean; json?: true }, copying: Command) => {
      const made = await backup(loadStateFor(copying, cli), file, force);
      if (json) printJson(cli, made);
      else print(cli, `${file}: ok (${made.bytes} bytes, checked)`);
    });
}
