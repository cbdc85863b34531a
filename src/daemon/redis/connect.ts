import { setTimeout as sleep } from 'node:timers/promises';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { BehindSentinels, RedisTarget } from './target.ts';

/** A connection to Redis, or those to a cluster's nodes. */
export type RedisClient = Redis | Cluster;

type Options = Omit<RedisOptions, 'replyMapping'>;

/** For an answer needed within seconds. */
export const WITHOUT_RETRY: Options = { retryStrategy: () => null, commandTimeout: 5_000 };

const RECONNECT_MAX_MS = 2_000;
const CONNECT_LIMIT_MS = 5_000;
const CALL_LIMIT_MS = 5_000;
/**
 * A server silent for this long counts as dead, and its connection is closed, because a machine without power closes
 * none. BullMQ waits at most ten seconds for a command.
 */
const SILENT_MS = 15_000;

/**
 * For queues and workers: commands wait for Redis as long as it takes, as BullMQ requires. `onError` gets every failed
 * connection, which would otherwise go to standard error.
 */
export function connectForQueue(target: RedisTarget, onError: (error: Error) => void): RedisClient {
  return connect(target, { maxRetriesPerRequest: null, socketTimeout: SILENT_MS }, onError);
}

/** For calls that somebody waits for: they fail within seconds without Redis. */
export function connectForCalls(target: RedisTarget, onError: (error: Error) => void): RedisClient {
  const patience = { maxRetriesPerRequest: 1, commandTimeout: CALL_LIMIT_MS, socketTimeout: CALL_LIMIT_MS };
  const client = connect(target, patience, onError);
  if (target.kind === 'sentinels' && client instanceof Redis) leaveWhenReplaced(client, target);
  return client;
}

/** Leaves a primary as soon as a sentinel names a new one: the old one may hang, or count calls separately. */
function leaveWhenReplaced(client: Redis, target: BehindSentinels): void {
  const patience = { retryStrategy: retryMs, maxRetriesPerRequest: null };
  const leave = (): void => {
    // A client that is asking the sentinels at this moment would end for good.
    if (client.status === 'connecting') client.once('connect', () => client.disconnect(true));
    else client.disconnect(true);
  };
  const listening = openSentinels(target, patience).map(({ client: sentinel }) => {
    sentinel.on('message', (_channel, told: string) => {
      if (told.startsWith(`${primaryOf(target)} `)) leave();
    });
    sentinel.subscribe('+switch-master').catch(() => {});
    return sentinel;
  });
  client.once('end', () => {
    for (const sentinel of listening) sentinel.disconnect();
  });
}

/** @throws Error when it does not answer within seconds */
export async function answering(client: RedisClient): Promise<void> {
  const silence = new AbortController();
  const late = sleep(CALL_LIMIT_MS, undefined, { signal: silence.signal }).then(() => {
    throw new Error(`no answer within ${CALL_LIMIT_MS} ms`);
  });
  try {
    await Promise.race([client.ping(), late]);
  } finally {
    silence.abort();
    late.catch(() => {});
  }
}

const retryMs = (tries: number): number => Math.min(50 * tries, RECONNECT_MAX_MS);

function connect(target: RedisTarget, patience: Options, onError: (error: Error) => void): RedisClient {
  const client = clientOf(target, { ...patience, connectTimeout: CONNECT_LIMIT_MS });
  client.on('error', onError);
  return client;
}

function clientOf(target: RedisTarget, options: Options): RedisClient {
  const retried = { ...options, retryStrategy: retryMs };
  if (target.kind === 'private') return new Redis({ ...retried, path: target.socket });
  if (target.kind === 'server') return new Redis(target.url, retried);
  if (target.kind === 'sentinels') return new Redis(target.url, { ...retried, ...behind(target) });
  const { username, password, tls } = partsOf(target.url);
  return new Cluster(
    [target.url, ...target.cluster].map(partsOf).map(({ host, port = 6379 }) => ({ host, port })),
    {
      clusterRetryStrategy: retryMs,
      // The host name is kept, because the node's certificate is made out to it.
      dnsLookup: (address, callback) => callback(null, address),
      redisOptions: { ...options, username, password, tls },
    },
  );
}

export const primaryOf = ({ url }: BehindSentinels): string => partsOf(url).host;

/** A connection to each sentinel. Trouble shows only as a failed answer to the caller. */
export function openSentinels(
  target: BehindSentinels,
  patience: Options,
): { readonly place: string; readonly client: Redis }[] {
  const { sentinelUsername, sentinelPassword, sentinelTLS, sentinels } = behind(target);
  return sentinels.map(({ host, port }) => {
    const client = new Redis({
      host,
      port,
      username: sentinelUsername,
      password: sentinelPassword,
      tls: sentinelTLS,
      enableReadyCheck: false,
      connectTimeout: CONNECT_LIMIT_MS,
      ...patience,
    });
    client.on('error', () => {});
    return { place: `${host}:${port}`, client };
  });
}

function behind(target: BehindSentinels) {
  const [first] = target.sentinels.map(partsOf);
  return {
    sentinels: target.sentinels.map(partsOf).map(({ host, port = 26379 }) => ({ host, port })),
    name: primaryOf(target),
    sentinelUsername: first?.username,
    sentinelPassword: first?.password,
    sentinelTLS: first?.tls,
    sentinelCommandTimeout: RECONNECT_MAX_MS,
    sentinelRetryStrategy: retryMs,
    enableTLSForSentinelMode: true,
  } satisfies Options;
}

function partsOf(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    username: username === '' ? undefined : decodeURIComponent(username),
    password: password === '' ? undefined : decodeURIComponent(password),
    tls: protocol === 'rediss:' ? {} : undefined,
  };
}
