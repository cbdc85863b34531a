import { createConnection, createServer, type Socket } from 'node:net';

/** Takes connections, and connects each to the server behind this unix socket. */
export async function forward(host: string, socket: string) {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isHeld = false;
  const hold = (pair: readonly [Socket, Socket]) => pair.forEach((end) => (isHeld ? end.pause() : end.resume()));
  // Small answers are passed on at once: a line costs no time of its own.
  const server = createServer({ noDelay: true }, (near) => {
    const far = createConnection(socket);
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('data', (data) => far.write(data));
    far.on('data', (data) => near.write(data));
    for (const [one, other] of [pair, [far, near]] as const) {
      one.on('error', () => {});
      one.once('close', () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
    hold(pair);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    /** Stops or resumes the passing of data, without a sign to either end. */
    hold(held: boolean): void {
      isHeld = held;
      pairs.forEach(hold);
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const [near] of pairs) near.destroy();
      await closed;
    },
  };
}
