import { existsSync } from 'node:fs';
import { describe, type Problem } from '../../config/problem.ts';
import type { AccountConfig, Config } from '../../config/resolve.ts';
import { openErp, openGovernor, openMarketplace } from '../../core/sides.ts';
import { openStore } from '../../core/state.ts';
import { openRedis } from '../../core/state-redis.ts';
import type { Credentials } from '../../credentials/credentials.ts';
import { differingSecrets, EFFECTS, effectOf, heldSecrets, originText } from '../../credentials/held.ts';
import { connectForCalls } from '../../daemon/redis/connect.ts';
import { inspectRedis } from '../../daemon/redis/inspect.ts';
import { ageText } from '../../domain/age.ts';
import { shownCause } from '../../domain/causes/cause.ts';
import { counted } from '../../domain/counted.ts';
import type { Side } from '../../domain/failure.ts';
import { ordersFromText } from '../../domain/history.ts';
import { RAREST_WATCHED_POLL_MS } from '../../domain/webhook-loss.ts';
import { standingOf } from '../../flows/engine/strategy-change.ts';
import type { Log } from '../../logging/logging.ts';
import type { CallTrace } from '../../marketplace/client.ts';
import type { QuotaGovernor } from '../../marketplace/governor.ts';
import { alertsOf } from '../../shadow/alerts.ts';
import { hasBegun, ordersFromNow } from '../../shadow/orders-from.ts';
import { databasePath } from '../../store/sqlite/database.ts';
import { lockHolder } from '../../store/sqlite/lock.ts';
import type { Store } from '../../store/store.ts';
import { cursorAhead } from '../coverage.ts';
import { openOwnCredentials } from '../open.ts';
import { checkErp } from './erp.ts';
import { type Finding, fail, failed, ok, warn } from './finding.ts';
import { checkDatabase, checkDisk, checkLimits, checkPorts, checkRedis } from './machine.ts';
import { checkMarketplace } from './marketplace.ts';
import { checkNames } from './names.ts';
import { checkOverrides } from './overrides.ts';

/**
 * Tests every connection, credential and permission; writes nothing to either side.
 * @param file the configuration's path and its doubtful places
 */
export async function* checkAll(
  config: Config,
  file: { readonly path: string; readonly doubtful: readonly Problem[] },
  log: Log,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  const { mode, accounts } = config;
  yield ok('configuration', `${file.path}: mode ${mode}, ${counted(accounts.length, 'account')}`);
  for (const one of file.doubtful) yield warn('configuration', describe(file.path, one), null);
  yield* checkDisk(config.state.dir);
  yield* checkLimits(config.state.dir);
  const database = await checkDatabase(config.state);
  yield database;
  if (database.level === 'ok') yield* await checkStored(config, log);
  yield* await checkPorts(config);
  for (const account of accounts) for (const finding of webhookFindings(account)) yield ownOf(account, finding);
  yield* checkSides(config, ['marketplace', 'erp'], log, signal);
}

export async function* checkSides(
  config: Config,
  sides: readonly ('marketplace' | 'erp')[],
  log: Log,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  let own: Awaited<ReturnType<typeof openOwnCredentials>>;
  try {
    own = await openOwnCredentials(config, log);
  } catch (error) {
    yield failed('credentials', error);
    return;
  }
  const asking = { config, credentials: own.credentials, log, signal };
  try {
    if (sides.includes('marketplace')) yield* checkCalls(asking);
    if (sides.includes('erp')) yield* checkErps(asking);
  } finally {
    own.close();
  }
}

interface Asking {
  readonly config: Config;
  readonly credentials: Pick<Credentials, 'marketplace' | 'erp'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

async function* checkErps({ config, ...asking }: Asking): AsyncGenerator<Finding> {
  for (const account of config.accounts)
    for await (const finding of checkErpOf(account, asking)) yield ownOf(account, finding);
}

type Trying = Pick<Asking, 'credentials' | 'signal'> & {
  readonly watch?: <Connector extends object>(connector: Connector, side: Side) => Connector;
};

/** Both sides of an account, with a running program's credentials and quota. */
export async function* checkBoth(
  account: AccountConfig,
  quota: QuotaGovernor,
  trying: Trying,
): AsyncGenerator<Finding> {
  for await (const finding of checkAccount(account, quota, trying)) yield ownOf(account, finding);
  for await (const finding of checkErpOf(account, trying)) yield ownOf(account, finding);
}

async function* checkErpOf(account: AccountConfig, { credentials, signal, watch }: Trying): AsyncGenerator<Finding> {
  const erp = await openErp(account, credentials);
  try {
    yield* checkErp(watch?.(erp, 'erp') ?? erp, account, Date.now, signal);
  } finally {
    await erp.close();
  }
}

const PULLED_BACK = 'nothing to do: the next read begins at the start of the list';

/** Reads from the future, and rows with future times. */
async function timeFindings(account: string, store: Store): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const collection of await store.cursors.collections(account)) {
    const cursor = await cursorAhead(store, account, collection, Date.now());
    if (cursor === null) continue;
    findings.push(warn('coverage', `the read position of ${collection}, ${cursor}, is in the future`, PULLED_BACK));
  }
  for (const { causes } of await alertsOf({ account, store })) {
    for (const cause of causes.filter(({ code }) => code === 'reference-differs')) {
      const { text, next } = shownCause(cause);
      findings.push(fail('ERP references', text, next));
    }
    for (const cause of causes.filter(({ code }) => code === 'rows-ahead' || code === 'erp-rows-ahead')) {
      const { text, next } = shownCause(cause);
      findings.push(warn('coverage', text, next));
    }
  }
  return findings;
}

