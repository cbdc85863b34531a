import type { Config } from '../config/resolve.ts';

/** "All addresses" of the machine, as a local browser reaches them. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Where people open the screen, without a trailing slash. */
export function screenAddress({ publicUrl, basePath, listen }: Config['admin']): string {
  const { host, port } = listen;
  const named = ANY[host] ?? (host.includes(':') ? `[${host}]` : host);
  return publicUrl ?? `http://${named}:${port}${basePath}`;
}
