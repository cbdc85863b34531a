import type { Config } from '../config/resolve.ts';

/** All addresses of the machine, as a browser on it asks for one of them. */
const ANY: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** The address under which people open the screen, without a slash at its end. */
export function screenAddress({ publicUrl, basePath, listen }: Config['admin']): string {
  const { host, port } = listen;
  const named = ANY[host] ?? (host.includes(':') ? `[${host}]` : host);
  return publicUrl ?? `http://${named}:${port}${basePath}`;
}