/** Compares the secrets here with those of the daemon that works the account. */
async function secretFindings(
  { state }: Config,
  { name: account, secrets }: AccountConfig,
  store: Store,
): Promise<Finding[]> {
  const { leases } = await store.leases.list();
  const isWorked =
    state.postgres === null ? lockHolder(state.dir, 'work') !== null : leases.some((one) => one.account === account);
  const held = isWorked ? await heldSecrets({ account, store }) : null;
  if (held === null) return [];
  const others = await differingSecrets(held, secrets);
  if (others.length === 0)
    return [
      ok(
        'secrets',
        `the daemon (${held.by}) uses the values that were tested here: ${held.secrets.map(originText).join('; ')}`,
      ),
    ];
  return others.map((other) => {
    const { path, from } = other;
    const isOfStart = effectOf(other) === 'restart';
    const origin = from.length === 0 ? 'the configuration' : from.join(' and ');
    const text = `${path}: the daemon (${held.by}) uses another value than this test: that of ${origin} ${isOfStart ? 'at its start' : 'when it read it last'}`;
    return isOfStart
      ? fail('secrets', text, 'restart the daemon with the new value in its environment', 'credentials')
      : warn('secrets', text, `send SIGHUP to the daemon: ${EFFECTS.reread}`);
  });
}

/** From when orders count. */
async function ordersFinding(config: AccountConfig, store: Store): Promise<Finding> {
  const known = { account: config.name, config, store };
  const from = await ordersFromNow(known);
  return ok('orders', ordersFromText(config.orders, from === null && !(await hasBegun(known)) ? undefined : from));
}

/**
 * Strategies that wait for an approval, the date from which orders count, and lists with future times. The database
 * must be current or missing.
 */
async function checkStored(config: Config, log: Log): Promise<Finding[]> {
  try {
    if (config.state.postgres === null && !existsSync(databasePath(config.state.dir)))
      return config.accounts.map((account) => ownOf(account, ok('orders', ordersFromText(account.orders))));
    const { store, close } = await openStore(config, log, false);
    try {
      const findings: Finding[] = [];
      for (const { name: account, inventory } of config.accounts) {
        const standing = await standingOf({ account, store }, inventory.strategy);
        if (standing.kind !== 'waits') continue;
        const { text, next } = shownCause(standing.cause);
        findings.push({ ...warn('strategy', text, next), account });
      }
      for (const account of config.accounts) {
        for (const finding of await secretFindings(config, account, store)) findings.push(ownOf(account, finding));
        findings.push(ownOf(account, await ordersFinding(account, store)));
      }
      for (const { name: account } of config.accounts) {
        for (const finding of await timeFindings(account, store)) findings.push({ ...finding, account });
      }
      return findings;
    } finally {
      close();
    }
  } catch (error) {
    return [failed('strategy', error)];
  }
}

const NOT_CALLED = warn('marketplace', 'not checked: without Redis, which counts the API quota, no call is made', null);

async function* checkCalls({ config, credentials, log, signal }: Asking): AsyncGenerator<Finding> {
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
    const found = await checkRedis(
      () => inspectRedis(redis, opened.target),
      opened.target,
      () => connectionError,
    );
    yield* found;
    if (found.some(({ fault }) => fault === 'unavailable')) {
      yield NOT_CALLED;
      return;
    }
    for (const account of config.accounts) {
      const quota = openGovernor(account, redis, opened.target);
      for await (const finding of checkAccount(account, quota, { credentials, signal })) yield ownOf(account, finding);
    }
  } finally {
    redis.disconnect();
    await opened.stop();
  }
}

async function* checkAccount(
  config: AccountConfig,
  quota: QuotaGovernor,
  { credentials, signal, watch }: Trying,
): AsyncGenerator<Finding> {
  let lastCall: CallTrace | null = null;
  const client = openMarketplace(
    config,
    quota,
    (operation) => credentials.marketplace(config.name, operation),
    (call) => {
      lastCall = call;
    },
  );
  try {
    const parts = {
      config,
      client: watch?.(client, 'marketplace') ?? client,
      lastCall: () => lastCall,
      now: Date.now,
      signal,
    };
    yield* checkMarketplace(parts);
    yield* checkOverrides(parts);
    yield* checkNames(parts);
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

function ownOf({ name }: AccountConfig, finding: Finding): Finding {
  return { ...finding, account: name };
}
