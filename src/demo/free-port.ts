import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above the ports that `fetch` refuses. */
const LOWEST = 10_100;
/** Below the system's outgoing ports, which might take the port before its use. */
const HIGHEST = 29_999;
const MAX_TRIES = 1_000;

export interface PortWanted {
  /** Ports reserved for others. */
  readonly not?: readonly number[];
  readonly lowest?: number;
  readonly highest?: number;
}

/** A free port of 127.0.0.1. */
export async function freePort({ not = [], lowest = LOWEST, highest = HIGHEST }: PortWanted = {}): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = randomInt(lowest, highest + 1);
    if (!not.includes(port) && (await isFree(port))) return port;
  }
  throw new Error(`no free port was found from ${lowest} to ${highest} on 127.0.0.1, in ${MAX_TRIES} tries`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('listening', () => resolve(true)).once('error', () => resolve(false));
    server.listen(port, '127.0.0.1');
  });
  await new Promise((resolve) => server.close(resolve));
  return listens;
}
