import type { Command } from 'commander';
import type { AccountConfig, Config } from '../config/resolve.ts';
import { openCore } from '../core.ts';
import type { Log } from '../logging.ts';
import { fixedHeaders } from '../marketplace/client.ts';
import type { Operation } from '../marketplace/operations/operation.ts';
import { OPERATIONS } from '../marketplace/operations/table.ts';
import { parseJson } from '../marketplace/operations/wire.ts';
import type { AccountContext } from '../reconcile/context.ts';
import { accountFor } from './account.ts';
import { allPages, callOnce } from './api-call.ts';
import { checkRequest, findOperation, readBody, sortParams, type TypedRequest } from './api-request.ts';
import { description, descriptionText, listText, outline } from './api-text.ts';
import { UsageError } from './exit.ts';
import { configPath, loadFor } from './load.ts';
import { quietLog } from './log.ts';
import { type Cli, note, print, printJson, stream } from './output.ts';
import { createProgress } from './progress.ts';
import { interruptibly } from './signals.ts';

interface Options {
  readonly param: readonly string[];
  readonly body?: string;
  readonly account?: string;
  readonly list?: true;
  readonly describe?: true;
  readonly dryRun?: true;
  readonly all?: true;
  readonly json?: true;
}

/** `api OPERATION`: any operation of the marketplace, within the quota and checked before it is sent. */
export function define(command: Command, cli: Cli): void {
  command
    .argument('[operation]', 'what to call, such as orders.get; --list shows them')
    .option('--param <name=value>', 'a parameter of the path or the query; may be repeated', collect, [])
    .option('--body <file>', 'the JSON body; - reads it from standard input')
    .option('--account <name>', 'whose marketplace to call, when there are several')
    .option('--all', 'every page of a list, a row to a line; rows that move meanwhile may be missed or come twice')
    .option('--dry-run', 'print the request, with the secret masked, and send nothing')
    .option('--list', 'list the operations')
    .option('--describe', 'show the parameters and the body of the operation')
    .option('--json', 'print the list, the description or the request as JSON; answers are JSON anyway')
    .addHelpText(
      'after',
      `
Exit codes: 64 it does not fit and was not sent, 69 the marketplace is down, 75 the quota is used up,
77 the credentials are refused or lack a permission, 1 it refused the call.

Examples:
  stockbridge api --list
  stockbridge api --describe products.list
  stockbridge api orders.get --param number=7d1f4e9a-1f0c-4a4e-9f43-0d3f6f0f8f11
  stockbridge api products.list --all --param archived=true | jq .sku
  echo '{"description": "Now in blue"}' | stockbridge api products.patch --param id=17 --body - --dry-run`,
    )
    .action((id: string | undefined, options: Options, api: Command) => act(id, options, api, cli));
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

async function act(id: string | undefined, options: Options, command: Command, cli: Cli): Promise<void> {
  if (options.list) return printList(options, cli);
  if (id === undefined) throw new UsageError('which operation? "stockbridge api --list" shows them');
  const operation = findOperation(id);
  if (options.describe) return printDescription(operation, options, cli);
  const { config } = loadFor(command, cli);
  const account = accountFor(config, options.account);
  const request: TypedRequest = {
    ...sortParams(operation, options.param),
    ...(options.body === undefined ? {} : { body: await readBody(options.body) }),
  };
  const wire = checkRequest(operation, account, request);
  if (options.dryRun) return printRequest(wire, account, options, cli);
  if (config.mode === 'dry-run' && operation.effect !== 'none') {
    const where = configPath(command);
    throw new UsageError(`${id} writes, and ${where} says mode: dry-run: it was not sent; --dry-run shows the request`);
  }
  await withClient({ ...config, accounts: [account] }, quietLog(command, cli), async (client, signal) => {
    const callOptions = { lane: 'operator', signal } as const;
    if (options.all) await printAll(allPages(client, operation, request, callOptions), cli);
    else printJson(cli, await callOnce(client, operation, request, callOptions));
  });
}

function withClient(
  config: Config,
  log: Log,
  work: (client: AccountContext['client'], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  return interruptibly(async (signal) => {
    const core = await openCore({ config, log });
    try {
      for (const { client } of core.accounts.values()) await work(client, signal);
    } finally {
      await core.close();
    }
  });
}

async function printAll(pages: ReturnType<typeof allPages>, cli: Cli): Promise<void> {
  const progress = createProgress(cli);
  let [rows, misfits] = [0, 0];
  try {
    for await (const page of pages) {
      progress.end();
      for (const row of page.raw) if (!(await stream(cli, JSON.stringify(row)))) return;
      rows += page.raw.length;
      misfits += page.misfits.length;
      progress.show(`${rows} of ${page.count}`);
    }
  } finally {
    progress.end();
  }
  if (misfits > 0) note(cli, `${misfits} of ${rows} rows do not fit the documented shape`);
}

function printList({ json }: Options, cli: Cli): void {
  if (json) printJson(cli, Object.values(OPERATIONS).map(outline));
  else for (const line of listText()) print(cli, line);
}

function printDescription(operation: Operation, { json }: Options, cli: Cli): void {
  if (json) printJson(cli, description(operation));
  else for (const line of descriptionText(operation)) print(cli, line);
}

function printRequest(
  { method, url, payload }: ReturnType<typeof checkRequest>,
  { marketplace }: AccountConfig,
  { json }: Options,
  cli: Cli,
): void {
  const headers = fixedHeaders(marketplace, '***');
  if (payload !== null) headers['content-type'] = payload.contentType;
  const body = typeof payload?.body === 'string' ? payload.body : null;
  if (json) return printJson(cli, { method, url, headers, body: body === null ? null : parseJson(body) });
  print(cli, `${method} ${url}`);
  for (const [name, value] of Object.entries(headers)) print(cli, `${name}: ${value}`);
  if (body === null) return;
  print(cli, '');
  printJson(cli, parseJson(body));
}
