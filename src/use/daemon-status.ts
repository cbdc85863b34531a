import { request } from 'undici';
import type { Config } from '../config/resolve.ts';
import { ROLES } from '../daemon/roles.ts';
import { lockHolder } from '../store/sqlite/lock.ts';

export interface DaemonStatus {
  readonly roles: readonly { readonly role: string; readonly process: string }[];
  /** Why the daemon is not ready or does not answer; null: it has no admin port. */
  readonly notReady: readonly string[] | null;
}

export function isDaemonRunning({ state }: Config): boolean {
  return ROLES.some((role) => lockHolder(state.dir, role) !== null);
}

/**
 * Whether anything reads or writes here, beyond the screen and webhooks. Other machines with the same database are not
 * seen.
 */
export function isWorking({ state }: Config, { roles }: DaemonStatus): boolean {
  if (state.postgres !== null) return roles.length > 0;
  return roles.some(({ role }) => role === 'poll' || role === 'work');
}

/** More than the five seconds in which the daemon always answers. */
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
    // `fetch` refuses some ports.
    const { body } = await request(url, { signal: AbortSignal.timeout(READYZ_LIMIT_MS) });
    const { reasons } = (await body.json()) as { reasons?: unknown };
    return Array.isArray(reasons) ? reasons.map(String) : silent;
  } catch {
    return silent;
  }
}
