import { request } from 'undici';
import type { Config } from '../config/resolve.ts';
import { ROLES } from '../daemon/roles.ts';
import { lockHolder } from '../store/sqlite/lock.ts';

export interface DaemonStatus {
  /** The roles that run, each with its process. */
  readonly roles: readonly { readonly role: string; readonly process: string }[];
  /** The reasons why the daemon is not ready, or that it does not answer; null when it has no admin port to ask. */
  readonly notReady: readonly string[] | null;
}

/** Does a daemon run on this machine with these records? */
export function isDaemonRunning({ state }: Config): boolean {
  return ROLES.some((role) => lockHolder(state.dir, role) !== null);
}

/**
 * Does anything read or write here? The screen alone, or the receiver of webhooks, does not. Where daemons share a database, the
 * others are not seen from here.
 */
export function isWorking({ state }: Config, { roles }: DaemonStatus): boolean {
  if (state.postgres !== null) return roles.length > 0;
  return roles.some(({ role }) => role === 'poll' || role === 'work');
}

/** The daemon answers within five seconds, even when one of its checks hangs. */
const READYZ_LIMIT_MS = 10_000;

export async function daemonStatus(config: Config): Promise<DaemonStatus> {
  const roles = ROLES.flatMap((role) => {
    const process = lockHolder(config.state.dir, role);
    return process === null ? [] : [{ role, process }];
  });
  const isServed = roles.some(({ role }) => role === 'admin') && config.admin.listen.port !== 0;
  return { roles, notReady: isServed ? await askReadiness(config.admin.listen) : null };
}

async function askReadiness({ host, port }: Config['admin']['listen']): Promise<string[]> {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  const url = `http://${reachable}:${port}/readyz`;
  const silent = [`${url} does not say: it is starting, it hangs, or admin.listen was changed since it began`];
  try {
    // `fetch` would refuse the ports that browsers refuse.
    const { body } = await request(url, { signal: AbortSignal.timeout(READYZ_LIMIT_MS) });
    const { reasons } = (await body.json()) as { reasons?: unknown };
    return Array.isArray(reasons) ? reasons.map(String) : silent;
  } catch {
    return silent;
  }
}
