import { type Command, Option } from 'commander';
import { FINDS, LISTS } from '../use/erp/try.ts';
import { checkErp } from './erp/check.ts';
import { connectErp } from './erp/connect/connect.ts';
import { describe } from './erp/describe.ts';
import { draftErp } from './erp/draft.ts';
import { tryErp } from './erp/try.ts';
import { collect, wholeNumber } from './options.ts';
import type { Cli } from './output.ts';

export const help = `
"erp check" reads; with --write it also makes orders of two products, edits and cancels them, and breaks the connection at each
of its own write calls. The orders are cancelled again, also after Ctrl-C; what is left is named. Nobody else may touch the two
products meanwhile, so name quiet ones with --sku, and stop the daemon first.

"erp draft" needs no configuration: it writes a first one of an OpenAPI 3 document (a file or an address, JSON or YAML), a database
(postgres://USER@HOST/DATABASE or mariadb://..., its password in ERP_PASSWORD), a folder with exports (CSV, XLSX, JSON), or sample
answers in JSON. It only reads. A comment on each line says why, and "decide:" marks what a person has to settle.

"erp connect" goes through draft, try and check with you, one line to decide and one broken promise at a time. What you settle is
written into the file that --config names, so you can leave at any time, and go on later.

Exit codes: 0 every promise that was tested is kept, 1 one is broken or nothing can be drafted, 69 the ERP is down, 75 "connect" was
left before its end, 77 the ERP refuses the credentials or a right, 78 the configuration is wrong.

Examples:
  stockbridge --config erp.yaml erp connect
  stockbridge erp draft --from openapi.yaml --to erp.yaml
  stockbridge erp draft --from postgres://bridge@127.0.0.1:5432/shop
  stockbridge erp describe
  stockbridge erp try products --limit 3
  stockbridge erp try orders --since 2026-01-31T08:30:00Z
  stockbridge erp try stock-by-sku SB-0001 SB-0002
  stockbridge erp check
  stockbridge erp check --write --sku SB-0001 --sku SB-0002`;

/** `erp connect|check|try|describe|draft`: the connection to the ERP alone. */
export function define(command: Command, cli: Cli): void {
  command
    .command('connect')
    .description('Connect an ERP step by step: draft, try and check in turn')
    .option('--from <what>', SOURCES)
    .addOption(kindOfFolder())
    .addOption(namesOfLists())
    .option('--account <name>', 'whose ERP to connect, when there are several')
    .action(connectErp(cli));

  command
    .command('check')
    .description('Test everything that Stockbridge needs from the connection')
    .option('--sku <sku>', 'a product to test with; name two. Left out, two are found', collect, [])
    .option('--customer <id>', 'the customer, by its id in the ERP, that the test orders are for')
    .option('--write', 'also create orders of these products, change and cancel them')
    .option('--lasting', 'with --write: also create customers, products and payments, which are not removed afterwards')
    .option('--account <name>', 'whose ERP to check, when there are several')
    .option('--json', 'print what was found as JSON')
    .action(checkErp(cli));

  const names = [...Object.keys(LISTS), ...Object.keys(FINDS)].join(', ');
  command
    .command('try')
    .description('Show the request, the answer and the resulting rows of one list or lookup')
    .argument('<what>', `one of ${names}`)
    .argument('[value...]', 'what a look-up looks for')
    .option('--since <time>', 'only what changed since this time, such as 2026-01-31T08:30:00Z')
    .option('--limit <rows>', 'how many rows to show', wholeNumber(1, 10_000), 5)
    .option('--account <name>', 'whose ERP to ask, when there are several')
    .option('--json', 'print JSON, with the whole of every answer')
    .action(tryErp(cli));

  command
    .command('describe')
    .description('Show the abilities of the connection, where each is declared, and which flows are off without them')
    .option('--account <name>', 'whose ERP to describe, when there are several')
    .option('--json', 'print JSON')
    .action(describe(cli));

  command
    .command('draft')
    .description('Draft a description of an ERP from its API document, database, files or sample answers')
    .requiredOption('--from <what>', SOURCES)
    .addOption(kindOfFolder())
    .option('--to <file>', 'write to this new file instead of standard output')
    .addOption(namesOfLists())
    .action(draftErp(cli));
}

const SOURCES = 'an OpenAPI 3 document, a database, a folder of files, or a sample answer';

function namesOfLists(): Option {
  const about = 'the table or query of a list, as in products=parts; lines are those of orders';
  return new Option('--table <list=name>', about).argParser(collect).default([]);
}

function kindOfFolder(): Option {
  return new Option('--as <type>', 'what a folder of JSON files holds: answers of an interface, or exported files')
    .choices(['rest', 'files'])
    .default('rest');
}
