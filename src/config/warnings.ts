import { kindOf } from '../erp/connectors.ts';
import { type ListenAddress, parseListen } from '../settings/scalars.ts';
import { withoutMissing } from './missing.ts';
import type { Path } from './path.ts';
import type { AccountFile, ConfigFile } from './schema.ts';

interface Doubtful {
  readonly path: Path;
  readonly message: string;
}

export function doubtfulIn({ accounts, state, admin }: ConfigFile, nowMs: number): Doubtful[] {
  const own = Object.entries(accounts).flatMap(([name, account]) => {
    const { marketplace, erp, orders } = account;
    const kind = kindOf(erp);
    const { addresses, capabilities } = kind.settings(erp);
    return [
      ...inClear(['accounts', name, 'marketplace', 'base_url'], marketplace.base_url),
      ...Object.entries(addresses).flatMap(([key, address]) =>
        inClear(['accounts', name, 'erp', ...key.split('.')], address),
      ),
      ...tokenServers(['accounts', name, 'marketplace', 'auth'], marketplace.auth),
      ...countedApart(['accounts', name, 'erp'], erp),
      ...(kind.doubts?.(erp) ?? []).map(({ path, message }) => ({ path: ['accounts', name, 'erp', ...path], message })),
      ...notBefore(['accounts', name, 'orders', 'export_from'], orders.export_from, nowMs),
      ...withoutMissing(account, capabilities).missing.map(({ path, effect, capability }) => ({
        path: ['accounts', name, ...path],
        message: `the ERP cannot do this (erp.${capability}): ${effect}`,
      })),
    ];
  });
  return [...adminPort(admin), ...redisInClear(state), ...sharedQuota(state), ...own];
}

function adminPort({
  listen,
  trusted_proxies: proxies,
  base_path: basePath,
  public_url: url,
}: ConfigFile['admin']): Doubtful[] {
  if (proxies.length > 0) return [];
  const { host } = parseListen(listen) as ListenAddress;
  const isElsewhere = url !== undefined && !LOOPBACK.test(new URL(url).hostname);
  if (!LOOPBACK.test(host.includes(':') ? `[${host}]` : host)) return [adminInClear];
  return basePath !== '' || isElsewhere ? [proxyUnnamed] : [];
}

/** The admin port has no TLS of its own. */
const adminInClear: Doubtful = {
  path: ['admin', 'listen'],
  message:
    'other machines reach the admin port in clear, with passwords and tokens: listen on 127.0.0.1, ' +
    'or put a proxy with TLS before it and name its address in admin.trusted_proxies',
};

/** Only a proxy exposes a port of this machine to others, or under a path. */
const proxyUnnamed: Doubtful = {
  path: ['admin', 'trusted_proxies'],
  message:
    'is empty although admin.public_url or admin.base_path implies a proxy: everybody behind it counts as one address, so one who ' +
    'guesses passwords blocks all. Name the address of the proxy, such as 127.0.0.1 for one on this machine',
};

/** An ERP reserves an order line in the unit in which the line counts. */
function countedApart(path: Path, { stock_in: stock, lines_in: lines }: AccountFile['erp']): Doubtful[] {
  if (stock === lines) return [];
  const message = `counts ${stock}, and order lines count ${lines} (erp.lines_in): an ERP that reserves stock for orders counts both alike`;
  return [{ path: [...path, 'stock_in'], message }];
}

function redisInClear({ redis, redis_sentinels: sentinels, redis_cluster: nodes }: ConfigFile['state']): Doubtful[] {
  const others = Object.entries({ redis_sentinels: sentinels, redis_cluster: nodes }).flatMap(([key, urls = []]) =>
    urls.flatMap((url, index) => inClear(['state', key, index], url)),
  );
  // Behind sentinels, the address names no machine. The servers are checked instead.
  return [...(redis === undefined ? [] : inClear(['state', 'redis'], redis, sentinels)), ...others];
}

/** A private Redis counts only the calls of its own daemon. */
function sharedQuota({ store, redis }: ConfigFile['state']): Doubtful[] {
  if (store !== 'postgres' || redis !== undefined) return [];
  const message = 'is missing: several daemons on one PostgreSQL need one Redis, or together they exceed the quota';
  return [{ path: ['state', 'redis'], message }];
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Every call carries credentials.
 * @param machines addresses of the called machines
 */
function inClear(path: Path, address: string, machines: readonly string[] = [address]): Doubtful[] {
  const secure = { 'http:': 'https', 'redis:': 'rediss' }[new URL(address).protocol];
  if (secure === undefined || machines.every((machine) => LOOPBACK.test(new URL(machine).hostname))) return [];
  const message = `credentials and data go to another machine in clear: use ${secure}, unless the network between is yours`;
  return [{ path, message }];
}

function tokenServers(path: Path, auth: object | undefined): Doubtful[] {
  const has = auth !== undefined && 'token_url' in auth && typeof auth.token_url === 'string';
  return has ? inClear([...path, 'token_url'], String(auth.token_url)) : [];
}

function notBefore(path: Path, instant: string | undefined, nowMs: number): Doubtful[] {
  if (instant === undefined || Date.parse(instant) <= nowMs) return [];
  return [{ path, message: 'is in the future: every order until then is history' }];
}
