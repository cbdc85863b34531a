import type { Command } from 'commander';
import { FINDS, LISTS } from '../use/erp/try.ts';
import { checkErp } from './erp/check.ts';
import { describe } from './erp/describe.ts';
import { tryErp } from './erp/try.ts';
import { collect, wholeNumber } from './options.ts';
import type { Cli } from './output.ts';

export const help = `
"erp check" reads; with --write it also makes orders of two products, edits and cancels them, and breaks the connection at each
of its own write calls. The orders are cancelled again, also after Ctrl-C; what is left is named. Nobody else may touch the two
products meanwhile, so name quiet ones with --sku, and stop the daemon first.

Exit codes: 0 every promise that was tested is kept, 1 one is broken, 69 the ERP is down, 77 it refuses the credentials or
a right, 78 the configuration is wrong.

Examples:
  stockbridge erp describe
  stockbridge erp try products --limit 3
  stockbridge erp try orders --since 2026-01-31T08:30:00Z
  stockbridge erp try stock-by-sku SB-0001 SB-0002
  stockbridge erp check
  stockbridge erp check --write --sku SB-0001 --sku SB-0002`;

/** `erp check|try|describe`: the connection to the ERP, apart from everything else. */
export function define(command: Command, cli: Cli): void {
  command
    .command('check')
    .description('Prove that the connection keeps every promise that the bridge relies on')
    .option('--sku <sku>', 'a product to test with; name two. Left out, two are found', collect, [])
    .option('--customer <id>', 'the customer, by its id in the ERP, that the test orders are for')
    .option('--write', 'also make orders of these products, change them and cancel them again')
    .option('--lasting', 'with --write: also make customers, products and payments, which nothing takes back')
    .option('--account <name>', 'whose ERP to check, when there are several')
    .option('--json', 'print what was found as JSON')
    .action(checkErp(cli));

  const names = [...Object.keys(LISTS), ...Object.keys(FINDS)].join(', ');
  command
    .command('try')
    .description('Show what one list or look-up sends, receives, and makes of it')
    .argument('<what>', `one of ${names}`)
    .argument('[value...]', 'what a look-up looks for')
    .option('--since <time>', 'only what changed since this time, such as 2026-01-31T08:30:00Z')
    .option('--limit <rows>', 'how many rows to show', wholeNumber(1, 10_000), 5)
    .option('--account <name>', 'whose ERP to ask, when there are several')
    .option('--json', 'print JSON, with the whole of every answer')
    .action(tryErp(cli));

  command
    .command('describe')
    .description('Show what the connection can, who says so, and which flows are off for it')
    .option('--account <name>', 'whose ERP to describe, when there are several')
    .option('--json', 'print JSON')
    .action(describe(cli));
}
