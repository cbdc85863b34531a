import { join } from 'node:path';
import { Decimal } from '../domain/decimal.ts';
import { erpPlaceKey } from '../domain/erp-place.ts';
import { placeOf } from '../domain/facility-ledger.ts';
import type { Units } from '../domain/units.ts';
import type { StatedCapabilities } from '../erp/capabilities.ts';
import { kindOf } from '../erp/connectors.ts';
import { compileRule } from '../expressions/rule.ts';
import { dialectOf } from '../marketplace/dialect.ts';
import type { Override } from '../marketplace/operations/moved.ts';
import type { OperationId } from '../marketplace/operations/table.ts';
import { durationMs, type ListenAddress, parseListen } from '../settings/scalars.ts';
import { hostOf } from './admin.ts';
import { resolveAssignments } from './assignments.ts';
import { resolveMarketplaceAuth } from './auth.ts';
import { resolveBrakes } from './brakes.ts';
import { resolveCustomers } from './customers.ts';
import { type Missing, withoutMissing } from './missing.ts';
import { resolveChannel } from './notify.ts';
import { resolveOrders } from './orders.ts';
import type { Path } from './path.ts';
import type { Unusable } from './problem.ts';
import { resolveProducts } from './products.ts';
import type { AccountFile, ConfigFile } from './schema.ts';
import type { SecretSetting } from './secrets.ts';

/**
 * camelCase, durations in milliseconds, decimals as Decimal, absent settings as null, and choices as discriminated
 * unions. `schema.ts` explains each key.
 */
export type Config = ReturnType<typeof resolveConfig>;
export interface AccountConfig extends ReturnType<typeof resolveParts> {
  /** All settings as text: accounts with equal texts differ at most in secrets. */
  readonly settings: string;
  readonly secrets: readonly SecretSetting[];
  readonly erp: ReturnType<typeof resolveErp> & { readonly where: (path: Path) => string | null };
  /**
   * The same account without the settings that an ERP with these capabilities cannot fulfil. Capabilities in the
   * configuration take precedence.
   */
  readonly against: (said: StatedCapabilities) => AccountConfig;
  readonly missing: readonly Missing[];
}

/** The place of a part of an account's section `erp`: `erp.yaml:41:12`; null: unknown. */
type WhereErp = (account: string, path: Path) => string | null;

interface Read {
  readonly where: WhereErp;
  readonly settingsOf: (account: string) => string;
  readonly secretsOf: (account: string) => readonly SecretSetting[];
  readonly unusable: readonly Unusable[];
}

/** Converts a checked configuration file for the program. Cannot fail. */
export function resolveConfig(
  file: ConfigFile,
  read: Read = { where: () => null, settingsOf: () => '', secretsOf: () => [], unusable: [] },
) {
  return {
    mode: file.mode,
    logLevel: file.log_level,
    state: {
      dir: file.state.dir,
      postgres: file.state.store === 'postgres' ? (file.state.postgres ?? null) : null,
      /** Kept even while the daemon uses SQLite. */
      postgresAddress: file.state.postgres ?? null,
      redis: resolveRedis(file.state),
    },
    webhooks: { listen: address(file.webhooks.listen) },
    admin: {
      listen: address(file.admin.listen),
      hosts: [...file.admin.hosts, ...hostOf(file.admin.public_url)],
      trustedProxies: file.admin.trusted_proxies,
      operatorToken: file.admin.operator_token ?? null,
      viewerToken: file.admin.viewer_token ?? null,
      basePath: file.admin.base_path,
      publicUrl: file.admin.public_url ?? null,
      users: file.admin.users,
    },
    retention: {
      journalMs: durationMs(file.retention.journal),
      inboxMs: durationMs(file.retention.inbox),
      ordersMs: file.retention.orders === undefined ? null : durationMs(file.retention.orders),
      customersMs: file.retention.customers === undefined ? null : durationMs(file.retention.customers),
    },
    notify: file.notify.map(resolveChannel),
    traces: file.traces ?? null,
    shutdownTimeoutMs: durationMs(file.shutdown_timeout),
    accounts: Object.entries(file.accounts).map(([name, account]) =>
      resolveAccount(name, account, file.state.dir, read),
    ),
    /** The accounts left out because their configuration is unusable. An empty name: the configuration as a whole. */
    unusable: [...read.unusable],
  };
}

export type RedisAddress = NonNullable<ReturnType<typeof resolveRedis>>;

function resolveRedis({ redis: url, redis_sentinels: sentinels, redis_cluster: cluster }: ConfigFile['state']) {
  if (url === undefined) return null;
  if (sentinels !== undefined) return { kind: 'sentinels', url, sentinels } as const;
  return cluster === undefined ? ({ kind: 'server', url } as const) : ({ kind: 'cluster', url, cluster } as const);
}

function resolveAccount(
  name: string,
  whole: AccountFile,
  dir: string,
  { where, settingsOf, secretsOf }: Read,
): AccountConfig {
  const erp = { ...resolveErp(whole.erp, join(dir, 'erp', name)), where: (path: Path) => where(name, path) };
  const secrets = secretsOf(name);
  const against = (said: StatedCapabilities): AccountConfig => {
    const { file, missing } = withoutMissing(whole, { ...said, ...erp.capabilities });
    return { ...resolveParts(name, file), settings: settingsOf(name), secrets, erp, against, missing };
  };
  return against({});
}

