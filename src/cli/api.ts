import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { ConfigError } from '../config/problem.ts';
import type { AccountConfig } from '../config/resolve.ts';
import type { Operation } from '../marketplace/operations/operation.ts';
import { accountFor, accountsFor } from '../use/accounts.ts';
import { allPages, callOnce } from '../use/api/call.ts';
import { description, outlines } from '../use/api/describe.ts';
import { withDeploymentNames, withMarketplace } from '../use/api/open.ts';
import { checkRequest, findOperation, maskedRequest, sortParams, type TypedRequest } from '../use/api/request.ts';
import { UsageError } from '../use/faults.ts';
import { readBody } from './api/body.ts';
import { descriptionText, listText } from './api/describe.ts';
import { printAll, printRequest } from './api/print.ts';
import { configPath, loadFor } from './load.ts';
import { quietLog } from './logs.ts';
import { collect } from './options.ts';
import { type Cli, note, printJson, printLines } from './output.ts';
import { interruptibly } from './signals.ts';
import type { VerbOptions } from './with-store.ts';

interface Options extends VerbOptions {
  readonly param: readonly string[];
  readonly file: readonly string[];
  readonly body?: string;
  readonly list?: true;
  readonly describe?: true;
  readonly dryRun?: true;
  readonly all?: true;
}

export const help = `
Exit codes: 64 it does not fit and was not sent, 69 the marketplace is down, 75 the quota is used up,
77 the credentials are refused or lack a permission, 1 it refused the call.

Examples:
  stockbridge api --list
  stockbridge api --list customers
  stockbridge api --describe products.list
  stockbridge api orders.get --param number=7d1f4e9a-1f0c-4a4e-9f43-0d3f6f0f8f11
  stockbridge api products.list --all --param archived=true | jq .sku
  echo '{"description": "Now in blue"}' | stockbridge api products.patch --param id=17 --body - --dry-run
  echo '{"product": 17, "position": 1}' | stockbridge api product-images.create --body - --file image=photo.png`;

/** `api OPERATION`: any marketplace operation, checked and within the quota. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[operation]', 'what to call, such as orders.get; with --list a family or a word to look for')
    .option('--param <name=value>', 'a parameter of the path or the query; repeat it for several values', collect, [])
    .option('--body <file>', 'the JSON body; - reads it from standard input')
    .option('--file <field=path>', 'a file of a multipart body, such as image=photo.png; may be repeated', collect, [])
    .option('--account <name>', 'whose marketplace to call, when there are several')
    .option(
      '--all',
      'print every page of a list, one row per line; rows that change meanwhile may be missing or appear twice',
    )
    .option('--dry-run', 'print the request, with the secret masked, and send nothing')
    .option('--list', 'list the operations')
    .option('--describe', 'show the parameters and the body of the operation, with an example')
    .option('--json', 'print the list, the description or the request as JSON; answers are JSON anyway')
    .action((id: string | undefined, options: Options, api: Command) => act(id, options, api, cli));
}

async function act(id: string | undefined, options: Options, command: Command, cli: Cli): Promise<void> {
  if (options.list) return printList(id, options, accountIfAny(command, options, cli), cli);
  if (id === undefined) throw new UsageError('which operation? "stockbridge api --list" shows them');
  const operation = findOperation(id);
  if (options.describe) return printDescription(operation, options, accountIfAny(command, options, cli), cli);
  const { config } = loadFor(command, cli);
  const account = withDeploymentNames(accountFor(config, options.account));
  const body = await readBody(operation, options.body, options.file);
  const request: TypedRequest = { ...sortParams(operation, options.param), ...(body === undefined ? {} : { body }) };
  const wire = checkRequest(operation, account, request);
  if (options.dryRun) return printRequest(maskedRequest(wire, body, account), options.json === true, cli);
  if (config.mode === 'dry-run' && operation.effect !== 'none') {
    const where = configPath(command);
    throw new UsageError(`${id} writes, and ${where} says mode: dry-run: it was not sent; --dry-run shows the request`);
  }
  await interruptibly((signal) =>
    withMarketplace({ config, log: quietLog(command, cli) }, account, async (client) => {
      const callOptions = { lane: 'operator', signal } as const;
      if (options.all) await printAll(allPages(client, operation, request, callOptions), cli, signal);
      else printJson(cli, await callOnce(client, operation, request, callOptions));
    }),
  );
}

/** The account whose overrides are shown; null: there is no configuration, which operations do not need. */
function accountIfAny(command: Command, { account: name }: Options, cli: Cli): AccountConfig | null {
  const path = configPath(command);
  if (!existsSync(path)) return null;
  try {
    const [account, another] = accountsFor(loadFor(command, cli).config, name);
    if (another === undefined) return account ?? null;
    note(cli, 'there are several accounts: --account NAME shows what is overridden for one');
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    note(cli, `${path} has errors, so its overrides are not shown. See the errors: stockbridge config check`);
  }
  return null;
}

function printList(word: string | undefined, { json }: Options, account: AccountConfig | null, cli: Cli): void {
  const rows = outlines(word, account);
  if (rows.length === 0) throw new UsageError(`no operation matches "${word}". List all: stockbridge api --list`);
  if (json) printJson(cli, rows);
  else printLines(cli, listText(rows));
}

function printDescription(operation: Operation, { json }: Options, account: AccountConfig | null, cli: Cli): void {
  if (json) printJson(cli, description(operation, account));
  else printLines(cli, descriptionText(operation, account));
}
