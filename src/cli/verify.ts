import type { Command } from 'commander';
import type { Config } from '../config/resolve.ts';
import { counted } from '../domain/counted.ts';
import { verify, verifyPostgres } from '../use/data.ts';
import { EXIT } from './exit.ts';
import { loadFor } from './load.ts';
import { type Cli, paint, print, printJson, printLines } from './output.ts';

export const help = `
Nothing is changed and nobody is called; a daemon may go on meanwhile. Exits 1 when something was found.

Examples:
  stockbridge verify
  stockbridge verify backups/today.db`;

/** `verify`: checks a data folder or a backup. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[path]', 'a data folder or a backup; otherwise the data folder of the configuration')
    .option('--json', 'print JSON')
    .action(async (path: string | undefined, { json }: { json?: true }, verifying: Command) => {
      const verified = path === undefined ? await verifyOwn(loadFor(verifying, cli).config.state) : await verify(path);
      const { file, findings } = verified;
      if (findings.length > 0) cli.exitCode = EXIT.failed;
      if (json) return printJson(cli, verified);
      if (findings.length === 0) print(cli, `${file}: ${paint(cli, cli.stdout, 'green', 'ok')}`);
      else print(cli, `${file}: ${paint(cli, cli.stdout, 'red', counted(findings.length, 'finding'))}`);
      for (const { about, text, mend } of findings) printLines(cli, [`  ${about}: ${text}`, `    ${mend}`]);
    });
}

function verifyOwn({ dir, postgres }: Config['state']) {
  return postgres === null ? verify(dir) : verifyPostgres(postgres);
}