function resolveParts(name: string, file: AccountFile) {
  return {
    name,
    currency: file.currency,
    marketplace: resolveMarketplace(file.marketplace),
    inventory: resolveInventory(file.inventory),
    units: resolveUnits(file),
    products: resolveProducts(file.products),
    orders: resolveOrders(file.orders),
    customers: file.customers === undefined ? null : resolveCustomers(file.customers),
    assignments: file.assignments === undefined ? null : resolveAssignments(file.assignments),
    payments: file.payments === undefined ? null : resolvePayments(file.payments),
    facilities: file.facilities === undefined ? null : resolveFacilities(file.facilities, file.marketplace.seller_id),
    brakes: resolveBrakes(file.brakes),
    pages: file.pages,
    /** The daemons that may work the account; null: any. */
    daemons: file.daemons ?? null,
  };
}

function resolveMarketplace(file: AccountFile['marketplace']) {
  return {
    baseUrl: withoutEndSlash(file.base_url),
    version: file.version,
    versionHeader: file.version_header,
    auth: resolveMarketplaceAuth(file.auth),
    sellerId: file.seller_id,
    externalIdKey: file.external_id_key,
    limits: { perSecond: file.limits.per_second, perMinute: file.limits.per_minute },
    poll: {
      ordersMs: durationMs(file.poll.orders),
      productsMs: durationMs(file.poll.products),
      overlapMs: durationMs(file.poll.overlap),
      full: file.poll.full,
    },
    webhooks: file.webhooks === undefined ? null : resolveWebhooks(file.webhooks),
    transitions: file.transitions,
    dialect: dialectOf({
      fields: file.fields,
      statuses: file.statuses,
      discountTypes: file.discount_types,
      listingStates: file.listing_states,
    }),
    operations: resolveOperations(file.operations),
    referencePrefix: file.reference_prefix,
    timeoutMs: durationMs(file.timeout),
  };
}

function resolveOperations(file: AccountFile['marketplace']['operations']) {
  const entries = Object.entries(file) as [OperationId, NonNullable<(typeof file)[OperationId]>][];
  return Object.fromEntries(
    entries.map(([id, { auth, ...place }]) => [
      id,
      auth === undefined ? place : { ...place, auth: resolveMarketplaceAuth(auth) },
    ]),
  ) as Partial<Record<OperationId, Override & { readonly auth?: ReturnType<typeof resolveMarketplaceAuth> }>>;
}

function resolveWebhooks({ secret, ...rest }: NonNullable<AccountFile['marketplace']['webhooks']>) {
  return { ...rest, secrets: typeof secret === 'string' ? [secret] : secret };
}

/** @param dir the folder for the connector's files */
function resolveErp(section: AccountFile['erp'], dir: string) {
  return { section, dir, ...kindOf(section).settings(section) };
}

/** The strategy decides which stock field is written. Only submitted-available has a choice. */
type InventoryChoice =
  | { readonly strategy: 'fulfilled-quantity' | 'submitted-quantity'; readonly write: 'quantity' }
  | { readonly strategy: 'submitted-available'; readonly write: 'available_inventory' | 'quantity' };

function resolveInventory(file: AccountFile['inventory']) {
  const choice: InventoryChoice =
    file.strategy === 'submitted-available'
      ? { strategy: file.strategy, write: file.write ?? 'available_inventory' }
      : { strategy: file.strategy, write: 'quantity' };
  return { ...choice, buffer: new Decimal(file.buffer) };
}

function resolveUnits({ marketplace, erp, inventory }: Pick<AccountFile, 'marketplace' | 'erp' | 'inventory'>): Units {
  const { line_quantity_in: linesIn, stock_in: stockIn = linesIn } = inventory;
  return {
    marketplace: { pricePer: marketplace.price_per, stockIn, linesIn },
    erp: { pricePer: erp.price_per, stockIn: erp.stock_in, linesIn: erp.lines_in },
  };
}

function resolvePayments(file: NonNullable<AccountFile['payments']>) {
  return {
    toMarketplace: file.to_marketplace,
    toErp: file.to_erp,
    /** In the order of the file. */
    types: Object.entries(file.types).map(([method, type]) => ({ method, type })),
    from: file.from ?? null,
    pollMs: durationMs(file.poll),
  };
}

function resolveFacilities(file: NonNullable<AccountFile['facilities']>, sellerId: number) {
  const entries = file.map.map((entry, order) => ({ order, facilityId: entry.facility_id, ...entry }));
  const places = entries.flatMap(
    ({ order, facilityId, batch_id: batchId, erp_location: location, erp_batch: batch }) =>
      batchId === undefined ? [] : [[erpPlaceKey({ location, batch }), { order, facilityId, batchId }] as const],
  );
  return {
    companyId: file.company_id ?? sellerId,
    createdBy: file.created_by,
    pollMs: durationMs(file.poll),
    /** By name in the ERP, in the order of the file. */
    places: new Map(places),
    named: new Set(places.map(([, { facilityId, batchId }]) => placeOf(facilityId, batchId))),
    /** By location: the facilities whose batches are the ERP's lots. */
    lotPlaces: new Map(
      entries.flatMap(({ order, facilityId, batch_id: batchId, erp_location: location }) =>
        batchId === undefined ? [[location, { order, facilityId }] as const] : [],
      ),
    ),
    batches:
      file.batches === undefined
        ? null
        : {
            match: file.batches.match,
            fields: Object.entries(file.batches.fields).map(([name, rule]) => ({ name, rule: compileRule(rule) })),
          },
  };
}

const withoutEndSlash = (url: string): string => url.replace(/\/+$/, '');

function address(text: string): ListenAddress {
  const parsed = parseListen(text);
  if (parsed === null) throw new Error('a listen address passed its check and cannot be read');
  return parsed;
}
