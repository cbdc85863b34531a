import type { Command } from 'commander';
import type { Redis } from 'ioredis';
import type { AccountConfig, Config } from '../config/resolve.ts';
import { connectForCalls } from '../daemon/redis/connect.ts';
import { counted } from '../domain/counted.ts';
import { RAREST_WATCHED_POLL_MS } from '../domain/webhook-loss.ts';
import { createHttpErp } from '../erp/http/connector.ts';
import type { Log } from '../logging.ts';
import type { CallTrace } from '../marketplace/client.ts';
import { openGovernor, openMarketplace } from '../sides.ts';
import { openRedis } from '../state-redis.ts';
import { accountsFor } from './account.ts';
import { checkDatabase, checkDisk } from './doctor/disk.ts';
import { checkErp } from './doctor/erp.ts';
import { exitOf, type Finding, failed, ok, warn } from './doctor/finding.ts';
import { checkMarketplace } from './doctor/marketplace.ts';
import { checkPorts } from './doctor/ports.ts';
import { checkRedis } from './doctor/redis.ts';
import { checkStrategies } from './doctor/strategy.ts';
import { findingText, summaryText } from './doctor/text.ts';
import { EXIT } from './exit.ts';
import { configPath, loadFor } from './load.ts';
import { quietLog } from './log.ts';
import { type Cli, print, printJson } from './output.ts';
import { interruptibly } from './signals.ts';
import { ageText } from './status-text.ts';

/** `doctor`: contacts everything, writes nothing to either side. */
export function define(command: Command, cli: Cli): void {
  command
    .option('--account <name>', 'this account only')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Some ten calls to the ERP and four or more to the marketplace, within the quota. That a key may write is not provable
without a write: asked is whether a change of something that does not exist, without any field, is refused for want
of the permission (403). Where a marketplace answers 404 to a missing permission, that is not seen.

Exit codes: 0 all is well or there are only warnings, 69 a side or Redis is down, 77 the credentials are refused or
lack a permission, 78 the configuration is wrong, 1 something else failed.

Examples:
  stockbridge doctor
  stockbridge doctor --json | jq '.findings[] | select(.level != "ok")'`,
    )
    .action(async ({ account, json }: { account?: string; json?: true }, doctor: Command) => {
      const { config } = loadFor(doctor, cli);
      const accounts = accountsFor(config, account);
      const findings: Finding[] = [];
      await interruptibly(async (signal) => {
        const checks = checkAll(
          { ...config, accounts: [...accounts] },
          configPath(doctor),
          quietLog(doctor, cli),
          signal,
        );
        for await (const finding of checks) {
          findings.push(finding);
          if (!json) for (const line of findingText(cli, finding, config.accounts.length > 1)) print(cli, line);
        }
      });
      if (json) printJson(cli, { findings });
      else print(cli, summaryText(cli, findings));
      cli.exitCode = exitOf(findings);
    });
}

async function* checkAll(config: Config, path: string, log: Log, signal: AbortSignal): AsyncGenerator<Finding> {
  const { mode, accounts } = config;
  yield ok('configuration', `${path}: mode ${mode}, ${counted(accounts.length, 'account')}`);
  yield* checkDisk(config.state.dir);
  const database = checkDatabase(config.state.dir);
  yield database;
  if (database.level === 'ok') yield* await checkStrategies(config, log);
  yield* await checkPorts(config);
  for (const account of accounts) for (const finding of webhookFindings(account)) yield own(account, finding);
  yield* checkCalls(config, log, signal);
  for (const account of accounts) {
    const erp = createHttpErp(account.erp);
    try {
      for await (const finding of checkErp(erp, account, Date.now, signal)) yield own(account, finding);
    } finally {
      await erp.close();
    }
  }
}

const NOT_CALLED = warn('marketplace', 'not checked: no call is made without Redis, which keeps the quota', null);

async function* checkCalls(config: Config, log: Log, signal: AbortSignal): AsyncGenerator<Finding> {
  let opened: Awaited<ReturnType<typeof openRedis>>;
  try {
    opened = await openRedis(config, config.state.dir, log);
  } catch (error) {
    yield failed('redis', error);
    yield NOT_CALLED;
    return;
  }
  let connectionError: Error | null = null;
  const redis = connectForCalls(opened.target, (error) => {
    connectionError = error;
  });
  try {
    const found = await checkRedis(redis, opened.target, () => connectionError);
    yield* found;
    if (found.some(({ exit }) => exit === EXIT.unavailable)) {
      yield NOT_CALLED;
      return;
    }
    for (const account of config.accounts) {
      for await (const finding of checkAccount(account, redis, signal)) yield own(account, finding);
    }
  } finally {
    redis.disconnect();
    await opened.stop();
  }
}

async function* checkAccount(config: AccountConfig, redis: Redis, signal: AbortSignal): AsyncGenerator<Finding> {
  let lastCall: CallTrace | null = null;
  const client = openMarketplace(config, openGovernor(config, redis), (call) => {
    lastCall = call;
  });
  try {
    yield* checkMarketplace({ config, client, lastCall: () => lastCall, now: Date.now, signal });
  } finally {
    await client.close();
  }
}

function webhookFindings({ name, marketplace: { webhooks, poll } }: AccountConfig): Finding[] {
  const section = `accounts.${name}.marketplace`;
  if (webhooks === null) {
    const text = 'no secret, so what arrives is taken as a hint only';
    return [warn('webhooks', text, `set ${section}.webhooks.secret`)];
  }
  const polls = [['orders', poll.ordersMs] as const, ['products', poll.productsMs] as const];
  const rare = polls.filter(([, everyMs]) => everyMs > RAREST_WATCHED_POLL_MS);
  return [
    ok('webhooks', `signed, in ${webhooks.header}`),
    ...rare.map(([kind, everyMs]) => {
      const text = `about ${kind}: that they are switched off shows only at polls, ${ageText(everyMs)} apart`;
      return warn('webhooks', text, `set ${section}.poll.${kind} to ${RAREST_WATCHED_POLL_MS / 60_000}m or less`);
    }),
  ];
}

function own({ name }: AccountConfig, finding: Finding): Finding {
  return { ...finding, account: name };
}
